/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.component.mock.MockEndpoint;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A lease that comes and goes does not break what the error handler is doing, nor what it will do. */
@CaseTest
class RedeliveryTest {

    /** So long that none comes while the lease comes and goes, also on a busy machine. */
    private static final int REDELIVERY_MILLIS = 3000;

    /** What happens to the lease. */
    enum Fate {
        HELD_BACK,
        LOST,
        STOPPED_BY_HAND
    }

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");
    private final Map<String, AtomicInteger> tries = new ConcurrentHashMap<>();

    @TempDir
    Path directory;

    /** Fails twice on every file, and then works on it. */
    private void failTwice(Exchange exchange) {
        String file = exchange.getIn().getHeader(Exchange.FILE_NAME, String.class);
        if (tries.computeIfAbsent(file, none -> new AtomicInteger()).incrementAndGet() <= 2) {
            throw new IllegalStateException("fails at first");
        }
        journal.note("A", Journal.What.BEGIN, exchange);
        journal.note("A", Journal.What.END, exchange);
    }

    private Node node(boolean whileStopping) throws Exception {
        return cluster.node("A").withLongHold().routes(routes -> {
            routes.errorHandler(routes.deadLetterChannel("mock:dead")
                    .maximumRedeliveries(3)
                    .redeliveryDelay(REDELIVERY_MILLIS)
                    .allowRedeliveryWhileStopping(whileStopping));
            routes.from("file:" + directory + "?initialDelay=0&delay=20&delete=true")
                    .routeId("orders")
                    .routePolicyRef("lease")
                    .process(this::failTwice);
        });
    }

    private void comeAndGo(Node a, Fate fate) throws Exception {
        switch (fate) {
            case HELD_BACK -> {
                a.holdBack();
                a.store.heal();
                soon().until(() -> !a.events(LeaseEvent.Resumed.class).isEmpty());
            }
            case LOST -> cluster.lose(a, lease, Duration.ofMillis(1));
            case STOPPED_BY_HAND -> {
                a.context.getRouteController().stopRoute("orders");
                a.context.getRouteController().startRoute("orders");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"HELD_BACK,true", "HELD_BACK,false", "LOST,true", "LOST,false", "STOPPED_BY_HAND,true"})
    void c104_redeliveryThatIsInProgressEndsWell(Fate fate, boolean whileStopping) throws Exception {
        Node a = node(whileStopping).start();
        MockEndpoint dead = a.context.getEndpoint("mock:dead", MockEndpoint.class);
        soon().until(() -> a.holds(lease));
        Feeder.drop(directory, 0, 1);
        soon().until(() -> tries.containsKey("f0"));

        comeAndGo(a, fate);
        assertThat(journal.ended()).hasSize(fate == Fate.STOPPED_BY_HAND ? 1 : 0);
        soon().until(() -> journal.ended().size() == 1);
        Feeder.drop(directory, 1, 2);
        soon().until(() -> journal.ended().size() == 2);

        assertThat(dead.getReceivedCounter()).isZero();
        assertThat(tries.get("f0")).hasValue(3);
        assertThat(tries.get("f1")).hasValue(3);
        journal.assertEachOnce(2);
    }

    @ParameterizedTest
    @CsvSource({
        "HELD_BACK,true",
        "HELD_BACK,false",
        "LOST,true",
        "LOST,false",
        "STOPPED_BY_HAND,true",
        "STOPPED_BY_HAND,false"
    })
    void c104_redeliveryWorksAfterwards(Fate fate, boolean whileStopping) throws Exception {
        Node a = node(whileStopping).start();
        MockEndpoint dead = a.context.getEndpoint("mock:dead", MockEndpoint.class);
        soon().until(() -> a.holds(lease));

        comeAndGo(a, fate);
        Feeder.drop(directory, 0, 3);
        soon().until(() -> journal.ended().size() == 3);

        assertThat(dead.getReceivedCounter()).isZero();
        assertThat(tries.values()).allSatisfy(count -> assertThat(count).hasValue(3));
        journal.assertEachOnce(3);
    }
}
