/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.camellease.core.Lease;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.apache.camel.Processor;
import org.apache.camel.builder.AggregationStrategies;
import org.apache.camel.model.AggregateDefinition;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.spi.AggregationRepository;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An aggregation completes groups where the lease is, with what nodes share, and nowhere else. */
@CaseTest
class AggregationTest {

    private static final String NOTHING_YET = "timer:orders?delay=3600000&period=3600000";
    private static final long SHORT_MILLIS = 100;

    /** What completes a group without a message. */
    enum By {
        INTERVAL {
            @Override
            void set(AggregateDefinition aggregate) {
                aggregate.completionInterval(SHORT_MILLIS);
            }
        },
        TIMEOUT {
            @Override
            void set(AggregateDefinition aggregate) {
                aggregate.completionTimeout(SHORT_MILLIS).completionTimeoutCheckerInterval(20);
            }
        },
        RECOVERY {
            @Override
            void set(AggregateDefinition aggregate) {
                aggregate.completionSize(1000);
            }

            @Override
            void leave(SharedGroups.Contents groups, String key) {
                groups.leaveCompleted(key);
            }
        };

        abstract void set(AggregateDefinition aggregate);

        void leave(SharedGroups.Contents groups, String key) {
            groups.leaveOpen(key, SHORT_MILLIS);
        }
    }

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final SharedGroups.Contents groups = new SharedGroups.Contents();
    private final List<String> completed = new CopyOnWriteArrayList<>();
    private Processor work = exchange -> {};

    private Node collecting(Node node, By by) throws Exception {
        return collecting(node, by, orders -> orders.routePolicyRef("lease"));
    }

    private Node collecting(Node node, By by, UnaryOperator<RouteDefinition> leased) throws Exception {
        return node.routes(routes -> {
            AggregateDefinition aggregate = leased.apply(
                            routes.from(NOTHING_YET).routeId("orders"))
                    .aggregate(routes.constant("all"), AggregationStrategies.useLatest())
                    .aggregationRepository(new SharedGroups(groups));
            by.set(aggregate);
            aggregate
                    .process(exchange ->
                            completed.add(node.label + " " + exchange.getIn().getBody()))
                    .process(exchange -> work.process(exchange));
        });
    }

    /** Long enough for a recovery, which begins a second after the start of its aggregation. */
    private void assertNothingIsCompleted() {
        int before = completed.size();
        stays(Duration.ofMillis(2500), () -> completed.size() == before);
    }

