/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.camel.console.DevConsole;
import org.apache.camel.console.DevConsoleRegistry;
import org.apache.camel.impl.engine.DefaultRouteController;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.EventNotifierSupport;
import org.apache.camel.util.json.JsonObject;
import org.apache.camel.util.json.Jsoner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What is seen and done from outside: events, JMX, meters, console, operations. */
@CaseTest
class LeaseOutsideTest {

    @RegisterExtension
    private final Cluster cluster = new Cluster();

    @TempDir
    private Path directory;

    private final List<LeaseCamelEvent> events = new CopyOnWriteArrayList<>();
    private final List<String> threads = new CopyOnWriteArrayList<>();

    private final class Notes extends EventNotifierSupport {
        @Override
        public void notify(CamelEvent event) {
            if (event instanceof LeaseCamelEvent ofLease) {
                events.add(ofLease);
                threads.add(Thread.currentThread().getName());
            }
        }
    }

    private Node node(String label) throws Exception {
        Node node = cluster.node(label).files("orders", directory, () -> {});
        node.context.getManagementStrategy().addEventNotifier(new Notes());
        return node;
    }

    private List<LeaseCamelEvent.Reason> reasons() {
        return events.stream().map(LeaseCamelEvent::getReason).toList();
    }

    /** Without what a busy machine adds: a renewal that came late. */
    private List<LeaseCamelEvent> beginningsAndEnds() {
        Set<LeaseCamelEvent.Reason> looked =
                Set.of(LeaseCamelEvent.Reason.ACQUIRED, LeaseCamelEvent.Reason.LOST, LeaseCamelEvent.Reason.RELEASED);
        return events.stream()
                .filter(event -> looked.contains(event.getReason()))
                .toList();
    }

    @Test
    void c93_eventsTellOfAcquisitionsAndNotOfRenewals() throws Exception {
        Node a = node("A").start();
        soon().until(() -> a.leases.statuses().get(0).counts().renewed() >= 20);
        assertThat(beginningsAndEnds()).hasSize(1);

        cluster.loseAndRegain(a, cluster.lease("orders"));
        soon().until(() -> beginningsAndEnds().size() == 3);

        List<LeaseCamelEvent> told = beginningsAndEnds();
        assertThat(told)
                .extracting(LeaseCamelEvent::getReason)
                .containsExactly(
                        LeaseCamelEvent.Reason.ACQUIRED, LeaseCamelEvent.Reason.LOST, LeaseCamelEvent.Reason.ACQUIRED);
        assertThat(told.get(1).getDetail()).isEqualTo("refused");
        assertThat(told.get(1).getToken()).isEqualTo(told.get(0).getToken());
        assertThat(told.get(2).getToken()).isGreaterThan(told.get(0).getToken());
        assertThat(events.get(0).getHolder()).startsWith("A#");
        assertThat(events.get(0).getLeaseName())
                .isEqualTo(cluster.lease("orders").value());
        assertThat(threads).containsOnly("lease-listeners");
    }

    @Test
    void anEventNotifierThatFailsKeepsNoOtherOneFromBeingTold() throws Exception {
        Node a = cluster.node("A").files("orders", directory, () -> {});
        a.context.getManagementStrategy().addEventNotifier(new EventNotifierSupport() {
            @Override
            public void notify(CamelEvent event) {
                if (event instanceof LeaseCamelEvent) {
                    throw new IllegalStateException("no such collector");
                }
            }
        });
        a.context.getManagementStrategy().addEventNotifier(new Notes());
        a.start();

        soon().until(() -> reasons().contains(LeaseCamelEvent.Reason.ACQUIRED));
    }

