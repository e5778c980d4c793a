/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static io.camellease.policy.Waiting.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.CamelContext;
import org.apache.camel.Processor;
import org.apache.camel.component.file.FileConsumer;
import org.apache.camel.component.file.FileEndpoint;
import org.apache.camel.component.file.GenericFileOperations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What begins with a grant begins once per grant, however often that is renewed. */
@CaseTest
class OncePerTermTest {

    private static final int RENEWALS = 20;
    private static final Duration A_WHILE = Duration.ofSeconds(1);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    @TempDir
    Path directory;

    private final LeaseName files = cluster.lease("files");
    private final LeaseName once = cluster.lease("once");
    private final AtomicInteger starts = new AtomicInteger();
    private final List<Long> fired = new CopyOnWriteArrayList<>();

    /** An ordinary file endpoint that counts the starts of its consumers. */
    private final class CountedFiles extends FileEndpoint {
        private CountedFiles(CamelContext context) {
            super("file:" + directory + "?delete=true", context.getComponent("file"));
            setFile(directory.toFile());
            setDelete(true);
            setInitialDelay(0);
            setDelay(20);
        }

        @Override
        protected FileConsumer newFileConsumer(Processor processor, GenericFileOperations<File> operations) {
            return new FileConsumer(this, processor, operations, createGenericFileStrategy()) {
                @Override
                protected void doStart() throws Exception {
                    starts.incrementAndGet();
                    super.doStart();
                }
            };
        }
    }

    private static int terms(Node node, LeaseName lease) {
        return (int) node.events(LeaseEvent.Granted.class).stream()
                .filter(granted -> granted.name().equals(lease))
                .count();
    }

    @Test
    void c93_aConsumerStartsAndAOneShotTimerFiresOncePerTerm() throws Exception {
        Node a = cluster.node("A");
        a.routes(routes -> {
            routes.from(new CountedFiles(a.context))
                    .routeId("files")
                    .routePolicyRef("lease")
                    .process(cluster.journal.note("A"));
            routes.from("timer:x?repeatCount=1&delay=100")
                    .routeId("once")
                    .routePolicyRef("lease")
                    .process(exchange -> fired.add(exchange.getProperty(LeaseConstants.LEASE_TOKEN, Long.class)));
        });
        a.start();

        within(Duration.ofMinutes(1))
                .until(() -> a.leases.statuses().size() == 2
                        && a.leases.statuses().stream()
                                .allMatch(status -> status.counts().renewed() >= RENEWALS));
        // more than one only if this machine was too slow to renew a lease in time
        assertThat(starts).hasValue(terms(a, files));
        assertThat(fired).hasSize(terms(a, once)).doesNotHaveDuplicates();
        int before = fired.size();

        cluster.loseAndRegain(a, files);
        cluster.loseAndRegain(a, once);

        soon().until(() -> fired.size() > before);
        Feeder.write(directory, "after");
        soon().until(() -> !cluster.journal.begun("A", "files").isEmpty());
        stays(A_WHILE, () -> starts.get() == terms(a, files) && fired.size() == terms(a, once));
        assertThat(starts.get()).isGreaterThan(1);
        assertThat(List.copyOf(fired)).isSorted().doesNotHaveDuplicates();
    }
}
