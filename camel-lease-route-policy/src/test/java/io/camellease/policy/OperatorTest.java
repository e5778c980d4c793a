/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseState;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.camel.spi.RouteController;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a person stopped stays stopped, what a person started runs where the lease is, and nothing else changes either. */
@CaseTest
class OperatorTest {

    /** So long that a busy machine loses no lease that the test does not take away. */
    private static final Duration TTL = Duration.ofSeconds(6);

    private static final int PACE_MILLIS = 30;

    /** How an operator reaches a route. */
    enum By {
        CONTROLLER {
            @Override
            void order(Node node, String what) throws Exception {
                switch (what) {
                    case "stop" -> node.context.getRouteController().stopRoute("orders");
                    case "start" -> node.context.getRouteController().startRoute("orders");
                    case "suspend" -> node.context.getRouteController().suspendRoute("orders");
                    case "resume" -> node.context.getRouteController().resumeRoute("orders");
                    default -> throw new IllegalArgumentException(what);
                }
            }
        },
        JMX {
            @Override
            void order(Node node, String what) throws Exception {
                MBeanServer server = ManagementFactory.getPlatformMBeanServer();
                String context = node.context.getManagementName();
                ObjectName route =
                        new ObjectName("org.apache.camel:context=" + context + ",type=routes,name=\"orders\"");
                server.invoke(route, what, new Object[0], new String[0]);
            }
        },
        CONTROL_BUS {
            @Override
            void order(Node node, String what) {
                node.context
                        .createFluentProducerTemplate()
                        .to("controlbus:route?routeId=orders&action=" + what)
                        .send();
            }
        };

        abstract void order(Node node, String what) throws Exception;
    }

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private Feeder feeder;

    @TempDir
    Path directory;

    @BeforeEach
    void feed() {
        feeder = Feeder.every(PACE_MILLIS, directory);
    }

    @AfterEach
    void stopFeeding() {
        feeder.close();
    }

    private Node node(String label, By by) throws Exception {
        Node node = cluster.node(label).ttl(TTL);
        if (by == By.JMX) {
            node.withJmx();
        }
        return node.files("orders", directory, () -> {});
    }

    @ParameterizedTest
    @EnumSource
    void c46_aRouteThatWasStoppedByHandGivesItsLeaseAwayAndStaysStopped(By by) throws Exception {
        LeaseName lease = cluster.lease("orders");
        Node a = node("A", by).start();
        a.assertFlows("orders");
        Node b = node("B", by).start();

        by.order(a, "stop");
        b.assertFlows("orders");
        a.assertSilent("orders");
        b.close();
        soon().until(() -> cluster.record(lease).released());
        Node b2 = node("B2", by).start();
        b2.assertFlows("orders");
        b2.close();
        a.assertSilent("orders");
        assertThat(a.elector(lease).state()).isEqualTo(LeaseState.STOPPED);

        by.order(a, "start");
        a.assertFlows("orders");
        cluster.loseAndRegain(a, lease);
        a.assertFlows("orders");
    }

    @ParameterizedTest
    @EnumSource
    void c46_aRouteThatWasSuspendedByHandKeepsItsLeaseAndStaysSuspended(By by) throws Exception {
        LeaseName lease = cluster.lease("orders");
        Node a = node("A", by).start();
        a.assertFlows("orders");
        Node b = node("B", by).start();

        by.order(a, "suspend");
        a.assertSilent("orders");
        assertThat(a.holds(lease)).isTrue();
        b.close();
        cluster.loseAndRegain(a, lease);
        a.assertSilent("orders");
        Node b2 = node("B2", by).start();
        a.assertSilent("orders");
        assertThat(journal.begun("B")).isEmpty();
        assertThat(journal.begun("B2")).isEmpty();
        b2.close();

        by.order(a, "resume");
        a.assertFlows("orders");
        cluster.loseAndRegain(a, lease);
        a.assertFlows("orders");
    }

    @ParameterizedTest
    @EnumSource(names = {"JMX", "CONTROL_BUS"})
    void aRouteThatIsRestartedByHandOnTheHolderFlowsAgainAndOnAStandbyStaysSilent(By by) throws Exception {
        Node a = node("A", by).start();
        a.assertFlows("orders");
        Node b = node("B", by).start();
        soon().until(() -> b.elector("orders").lastSeen().isPresent());

        by.order(b, "restart");
        b.assertSilent("orders");
        a.assertFlows("orders");
        by.order(a, "restart");
        soon().until(() -> a.holds("orders") || b.holds("orders"));
        Node holder = a.holds("orders") ? a : b;
        holder.assertFlows("orders");

        assertThat(Journal.tokens(journal.begun())).isSorted();
        (holder == a ? b : a).assertSilent("orders");
    }