    @Test
    void eventsTellOfRiskSuspensionAndResumption() throws Exception {
        Node a = node("A").withVeryLongHold().start();
        soon().until(() -> a.holds("orders"));
        a.holdBack();
        a.heal();
        soon().until(() -> reasons().contains(LeaseCamelEvent.Reason.RESUMED));

        assertThat(reasons())
                .containsExactly(
                        LeaseCamelEvent.Reason.ACQUIRED,
                        LeaseCamelEvent.Reason.AT_RISK,
                        LeaseCamelEvent.Reason.SUSPENDED,
                        LeaseCamelEvent.Reason.RESUMED);
    }

    @Test
    void eventsTellOfAStartThatFailsAndOfALeaseThatIsGivenAway() throws Exception {
        Node a = cluster.node("A").ttl(Duration.ofSeconds(1));
        a.context.getManagementStrategy().addEventNotifier(new Notes());
        Probe.in(a).onStart = () -> {
            throw new IllegalStateException("no such share");
        };
        a.routes(builder -> builder.from("probe:x")
                .routeId("orders")
                .routePolicyRef("lease")
                .log("done"));
        a.start();

        soon().until(() -> reasons().contains(LeaseCamelEvent.Reason.RELEASED));

        List<LeaseCamelEvent> told = events.stream()
                .filter(event -> event.getReason() != LeaseCamelEvent.Reason.AT_RISK)
                .filter(event -> event.getReason() != LeaseCamelEvent.Reason.SECURED)
                .filter(event -> event.getReason() != LeaseCamelEvent.Reason.SUSPENDED)
                .filter(event -> event.getReason() != LeaseCamelEvent.Reason.RESUMED)
                .toList();
        assertThat(told.subList(0, 8))
                .extracting(LeaseCamelEvent::getReason)
                .containsExactly(
                        LeaseCamelEvent.Reason.ACQUIRED,
                        LeaseCamelEvent.Reason.START_FAILED,
                        LeaseCamelEvent.Reason.START_FAILED,
                        LeaseCamelEvent.Reason.START_FAILED,
                        LeaseCamelEvent.Reason.START_FAILED,
                        LeaseCamelEvent.Reason.START_FAILED,
                        LeaseCamelEvent.Reason.GIVEN_AWAY,
                        LeaseCamelEvent.Reason.RELEASED);
        assertThat(told.get(1).getDetail()).contains("route 'orders'", "no such share");
        assertThat(told.get(6).toString()).contains("GIVEN_AWAY", "could not be started", "no such share");
    }

    @Test
    void eventsTellOfALeaseThatIsGivenAwayBecauseAStartHangs() throws Exception {
        Node a = cluster.node("A").ttl(Duration.ofSeconds(1));
        a.context.getManagementStrategy().addEventNotifier(new Notes());
        Brake starting = new Brake();
        Probe.in(a).onStart = starting;
        a.routes(builder -> builder.from("probe:x")
                .routeId("orders")
                .routePolicyRef("lease")
                .log("done"));
        a.start();

        soon().until(() -> reasons().contains(LeaseCamelEvent.Reason.GIVEN_AWAY));
        starting.release();

        LeaseCamelEvent told = events.stream()
                .filter(event -> event.getReason() == LeaseCamelEvent.Reason.GIVEN_AWAY)
                .findFirst()
                .orElseThrow();
        assertThat(told.getDetail()).contains("route 'orders': has not started PT3S after the grant");
        assertThat(told.getToken()).isPositive();
    }

    @Test
    void aRouteThatCannotBeStoppedIsNoReasonToGiveAwayWhatIsNotHeld() throws Exception {
        Node a = cluster.node("A").ttl(Duration.ofSeconds(1));
        a.context.getManagementStrategy().addEventNotifier(new Notes());
        AtomicInteger stops = new AtomicInteger();
        a.context.setRouteController(new DefaultRouteController() {
            @Override
            public void stopRoute(String routeId, long timeout, TimeUnit unit) {
                stops.incrementAndGet();
                throw new IllegalStateException("stuck");
            }
        });
        a.files("orders", directory, () -> {}).start();
        soon().until(() -> a.holds("orders") && a.status("orders").isStarted());

        cluster.steal(cluster.lease("orders"), Duration.ofSeconds(60));
        soon().until(() -> stops.get() > 6);

        assertThat(reasons()).doesNotContain(LeaseCamelEvent.Reason.START_FAILED, LeaseCamelEvent.Reason.GIVEN_AWAY);
        assertThat(a.leases.statuses().get(0).lastError()).get().asString().contains("route 'orders'", "stuck");
    }

