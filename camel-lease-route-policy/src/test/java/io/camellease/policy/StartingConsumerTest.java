/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.camellease.core.LeaseEvent;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.ServiceStatus;
import org.apache.camel.StartupListener;
import org.apache.camel.spi.RoutePolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A consumer starts once, when the lease is held and the context is up, and does not start into a lease that is lost. */
@CaseTest
class StartingConsumerTest {

    private static final Duration STOLEN_AFTER = Duration.ofMillis(300);
    private static final Duration STOLEN_FOR = Duration.ofSeconds(3);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;

    @TempDir
    Path directory;

    /** Camel calls them at each start of a route as well, which those of camel-quartz cannot bear while they are called here. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConsumerStartsOnceAllWhoWaitForTheContextHaveBeenTold(boolean isOfAComponent) throws Exception {
        Node a = cluster.node("A").ttl(Duration.ofSeconds(4));
        Brake listening = new Brake();
        StartupListener listener = new StartupListener() {
            @Override
            public void onCamelContextStarted(CamelContext context, boolean alreadyStarted) {
                // no matter
            }

            @Override
            public void onCamelContextFullyStarted(CamelContext context, boolean alreadyStarted) {
                listening.run();
            }
        };
        if (isOfAComponent) {
            a.context.addRoutePolicyFactory((context, routeId, route) -> addedTo(context, listener));
        } else {
            a.context.addStartupListener(listener);
        }
        a.routes(routes -> routes.from("timer:t?delay=0&period=20")
                .routeId("orders")
                .routePolicyRef("lease")
                .process(journal.note("A")));
        Thread boot = new Thread(a::start, "test-boot");
        boot.start();
        soon().until(() -> listening.holding() == 1);

        stays(Duration.ofMillis(700), () -> journal.begun().isEmpty());
        listening.release();

        a.assertFlows("orders");
        boot.join(Duration.ofSeconds(20).toMillis());
    }

    private static @Nullable RoutePolicy addedTo(CamelContext context, StartupListener listener) {
        try {
            context.addStartupListener(listener);
            return null;
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void c02_aConsumerThatIsStillStartingWhenTheLeaseIsLostNeverPolls() throws Exception {
        Node a = cluster.node("A");
        Probe probe = Probe.in(a);
        Brake start = new Brake();
        probe.onStart = start;
        probe.messages.add("m");
        CountingPolicy slow = new CountingPolicy();
        slow.onStart = Brake.taking(300);
        a.context.addRoutePolicyFactory((context, routeId, route) -> slow);
        a.routes(routes -> routes.from("probe:in")
                .routeId("orders")
                .routePolicyRef("lease")
                .process(journal.note("A")));
        a.start();
        soon().until(() -> start.holding() == 1);

        stays(STOLEN_AFTER, () -> a.holds("orders"));
        cluster.steal(cluster.lease("orders"), STOLEN_FOR);
        soon().until(() -> !a.events(LeaseEvent.Lost.class).isEmpty());
        stays(Duration.ofMillis(500), () -> start.holding() == 1);
        probe.onStart = () -> {};
        start.release();
        soon().until(() -> slow.stopped() == 1);
        assertThat(probe.polls).hasValue(0);
        assertThat(a.status("orders")).isEqualTo(ServiceStatus.Stopped);
        assertThat(a.holds("orders")).isFalse();

        soon().until(() -> journal.ended("A").size() == 1);
        assertThat(probe.starts).hasValue(2);
        assertThat(a.holds("orders")).isTrue();
    }

    @Test
    void c02_aConsumerThatWaitsForItsFirstPollWhenTheLeaseIsLostDoesNotMakeIt() throws Exception {
        Node a = cluster.node("A").ttl(Duration.ofMillis(1500));
        a.routes(routes -> routes.from("file:" + directory + "?initialDelay=2000&delay=20&delete=true")
                .routeId("orders")
                .routePolicyRef("lease")
                .process(journal.note("A")));
        Feeder.drop(directory, 0, 5);
        a.start();
        soon().until(() -> a.status("orders") == ServiceStatus.Started);

        stays(STOLEN_AFTER, () -> a.holds("orders"));
        cluster.steal(cluster.lease("orders"), STOLEN_FOR);
        long token = cluster.record(cluster.lease("orders")).token();
        soon().until(() -> a.events(LeaseEvent.Granted.class).size() == 2);
        assertThat(journal.begun()).isEmpty();
        soon().until(() -> journal.ended("A").size() == 5);

        assertThat(journal.begun())
                .allSatisfy(entry -> assertThat(entry.token()).isGreaterThan(token));
        journal.assertEachOnce(5);
    }

    @ParameterizedTest
    @CsvSource({"0,false", "200,false", "2000,false", "0,true", "200,true", "2000,true"})
    void c43_theConsumerStartsOnceAfterTheContextAndTheGrant(int delayMillis, boolean addedLater) throws Exception {
        Node a = cluster.node("A").ttl(Duration.ofSeconds(30));
        a.store.script(Operation.CLAIM, new Fault.Slow(Duration.ZERO, Duration.ofMillis(delayMillis)));
        CountingPolicy other = new CountingPolicy();
        a.context.addRoutePolicyFactory((context, routeId, route) -> other);
        Probe probe = Probe.in(a);
        probe.messages.add("m");
        probe.onStart = () -> {
            if (!a.context.isStarted() || !a.holds("orders")) {
                throw new IllegalStateException("started too soon");
            }
        };
        if (addedLater) {
            a.start();
        }
        a.routes(routes -> routes.from("probe:in")
                .routeId("orders")
                .routePolicyRef("lease")
                .process(journal.note("A")));
        if (!addedLater) {
            a.start();
        }

        soon().until(() -> journal.ended("A").size() == 1);
        stays(Duration.ofMillis(300), () -> probe.starts.get() == 1);
        assertThat(other.started()).isEqualTo(1);
        assertThat(other.startedTooSoon()).isZero();
        assertThat(other.stopped()).isZero();
        a.close();
        assertThat(other.stopped()).isEqualTo(1);
        assertThat(other.started()).isEqualTo(1);
    }

    @Test
    void aContextThatStopsWhileAConsumerStartsStopsItAndReportsNoFailure() throws Exception {
        Node a = cluster.node("A");
        Probe probe = Probe.in(a);
        Brake start = new Brake();
        probe.onStart = start;
        probe.messages.add("m");
        a.routes(routes -> routes.from("probe:in")
                .routeId("cutShort")
                .routePolicyRef("lease")
                .process(journal.note("A")));
        a.start();
        soon().until(() -> start.holding() == 1);

        try (LogLines log = LogLines.open()) {
            CompletableFuture<Void> closing = CompletableFuture.runAsync(a::close);
            soon().until(() -> a.context.getStatus() == ServiceStatus.Stopping);
            stays(Duration.ofMillis(200), () -> start.holding() == 1);
            start.release();
            closing.get(20, TimeUnit.SECONDS);
            assertThat(log.of(Level.WARN, "'cutShort'")).isEmpty();
        }
        assertThat(probe.polls).hasValue(0);
        assertThat(cluster.record(cluster.lease("cutShort")).released()).isTrue();
    }
}
