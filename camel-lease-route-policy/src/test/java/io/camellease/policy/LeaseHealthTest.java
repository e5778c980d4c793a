/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import io.camellease.testkit.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.camel.health.HealthCheck;
import org.apache.camel.health.HealthCheckHelper;
import org.apache.camel.health.HealthCheckRegistry;
import org.apache.camel.support.service.ServiceHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What health checks say of a node, with all that Camel has switched on and shown in full. */
@CaseTest
class LeaseHealthTest {

    @RegisterExtension
    private final Cluster cluster = new Cluster();

    @TempDir
    private Path directory;

    private Node node(String label) throws Exception {
        Node node = cluster.node(label).files("orders", directory, () -> {});
        HealthCheckRegistry registry = HealthCheckRegistry.get(node.context);
        registry.setExposureLevel("full");
        registry.register(registry.resolveById("routes"));
        registry.register(registry.resolveById("consumers"));
        return node;
    }

    private static boolean isReady(Node node) {
        return HealthCheckHelper.isResultsUp(HealthCheckHelper.invokeReadiness(node.context), true);
    }

    private static boolean isAlive(Node node) {
        return HealthCheckHelper.isResultsUp(HealthCheckHelper.invokeLiveness(node.context), false);
    }

    private static HealthCheck.Result result(Node node, String id) {
        Collection<HealthCheck.Result> all = HealthCheckHelper.invoke(node.context);
        return all.stream()
                .filter(any -> any.getCheck().getId().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError(id + " is not among " + all));
    }

    private Object detail(Node node, String key) {
        return result(node, "lease").getDetails().get(cluster.lease("orders") + "." + key);
    }

    @Test
    void c108_aStandbyIsReadyWhetherItHasBeenActiveOrNot() throws Exception {
        Node a = node("A").start();
        soon().until(() -> a.holds("orders") && isReady(a));
        Node b = node("B").start();
        soon().until(() -> detail(b, "holder").toString().startsWith("A#"));
        assertThat(isReady(b) && isAlive(b)).isTrue();
        assertThat(detail(b, "role")).isEqualTo("standby");

        a.leases.handOver(cluster.lease("orders"));
        soon().until(() -> b.holds("orders") && isReady(b));
        assertThat(detail(b, "role")).isEqualTo("holder");
        assertThat((Long) detail(b, "token")).isPositive();
        assertThat((Long) detail(b, "remainingMillis")).isPositive();
        soon().until(() -> detail(a, "role").equals("standby"));
        assertThat(isReady(a) && isAlive(a)).isTrue();
    }

    @Test
    void c108_theChecksOfCamelSeeARouteThatRunsUnderALease() throws Exception {
        Node a = node("A").start();
        soon().until(() ->
                "Started".equals(result(a, "route:orders").getDetails().get("route.status")) && isReady(a));

        assertThat(result(a, "consumer:orders").getDetails())
                .as("the consumer's own check was asked")
                .containsKey(HealthCheck.ENDPOINT_URI);
        a.context.getRouteController().stopRoute("orders");
        soon().until(() -> isReady(a));
    }

    @Test
    void c108_aHolderIsDownFromTheSuspensionOnUntilItHasLostTheLeaseForGood() throws Exception {
        Node a = node("A").withLongHold().start();
        soon().until(() -> a.holds("orders") && isReady(a));

        a.holdBack();
        HealthCheck.Result held = result(a, "lease");
        assertThat(held.getState()).isEqualTo(HealthCheck.State.DOWN);
        assertThat(held.getMessage()).get().asString().contains("could not renew it in time");
        assertThat(isAlive(a)).isTrue();

        soon().until(() -> !a.events(LeaseEvent.Lost.class).isEmpty() && isReady(a));
        assertThat(detail(a, "role")).isEqualTo("standby");
        assertThat(detail(a, "lastError")).asString().isNotEmpty();
        assertThat(isAlive(a)).isTrue();
    }

    @Test
    void c108_aNodeThatNeverReachedItsStoreIsReadyAndSaysSo() throws Exception {
        Node a = node("A");
        a.store.standing(Fault.lostRequest());
        a.start();

        soon().until(() -> detail(a, "lastError") != null);
        assertThat(isReady(a) && isAlive(a)).isTrue();
    }