    @Test
    void anOperatorHandsALeaseOverPausesAndReleases() throws Exception {
        LeaseName lease = cluster.lease("orders");
        Node a = node("A").start();
        soon().until(() -> a.holds("orders"));
        assertThat(a.leases.release(lease)).isTrue();
        soon().until(() -> a.events(LeaseEvent.Granted.class).size() == 2);

        a.leases.pauseCandidacy(lease);
        stays(Duration.ofMillis(300), () -> a.holds("orders"));
        assertThat(a.leases.handOver(lease)).isTrue();
        soon().until(() -> cluster.record(lease).released());
        stays(Duration.ofMillis(2500), () -> !a.holds("orders"));
        assertThat(a.leases.statuses().get(0).paused()).isTrue();
        assertThat(LeaseDetails.of(a.leases.statuses().get(0)))
                .as("it does not look who has it")
                .containsEntry("holder", "unknown");
        assertThat(a.leases.handOver(lease)).isFalse();
        assertThat(events.stream().filter(event -> event.getReason() == LeaseCamelEvent.Reason.GIVEN_AWAY))
                .singleElement()
                .satisfies(told -> {
                    assertThat(told.getDetail()).isEqualTo("handed over by an operator");
                    assertThat(told.getToken()).isPositive();
                });

        a.leases.resumeCandidacy(lease);
        soon().until(() -> a.holds("orders"));
        assertThatThrownBy(() -> a.leases.handOver(new LeaseName("other")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no route of this context has lease 'other'");
    }

    @Test
    void eachLeaseIsAnMBeanAsLongAsItHasARoute() throws Exception {
        Node a = node("A").withJmx().start();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("org.apache.camel:context=" + a.context.getManagementName()
                + ",type=services,name=" + ObjectName.quote("lease:" + cluster.lease("orders")));
        soon().until(() ->
                server.isRegistered(name) && server.getAttribute(name, "State").equals("HELD"));

        assertThat(server.getAttribute(name, "Role")).isEqualTo("HOLDER");
        assertThat((String) server.getAttribute(name, "Holder")).startsWith("A#");
        assertThat((Long) server.getAttribute(name, "Token")).isPositive();
        assertThat((Long) server.getAttribute(name, "RemainingMillis")).isBetween(1L, 2000L);
        assertThat((Long) server.getAttribute(name, "SinceSeconds")).isNotNegative();
        assertThat(server.getAttribute(name, "LastError")).isEqualTo("");
        assertThat(server.getAttribute(name, "Routes")).isEqualTo(List.of("orders"));
        assertThat((String) server.getAttribute(name, "Store")).isNotEmpty();

        server.invoke(name, "pauseCandidacy", null, null);
        assertThat(server.invoke(name, "handOver", null, null)).isEqualTo(true);
        soon().until(() -> server.getAttribute(name, "State").equals("STOPPED"));
        assertThat(server.getAttribute(name, "Paused")).isEqualTo(true);
        server.invoke(name, "resumeCandidacy", null, null);
        soon().until(() -> server.getAttribute(name, "State").equals("HELD"));
        assertThat(server.invoke(name, "release", null, null)).isEqualTo(true);

        a.context.getRouteController().stopRoute("orders");
        a.context.removeRoute("orders");
        soon().until(() -> !server.isRegistered(name));
    }

    @Test
    void metersShowWhatEachLeaseDoes() throws Exception {
        Node a = node("A").ttl(Duration.ofSeconds(1));
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        a.context.getRegistry().bind("meters", meters);
        a.start();
        soon().until(() -> a.holds("orders"));
        Map<String, String> tags =
                Map.of("kind", "CamelLease", "camelContext", a.context.getName(), "routeId", "orders");
        soon().until(() -> meters.find("camel.lease.held").gauge() != null);
        tags.forEach((key, value) -> assertThat(meters.get("camel.lease.terms")
                        .tag(key, value)
                        .functionCounter()
                        .count())
                .isEqualTo(1));
        assertThat(meters.get("camel.lease.held").gauge().value()).isEqualTo(1);
        assertThat(meters.get("camel.lease.remaining").timeGauge().value()).isPositive();
        soon().until(() -> meters.get("camel.lease.renewals")
                        .tag("outcome", "renewed")
                        .functionCounter()
                        .count()
                > 1);
        assertThat(meters.get("camel.lease.renewal").functionTimer().count()).isGreaterThan(1);
        assertThat(meters.get("camel.lease.claims")
                        .tag("outcome", "granted")
                        .functionCounter()
                        .count())
                .isEqualTo(1);

        assertThat(Set.copyOf(metricsOfTheDashboard()))
                .as("the dashboard shows what there is, as Prometheus calls it")
                .isSubsetOf(prometheusNames(meters))
                .hasSizeGreaterThan(6);

        a.leases.handOver(cluster.lease("orders"));
        soon().until(() -> meters.get("camel.lease.handover").timer().count() == 1);
        assertThat(meters.get("camel.lease.held").gauge().value()).isZero();
        a.context.getRouteController().stopRoute("orders");
        a.context.removeRoute("orders");
        soon().until(() -> meters.find("camel.lease.terms").functionCounter() == null);
        assertThat(meters.getMeters())
                .noneMatch(meter -> meter.getId().getName().startsWith("camel.lease"));
    }

    private static List<String> metricsOfTheDashboard() throws Exception {
        String json = Files.readString(Path.of("../docs/grafana-lease.json"));
        JsonObject dashboard = (JsonObject) Jsoner.deserialize(json);
        assertThat(dashboard).containsKey("panels");
        return Pattern.compile("camel_lease\\w+")
                .matcher(json)
                .results()
                .map(MatchResult::group)
                .toList();
    }

    private static Set<String> prometheusNames(SimpleMeterRegistry meters) {
        Set<String> names = new HashSet<>();
        for (Meter meter : meters.getMeters()) {
            String name = meter.getId().getName().replace('.', '_');
            switch (meter.getId().getType()) {
                case COUNTER -> names.add(name + "_total");
                case TIMER -> names.addAll(List.of(name + "_seconds_count", name + "_seconds_sum"));
                case GAUGE -> names.add(meter instanceof TimeGauge ? name + "_seconds" : name);
                default -> throw new AssertionError(meter.getId());
            }
        }
        return names;
    }

    @Test
    void theDevConsoleIsFoundAndShowsEachLease() throws Exception {
        Node a = node("A");
        a.context.setDevConsole(true);
        a.start();
        soon().until(() -> a.holds("orders"));
        DevConsoleRegistry consoles = a.context.getCamelContextExtension().getContextPlugin(DevConsoleRegistry.class);
        consoles.loadDevConsoles();
        DevConsole console = consoles.getConsole("lease").orElseThrow();

        soon().until(() -> console.call(DevConsole.MediaType.TEXT).toString().contains("orders: runs"));
        assertThat(console.call(DevConsole.MediaType.TEXT).toString())
                .contains("Lease " + cluster.lease("orders"), "role: holder", "holder: A#", "orders: runs");
        assertThat(((JsonObject) console.call(DevConsole.MediaType.JSON)).toJson())
                .contains(
                        "\"name\":\"" + cluster.lease("orders").value().replace("/", "\\/") + "\"",
                        "\"role\":\"holder\"",
                        "\"token\":");
    }
}