    @Test
    void aRouteThatIsSuspendedAndResumedByHandFlowsAgain() throws Exception {
        Node a = node("A", By.CONTROLLER).start();
        a.assertFlows("orders");

        By.CONTROLLER.order(a, "suspend");
        a.assertSilent("orders");
        By.CONTROLLER.order(a, "resume");

        a.assertFlows("orders");
    }

    @Test
    void aStandbyThatWasStoppedByHandBeforeItEverRanDoesNotTakeOver() throws Exception {
        Node a = node("A", By.CONTROLLER).start();
        a.assertFlows("orders");
        Node b = node("B", By.CONTROLLER).start();

        By.CONTROLLER.order(b, "stop");
        a.close();
        b.assertSilent("orders");
        assertThat(b.elector("orders").state()).isEqualTo(LeaseState.STOPPED);

        By.CONTROLLER.order(b, "start");
        b.assertFlows("orders");
    }

    @Test
    void c48_aStandbyThatIsSuspendedByHandBeforeItEverRanFlowsWhenItIsResumedUnderTheLease() throws Exception {
        Node a = node("A", By.CONTROLLER).start();
        a.assertFlows("orders");
        Node b = node("B", By.CONTROLLER).start();

        By.CONTROLLER.order(b, "suspend");
        a.close();
        soon().until(() -> b.holds("orders"));
        b.assertSilent("orders");
        By.CONTROLLER.order(b, "resume");

        b.assertFlows("orders");
    }

    @Test
    void c48_aStandbyThatIsSuspendedAndResumedByHandPollsNothingAndFlowsWhenTheLeaseComes() throws Exception {
        Node a = node("A", By.CONTROLLER).start();
        a.assertFlows("orders");
        Node b = node("B", By.CONTROLLER).start();

        By.CONTROLLER.order(b, "suspend");
        By.CONTROLLER.order(b, "resume");
        b.assertSilent("orders");
        a.close();

        b.assertFlows("orders");
    }

    @ParameterizedTest
    @EnumSource
    void c44_aRouteThatIsStartedByHandOnAStandbyPollsNothingAndIsReported(By by) throws Exception {
        Node a = node("A", by).start();
        a.assertFlows("orders");
        Node b = node("B", by).start();

        try (LogLines log = LogLines.open()) {
            by.order(b, "start");
            b.assertSilent("orders");
            soon().until(() -> b.status("orders").isStopped());
            assertThat(log.of(Level.WARN, "'orders'", "started by hand", cluster.lease("orders")))
                    .hasSize(1);
        }
        assertThat(journal.begun("B")).isEmpty();

        a.close();
        b.assertFlows("orders");
    }

    @Test
    void c48_aRouteThatIsRestartedByHandOnAStandbyFlowsWhenTheLeaseComes() throws Exception {
        Node a = node("A", By.CONTROLLER).start();
        a.assertFlows("orders");
        Node b = node("B", By.CONTROLLER).start();

        By.CONTROLLER.order(b, "stop");
        By.CONTROLLER.order(b, "start");
        b.assertSilent("orders");
        a.close();

        b.assertFlows("orders");
        assertThat(Journal.tokens(journal.begun("B"))).doesNotContain(0L);
    }

    @Test
    void c44_aRouteWithoutAutoStartupIsStartedByPeopleOnlyAndFromThenOnFollowsTheLease() throws Exception {
        LeaseName lease = new LeaseName("both");
        Path manual = directory.resolve("manual");
        Node a = cluster.node("A").ttl(Duration.ofMillis(1500));
        LeaseRoutePolicy policy = new LeaseRoutePolicy("both");
        a.routes(routes -> {
            routes.from("file:" + directory + "?initialDelay=0&delay=20&delete=true")
                    .routeId("Y")
                    .routePolicy(policy)
                    .process(journal.note("A"));
            routes.from("file:" + manual + "?initialDelay=0&delay=20&delete=true")
                    .routeId("X")
                    .autoStartup(false)
                    .routePolicy(policy)
                    .process(journal.note("A"));
        });
        try (Feeder second = Feeder.every(PACE_MILLIS, manual)) {
            a.start();
            a.assertFlows("Y");
            for (int i = 0; i < 3; i++) {
                cluster.loseAndRegain(a, lease);
                a.assertFlows("Y");
            }
            assertThat(journal.begun("A", "X")).isEmpty();

            a.context.getRouteController().startRoute("X");
            a.assertFlows("X");
            cluster.lose(a, lease, Duration.ofSeconds(1));
            a.assertSilent("X");
            soon().until(() -> a.holds(lease));
            a.assertFlows("X");
            a.assertFlows("Y");
            second.stop();
        }
    }