    @Test
    void c108_aHolderWhoseConsumerCannotBeStartedIsDownAndSaysWhy() throws Exception {
        Node a = cluster.node("A");
        Probe probe = Probe.in(a);
        probe.onStart = () -> {
            throw new IllegalStateException("no such share");
        };
        a.routes(builder -> builder.from("probe:x")
                .routeId("orders")
                .routePolicyRef("lease")
                .log("done"));
        a.start();

        soon().until(() -> result(a, "lease").getMessage().orElse("").contains("no such share"));
        assertThat(result(a, "lease").getState()).isEqualTo(HealthCheck.State.DOWN);
        assertThat(result(a, "lease").getMessage()).get().asString().contains("route 'orders' does not run");
        assertThat(isAlive(a)).isTrue();
        probe.onStart = () -> {};
        soon().until(() -> isReady(a) && a.holds("orders"));
    }

    @Test
    void whatWentWrongWithARouteIsForgottenWithTheRoute() throws Exception {
        Node a = cluster.node("A").ttl(Duration.ofSeconds(5));
        LeaseRoutePolicy policy = new LeaseRoutePolicy();
        policy.setLeaseName(cluster.lease("shared").value());
        Probe.in(a).onStart = () -> {
            throw new IllegalStateException("no such share");
        };
        a.routes(builder -> {
            builder.from("probe:x").routeId("bad").routePolicy(policy).log("done");
            builder.from("seda:x").routeId("good").routePolicy(policy).log("done");
        });
        a.start();
        soon().until(() -> a.leases.statuses().get(0).lastError().isPresent());

        a.context.getRouteController().stopRoute("bad");
        assertThat(a.context.removeRoute("bad")).isTrue();

        soon().until(() -> a.leases.statuses().get(0).lastError().isEmpty());
    }

    /** Which one is which must not change from node to node: alerts name them. */
    @Test
    void ofSeveralLeaseServicesEachKeepsItsName() throws Exception {
        Node a = cluster.node("A");
        HealthCheckRegistry.get(a.context).setExposureLevel("full");
        List<LeaseService> services = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            services.add(extraService(a, "extra" + i));
        }
        a.start();
        soon().until(() -> services.stream().allMatch(any -> !any.statuses().isEmpty()));
        // one that is about to start when it is stopped starts all the same, and is stopped again
        soon().until(() -> a.status("extra0").isStarted());

        a.context.getRouteController().stopRoute("extra0");
        assertThat(a.context.removeRoute("extra0")).isTrue();
        for (int i = 1; i < 6; i++) {
            assertThat(result(a, "lease-" + (i + 1)).getDetails())
                    .containsKey(services.get(i).statuses().get(0).name() + ".role");
        }
    }

    private LeaseService extraService(Node node, String id) throws Exception {
        LeaseService service = new LeaseService();
        service.setNode(id);
        service.setApplication(cluster.lease(id).value());
        service.setClient(cluster.store);
        LeaseRoutePolicy policy = new LeaseRoutePolicy();
        policy.setLeaseService(service);
        node.routes(builder ->
                builder.from("seda:" + id).routeId(id).routePolicy(policy).log("done"));
        return service;
    }

    @Test
    void aConsumerThatIsStoppedBehindTheLeaseIsSeen() throws Exception {
        // so long that no late renewal has the route looked at, which would start it again
        Node a = node("A").ttl(Duration.ofSeconds(30)).start();
        soon().until(() -> a.holds("orders") && isReady(a));

        soon().until(() -> {
            // again: the route may have been looked at, and started, once more after its start
            ServiceHelper.stopService(a.consumer("orders"));
            return result(a, "lease").getState() == HealthCheck.State.DOWN;
        });
    }

    @Test
    void goesAwayWithTheLastRouteAndCanBeSwitchedOff() throws Exception {
        Node a = node("A").start();
        soon().until(() -> a.holds("orders") && isReady(a));
        assertThat(HealthCheckRegistry.get(a.context).getCheckIDs()).contains("lease", "lease-timer");

        HealthCheckHelper.getHealthCheckRepository(a.context, "lease").setEnabled(false);
        assertThat(HealthCheckRegistry.get(a.context).getCheckIDs()).doesNotContain("lease", "lease-timer");
        HealthCheckHelper.getHealthCheckRepository(a.context, "lease").setEnabled(true);

        a.context.getRouteController().stopRoute("orders");
        a.context.removeRoute("orders");
        assertThat(HealthCheckRegistry.get(a.context).getCheckIDs()).doesNotContain("lease", "lease-timer");
    }
}