    @ParameterizedTest
    @EnumSource
    void c42_aStandbyThatNeverRanCompletesNothingAndThenWhatWasLeftBeforeAndSinceItsBoot(By by) throws Exception {
        Lease other = cluster.steal(cluster.lease("orders"), Duration.ofMinutes(1));
        by.leave(groups, "early");
        Node b = collecting(cluster.node("B"), by).start();
        by.leave(groups, "late");

        assertNothingIsCompleted();
        assertThat(completed).isEmpty();
        cluster.store.release(other);

        soon().until(() -> completed.size() >= 2);
        assertThat(completed).containsExactlyInAnyOrder("B early", "B late");
        assertThat(b.holds("orders")).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aRouteThatIsAddedOnAStandbyCompletesNothing(By by) throws Exception {
        Lease other = cluster.steal(cluster.lease("orders"), Duration.ofMinutes(1));
        by.leave(groups, "early");
        Node b = collecting(cluster.node("B").start(), by);

        assertNothingIsCompleted();
        cluster.store.release(other);

        soon().until(() -> completed.contains("B early"));
        assertThat(b.holds("orders")).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aHolderThatHasLostItsLeaseCompletesNothingMore(By by) throws Exception {
        Node a = collecting(cluster.node("A"), by).start();
        soon().until(() -> a.holds("orders") && a.status("orders").isStarted());
        Lease other = cluster.steal(cluster.lease("orders"), Duration.ofMinutes(1));
        soon().until(() ->
                !a.events(LeaseEvent.Lost.class).isEmpty() && a.status("orders").isStopped());

        by.leave(groups, "later");
        assertNothingIsCompleted();
        cluster.store.release(other);

        soon().until(() -> completed.contains("A later"));
    }

    @ParameterizedTest
    @EnumSource(names = {"INTERVAL", "RECOVERY"})
    void anIdleRouteThatWaitsForABusyOneOfItsLostLeaseCompletesNothingMeanwhile(By by) throws Exception {
        LeaseName both = cluster.lease("both");
        Brake brake = new Brake();
        LeaseRoutePolicy policy = new LeaseRoutePolicy(both.value());
        Node a = collecting(cluster.node("A"), by, orders -> orders.routePolicy(policy)
                        .startupOrder(1))
                .routes(routes -> routes.from("timer:busy?delay=0&repeatCount=1")
                        .routeId("busy")
                        .startupOrder(2)
                        .routePolicy(policy)
                        .process(exchange -> brake.run()))
                .start();
        soon().until(() -> brake.holding() == 1);

        cluster.lose(a, both, Duration.ofMinutes(1));
        stays(Duration.ofMillis(500), () -> brake.holding() == 1);
        by.leave(groups, "of the next holder");

        assertNothingIsCompleted();
        assertThat(completed).isEmpty();
        assertThat(brake.holding()).isEqualTo(1);
        brake.release();
        soon().until(() -> a.status("orders").isStopped());
    }

    @Test
    void aHolderThatGivesItsLeaseAwayFirstEndsWhatItHasCompletedAndCompletesNothingMore() throws Exception {
        CountDownLatch ends = new CountDownLatch(1);
        work = exchange -> ends.await();
        Node a = collecting(cluster.node("A").ttl(Duration.ofSeconds(10)), By.INTERVAL)
                .start();
        soon().until(() -> a.holds("orders") && a.status("orders").isStarted());
        Node b = collecting(cluster.node("B").ttl(Duration.ofSeconds(10)), By.INTERVAL)
                .start();
        By.INTERVAL.leave(groups, "long");
        soon().until(() -> completed.contains("A long"));

        a.elector("orders").giveAway();
        stays(Duration.ofSeconds(2), () -> !b.holds("orders"));
        ends.countDown();
        soon().until(() -> b.holds("orders"));
        By.INTERVAL.leave(groups, "next");

        soon().until(() -> completed.contains("B next"));
        assertThat(completed).containsExactly("A long", "B next");
    }

    @Test
    void whatIsToBeCompletedWhenTheRouteStopsIsLeftToTheNextHolder() throws Exception {
        Node a = cluster.node("A").routes(routes -> {
            AggregateDefinition aggregate = routes.from(NOTHING_YET)
                    .routeId("orders")
                    .routePolicyRef("lease")
                    .aggregate(routes.constant("all"), AggregationStrategies.useLatest())
                    .aggregationRepository(new SharedGroups(groups))
                    .completionSize(1000)
                    .forceCompletionOnStop();
            aggregate.process(exchange -> completed.add("A " + exchange.getIn().getBody()));
        });
        a.start();
        soon().until(() -> a.holds("orders") && a.status("orders").isStarted());
        groups.leaveOpen("orders", 0);

        cluster.lose(a, cluster.lease("orders"), Duration.ofMinutes(1));
        soon().until(() -> a.status("orders").isStopped());

        assertNothingIsCompleted();
        assertThat(completed).isEmpty();
        assertThat(groups.isOpen("orders")).isTrue();
    }

    private List<String> warnings(@Nullable AggregationRepository repository) throws Exception {
        String id = "advised-" + cluster.lease("x").value().replace('/', '-');
        Node a = cluster.node("A").routes(routes -> {
            AggregateDefinition aggregate = routes.from(NOTHING_YET)
                    .routeId(id)
                    .routePolicyRef("lease")
                    .aggregate(routes.constant("all"), AggregationStrategies.useLatest())
                    .completionSize(2);
            if (repository != null) {
                aggregate.aggregationRepository(repository);
            }
            aggregate.to("mock:" + id);
        });
        try (LogLines log = LogLines.open()) {
            a.start();
            soon().until(() -> a.holds(id) && a.status(id).isStarted());
            cluster.loseAndRegain(a, cluster.lease(id));
            soon().until(() -> a.status(id).isStarted());
            return log.of(Level.WARN, "'" + id + "'");
        }
    }

    @Test
    void anAggregationInMemoryIsWarnedOfOnce() throws Exception {
        assertThat(warnings(null))
                .singleElement()
                .asString()
                .contains("in the memory of this node", "aggregationRepository that all nodes share");
    }

    @Test
    void aSharedAggregationIsNotWarnedOf() throws Exception {
        assertThat(warnings(new SharedGroups(groups))).isEmpty();
    }
}
