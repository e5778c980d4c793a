/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.camellease.core.LeaseName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A step that asks, in the middle of an exchange, whether the lease it began under still holds. */
@CaseTest
class LeaseCheckTest {

    private static final Duration TTL = Duration.ofSeconds(3);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");
    private final Brake brake = new Brake();
    private final Queue<Boolean> answers = new ConcurrentLinkedQueue<>();

    @TempDir
    Path directory;

    @AfterEach
    void letGo() {
        brake.release();
    }

    private Node node() throws Exception {
        return cluster.node("A").ttl(TTL).routes(routes -> routes.from(
                        "file:" + directory + "/in?initialDelay=0&delay=20&delete=true&maxMessagesPerPoll=1")
                .routeId("orders")
                .routePolicyRef("lease")
                .process(journal.work("A", brake))
                .process(exchange -> answers.add(new LeaseCheck().matches(exchange)))
                .pollEnrich("file:" + directory + "/rates?delete=true", 2000)
                .process("leaseCheck")
                .to("file:" + directory + "/out"));
    }

    private Node atWork() throws Exception {
        Feeder.drop(directory.resolve("in"), 0, 1);
        Feeder.drop(directory.resolve("rates"), 0, 2);
        Node a = node().start();
        soon().until(() -> brake.holding() == 1);
        return a;
    }

    private boolean isWritten() {
        return Files.exists(directory.resolve("out"));
    }

    @Test
    void anExchangeWhoseLeaseHoldsGoesOn() throws Exception {
        var unused = atWork();

        brake.release();
        soon().until(this::isWritten);

        assertThat(answers).containsExactly(true);
    }

    @Test
    void c09_anExchangeThatOutlastsItsLeaseIsStoppedBeforeTheSideEffectAndItsFileStays() throws Exception {
        Node a = atWork();

        cluster.lose(a, lease, Duration.ofMinutes(1));
        brake.release();
        soon().until(() -> journal.ended("A").size() == 1 && a.refused.get() == 1);

        assertThat(answers).containsExactly(false);
        assertThat(isWritten()).isFalse();
        assertThat(directory.resolve("in/f0")).exists();
    }

    @Test
    void anExchangeOfAnEarlierGrantIsStoppedAlthoughThisNodeHoldsTheLeaseAgain() throws Exception {
        Node a = atWork();
        Exchange old = new DefaultExchange(a.context);
        old.setProperty(LeaseConstants.LEASE_NAME, lease.value());
        old.setProperty(LeaseConstants.LEASE_TOKEN, cluster.record(lease).token());
        LeaseCheck check = new LeaseCheck();
        assertThat(check.matches(old)).isTrue();

        brake.release();
        soon().until(this::isWritten);
        cluster.loseAndRegain(a, lease);

        assertThat(check.matches(old)).isFalse();
        assertThatThrownBy(() -> check.process(old))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("'" + lease + "'");
    }

    @Test
    void anExchangeThatIsHeldBackIsStopped() throws Exception {
        Node a = node().withLongHold().start();
        soon().until(() -> a.holds(lease));
        Exchange own = new DefaultExchange(a.context);
        own.setProperty(LeaseConstants.LEASE_NAME, lease.value());
        own.setProperty(LeaseConstants.LEASE_TOKEN, cluster.record(lease).token());

        a.holdBack();
        assertThat(new LeaseCheck().matches(own)).isFalse();
        a.heal();

        soon().until(() -> new LeaseCheck().matches(own));
    }

    @Test
    void anExchangeWithoutALeaseIsStopped() throws Exception {
        Node a = node().start();
        Exchange none = new DefaultExchange(a.context);

        assertThat(new LeaseCheck().matches(none)).isFalse();
        assertThatThrownBy(() -> new LeaseCheck().process(none)).hasMessageContaining("carries no lease");
    }

    @Test
    void everythingPassesWhereLeasesAreTurnedOffForTheWholeContext() throws Exception {
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            context.getPropertiesComponent().addOverrideProperty("camel.lease.enabled", "false");
            context.getPropertiesComponent().addOverrideProperty("camel.lease.routes", "orders");
            RouteBuilder.addRoutes(context, routes -> routes.from("direct:orders")
                    .routeId("orders")
                    .process("leaseCheck")
                    .setBody()
                    .constant("done"));
            context.start();

            assertThat(context.createProducerTemplate().requestBody("direct:orders", "x"))
                    .isEqualTo("done");
        }
    }

    @Test
    void everythingPassesWhereLeasesAreTurnedOff() throws Exception {
        Node a = node();
        a.leases.setEnabled(false);
        brake.release();
        Feeder.drop(directory.resolve("in"), 0, 1);
        Feeder.drop(directory.resolve("rates"), 0, 1);
        a.start();

        soon().until(this::isWritten);
    }
}
