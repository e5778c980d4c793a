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
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.StatefulService;
import org.apache.camel.spi.RoutePolicy;
import org.apache.camel.support.service.ServiceHelper;
import org.apache.camel.throttling.ThrottlingExceptionRoutePolicy;
import org.apache.camel.throttling.ThrottlingInflightRoutePolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Other policies and steps on a leased route do their work, and none of them lets it run without its lease. */
@CaseTest
class OtherPoliciesTest {

    private static final Duration TTL = Duration.ofSeconds(3);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");
    private final AtomicBoolean broken = new AtomicBoolean();
    private Feeder feeder;

    @TempDir
    Path directory;

    @BeforeEach
    void feed() {
        feeder = Feeder.every(20, directory);
    }

    @AfterEach
    void stopFeeding() {
        feeder.close();
    }

    private Node node(RoutePolicy other, boolean otherFirst, String options) throws Exception {
        LeaseRoutePolicy own = new LeaseRoutePolicy();
        return otherFirst ? node(other, own, options) : node(own, other, options);
    }

    private Node node(RoutePolicy first, RoutePolicy second, String options) throws Exception {
        RoutePolicy[] policies = {first, second};
        return cluster.node("A").ttl(TTL).routes(routes -> routes.from(
                        "file:" + directory + "?initialDelay=0&delay=20&" + options)
                .routeId("orders")
                .routePolicy(policies)
                .process(journal.note("A"))
                .process(exchange -> {
                    if (broken.get()) {
                        throw new IllegalStateException("broken on purpose");
                    }
                }));
    }

    private void assertSilentWithoutTheLeaseAndFlowingWithIt(Node a) {
        cluster.lose(a, lease, Duration.ofSeconds(3));
        a.assertSilent("orders");
        soon().until(() -> a.holds(lease));
        a.assertFlows("orders");
        assertThat(Journal.tokens(journal.begun())).hasSize(2).isSorted().doesNotContain(0L);
    }

    /** It suspends a consumer that has too much in flight, and resumes it later: also one that we hold back. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aThrottlingPolicyThatResumesTheConsumerDoesNotLetItPollWithoutTheLease(boolean first) throws Exception {
        ThrottlingInflightRoutePolicy throttling = new ThrottlingInflightRoutePolicy();
        throttling.setMaxInflightExchanges(1);
        throttling.setResumePercentOfMax(100);
        Node a = node(throttling, first, "delete=true").start();
        a.assertFlows("orders");

        assertSilentWithoutTheLeaseAndFlowingWithIt(a);
    }

    /** After failures it stops the consumer for a while, and starts it again from a timer of its own. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCircuitBreakerPolicyThatStartsTheConsumerDoesNotLetItPollWithoutTheLease(boolean first) throws Exception {
        ThrottlingExceptionRoutePolicy breaker =
                new ThrottlingExceptionRoutePolicy(3, 60_000, 300, List.of(Exception.class));
        Node a = node(breaker, first, "delete=true").start();
        a.assertFlows("orders");

        broken.set(true);
        soon().until(() -> a.consumer("orders") instanceof StatefulService consumer
                && (consumer.isSuspended() || consumer.isStopped()));
        cluster.lose(a, lease, Duration.ofSeconds(4));
        a.assertSilent("orders");
        a.assertSilent("orders");
        broken.set(false);
        soon().until(() -> a.holds(lease));

        a.assertFlows("orders");
        assertThat(Journal.tokens(journal.begun())).hasSize(2).isSorted().doesNotContain(0L);
    }

    /** Whoever has suspended the consumer resumes it: a hold in between, which comes and goes, does not. */
    @ParameterizedTest
    @ValueSource(strings = {"suspend", "stop"})
    void c57_aConsumerThatACircuitBreakerPolicyHasSuspendedStaysSoOverAHold(String holdBy) throws Exception {
        ThrottlingExceptionRoutePolicy breaker =
                new ThrottlingExceptionRoutePolicy(1, 60_000, 3_600_000, List.of(Exception.class));
        LeaseRoutePolicy own = new LeaseRoutePolicy();
        own.setHoldBy(holdBy);
        Node a = node(breaker, own, "delete=true").withVeryLongHold().start();
        a.assertFlows("orders");
        broken.set(true);
        soon().until(() -> a.consumer("orders") instanceof StatefulService consumer && consumer.isSuspended());
        broken.set(false);

        a.assertHoldsBack("orders");
        a.heal();
        soon().until(() -> !a.events(LeaseEvent.Resumed.class).isEmpty());

        a.assertSilent("orders");
        assertThat(a.events(LeaseEvent.Lost.class)).isEmpty();
        ServiceHelper.resumeService(a.consumer("orders"));
        a.assertFlows("orders");
    }

    @Test
    void policiesAreCalledInTheirOrderWhereverTheLeaseIs() throws Exception {
        CountingPolicy other = new CountingPolicy();
        Node a = node(other, true, "delete=true").start();
        a.assertFlows("orders");
        cluster.loseAndRegain(a, lease);
        a.assertFlows("orders");

        assertThat(other.started()).isEqualTo(2);
        assertThat(other.stopped()).isEqualTo(1);
    }

    @Test
    void c57_aPatternAndAPolicyOnTheSameRouteGiveItOneLeaseThatOfThePolicy() throws Exception {
        Node a = cluster.node("A").ttl(TTL);
        a.context.addRoutePolicyFactory(new LeaseRoutePolicyFactory(List.of("orders")));
        LeaseName own = new LeaseName("own of " + lease);
        a.routes(routes -> routes.from("file:" + directory + "?initialDelay=0&delay=20&delete=true")
                .routeId("orders")
                .routePolicy(new LeaseRoutePolicy(own.value()))
                .process(journal.note("A")));
        a.start();
        a.assertFlows("orders");

        assertThat(a.leases.electors()).singleElement().satisfies(elector -> assertThat(elector.name())
                .isEqualTo(own));
    }

    private Node withBreaker(AtomicInteger calls) throws Exception {
        return cluster.node("A").ttl(TTL).routes(routes -> routes.from(
                        "file:" + directory + "?initialDelay=0&delay=20&delete=true")
                .routeId("orders")
                .routePolicyRef("lease")
                .circuitBreaker()
                .resilience4jConfiguration()
                .minimumNumberOfCalls(3)
                .slidingWindowSize(3)
                .end()
                .process(exchange -> {
                    calls.incrementAndGet();
                    throw new IllegalStateException("broken on purpose");
                })
                .onFallback()
                .setVariable("fallback", routes.constant(true))
                .end()
                .process(journal.note("A")));
    }

    @Test
    void c106_aLossRestartsTheRouteSoThatItsCircuitBreakerBeginsAnew() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Node a = withBreaker(calls).start();
        soon().until(() -> calls.get() == 3);
        a.assertFlows("orders");

        cluster.loseAndRegain(a, lease);
        soon().until(() -> calls.get() == 6);
        a.assertFlows("orders");

        assertThat(calls).hasValue(6);
    }

    @Test
    void c106_aCircuitBreakerThatIsOpenStaysOpenWhileTheRouteIsHeldBack() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Node a = withBreaker(calls).withLongHold().start();
        soon().until(() -> calls.get() == 3);

        a.assertHoldsBack("orders");
        a.heal();
        a.assertFlows("orders");

        assertThat(calls).hasValue(3);
    }
}