    @Test
    void aLeaseWhoseOnlyRouteHasNoAutoStartupIsNotClaimed() throws Exception {
        Node a = cluster.node("A").ttl(Duration.ofMillis(1500));
        a.routes(routes -> routes.from("file:" + directory + "?initialDelay=0&delay=20&delete=true")
                .routeId("orders")
                .autoStartup(false)
                .routePolicyRef("lease")
                .process(journal.note("A")));
        a.start();

        stays(
                Duration.ofMillis(500),
                () -> cluster.record(cluster.lease("orders")).token() == 0);
        By.CONTROLLER.order(a, "start");
        a.assertFlows("orders");
    }

    /** What an operator tells Camel of a route. */
    private interface Order {
        void give(RouteController controller, String routeId) throws Exception;

        /** Gives the order on a thread that is not one of the policy's, and waits for it. */
        default void giveApart(RouteController controller, String routeId) {
            CompletableFuture.runAsync(() -> {
                        try {
                            give(controller, routeId);
                        } catch (Exception failed) {
                            throw new IllegalStateException(failed);
                        }
                    })
                    .join();
        }
    }

    /**
     * Lets an operator stop a route at the last moment before the policy starts it.
     *
     * @param then what the operator does at the first moment after it
     * @return becomes true once the policy has started it nevertheless
     */
    private static AtomicBoolean stopJustBeforeItStarts(Node node, String routeId, Order then) {
        RouteController controller = node.context.getRouteController();
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicBoolean started = new AtomicBoolean();
        InvocationHandler handler = (proxy, method, arguments) -> {
            boolean starts = method.getName().equals("startRoute") && arguments[0].equals(routeId);
            if (!starts || !stopped.compareAndSet(false, true)) {
                return method.invoke(controller, arguments);
            }
            Order stop = RouteController::stopRoute;
            stop.giveApart(controller, routeId);
            Object nothing = method.invoke(controller, arguments);
            then.giveApart(controller, routeId);
            started.set(true);
            return nothing;
        };
        node.context.setRouteController((RouteController) Proxy.newProxyInstance(
                RouteController.class.getClassLoader(), new Class<?>[] {RouteController.class}, handler));
        return started;
    }

    /** A timer that fires once would have fired in vain. */
    @Test
    void whatComesAsSoonAsARouteIsStartedByHandOnTheHolderBegins() throws Exception {
        LeaseRoutePolicy shared = new LeaseRoutePolicy(cluster.lease("shared").value());
        Node a = cluster.node("A").routes(routes -> {
            routes.from("timer:one?delay=0&period=50")
                    .routeId("one")
                    .routePolicy(shared)
                    .process(journal.note("A"));
            routes.from("timer:two?delay=0&repeatCount=1")
                    .routeId("two")
                    .autoStartup(false)
                    .routePolicy(shared)
                    .process(journal.note("A"));
        });
        a.start().assertFlows("one");

        a.context.getRouteController().startRoute("two");

        soon().until(() -> journal.begun("A", "two").size() == 1);
    }

    private Node twoTimers() throws Exception {
        LeaseRoutePolicy policy = new LeaseRoutePolicy("both");
        return cluster.node("A").ttl(Duration.ofMillis(1500)).routes(routes -> {
            for (String id : List.of("one", "two")) {
                routes.from("timer:" + id + "?delay=0&period=20")
                        .routeId(id)
                        .routePolicy(policy)
                        .process(journal.note("A"));
            }
        });
    }

    @Test
    void c46_aRouteThatIsStoppedByHandWhileThePolicyIsAboutToStartItEndsUpStopped() throws Exception {
        Node a = twoTimers();
        AtomicBoolean started = stopJustBeforeItStarts(a, "one", (controller, routeId) -> {});
        a.start();
        a.assertFlows("two");

        soon().until(() -> started.get() && a.status("one").isStopped());
        a.assertSilent("one");
        assertThat(a.status("one").isStopped()).isTrue();
        a.context.getRouteController().startRoute("one");
        a.assertFlows("one");
    }

    /** To Camel that start is none, and it tells no policy of it: the route runs. */
    @Test
    void c46_aRouteThatIsStoppedByHandThatLateAndStartedAtOnceEndsUpRunning() throws Exception {
        Node a = twoTimers();
        AtomicBoolean started = stopJustBeforeItStarts(a, "one", RouteController::startRoute);
        a.start();
        soon().until(started::get);

        a.assertFlows("two");
        a.assertFlows("one");
        cluster.loseAndRegain(a, new LeaseName("both"));
        a.assertFlows("one");
    }
}
