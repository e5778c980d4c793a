/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.builder.RouteConfigurationBuilder;
import org.apache.camel.builder.TemplatedRouteBuilder;
import org.apache.camel.component.kamelet.KameletComponent;
import org.apache.camel.support.ScheduledPollConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However a route came to be, with the policy on it it runs on one node. */
@CaseTest
class KindsOfRoutesTest {

    private static final Duration TTL = Duration.ofSeconds(3);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private Feeder feeder;

    @TempDir
    Path directory;

    @BeforeEach
    void feed() {
        feeder = Feeder.every(30, directory);
    }

    @AfterEach
    void stopFeeding() {
        feeder.close();
    }

    private String source() {
        return "file:" + directory + "?initialDelay=0&delay=20&delete=true";
    }

    private Node node(String label) {
        return cluster.node(label).ttl(TTL);
    }

    /** One node works, the other takes over when it stops, and takes no part before. */
    private void assertTakenOver(Node a, Node b, String routeId) {
        a.assertFlows(routeId);
        b.start();
        b.assertSilent(routeId);
        a.close();
        b.assertFlows(routeId);
        journal.assertOneAfterTheOther("A", "B");
        assertThat(journal.begun())
                .allSatisfy(entry -> assertThat(entry.token()).isPositive());
    }

    private Node templated(String label) throws Exception {
        Node node = node(label);
        node.context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                routeTemplate("poller")
                        .templateParameter("dir")
                        .templateParameter("policy", "lease")
                        .from("file:{{dir}}?initialDelay=0&delay=20&delete=true")
                        .routePolicyRef("{{policy}}")
                        .process(journal.note(label));
            }
        });
        TemplatedRouteBuilder.builder(node.context, "poller")
                .routeId("orders")
                .parameter("dir", directory)
                .add();
        return node;
    }

    @Test
    void aRouteOfATemplate() throws Exception {
        assertTakenOver(templated("A").start(), templated("B"), "orders");
    }

    @Test
    void aRouteOfATemplateThatIsAddedAtRunTime() throws Exception {
        Node a = templated("A").start();
        a.assertFlows("orders");
        Path other = directory.resolve("other");

        TemplatedRouteBuilder.builder(a.context, "poller")
                .routeId("second")
                .parameter("dir", other)
                .add();
        try (Feeder second = Feeder.every(30, other)) {
            a.assertFlows("second");
            cluster.lose(a, cluster.lease("second"), Duration.ofSeconds(3));
            a.assertSilent("second");
            a.assertFlows("orders");
            second.stop();
        }
    }

    private Node kamelet(String label, boolean addedLater) throws Exception {
        Node node = node(label);
        // for a file that is on its way into a route which is being stopped
        node.context.getComponent("kamelet", KameletComponent.class).setTimeout(1000);
        node.context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                routeTemplate("orders-source")
                        .templateParameter("dir")
                        .from("file:{{dir}}?initialDelay=0&delay=20&delete=true")
                        .to("kamelet:sink");
                routeTemplate("note-action")
                        .from("kamelet:source")
                        .process(exchange -> exchange.setVariable("noted", true));
            }
        });
        if (addedLater) {
            node.start();
        }
        return node.routes(routes -> routes.from("kamelet:orders-source/inner?dir=" + directory)
                .routeId("orders")
                .routePolicyRef("lease")
                .to("kamelet:note-action")
                .process(journal.note(label)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRouteThatConsumesFromAKameletAndWhatPollsInTheKamelet(boolean addedLater) throws Exception {
        Node a = kamelet("A", addedLater);
        if (!addedLater) {
            a.start();
        }
        soon().until(() -> !journal.begun("A").isEmpty());
        Node b = kamelet("B", addedLater);
        if (!addedLater) {
            b.start();
        }
        soon().until(() -> b.elector("orders").lastSeen().isPresent());
        soon().until(() -> b.status("inner").isStopped());
        stays(Duration.ofMillis(400), () -> journal.begun("B").isEmpty());
        a.close();
        soon().until(() -> journal.begun("B").size() > 3);

        int files = feeder.stop();
        soon().until(() -> journal.ended().size() == files);
        journal.assertEachOnce(files);
        assertThat(Journal.tokens(journal.begun())).hasSize(2).isSorted();
    }

    @Test
    void c46_aKameletWhoseRouteIsStoppedByHandPollsNoMore() throws Exception {
        Node a = kamelet("A", false).start();
        a.assertFlows("orders");
        Node b = kamelet("B", false).start();

        a.context.getRouteController().stopRoute("orders");
        b.assertFlows("orders");
        soon().until(() -> a.status("inner").isStopped());
        a.context.getRouteController().startRoute("orders");
        b.close();
        a.assertFlows("orders");
    }

    @Test
    void c44_aKameletWhoseRouteIsNotToStartByItself() throws Exception {
        Node a = kamelet("A", false);
        a.context.getRouteDefinition("orders").autoStartup(false);
        a.start();

        a.assertSilent("orders");
        assertThat(cluster.record(cluster.lease("orders")).token()).isZero();
        a.context.getRouteController().startRoute("orders");
        a.assertFlows("orders");
    }

    /** The lease, and how it is held back, are those of the policy on the route that consumes from the kamelet. */
    @Test
    void aKameletUnderTheSecondLeaseServiceOfItsContext() throws Exception {
        LeaseName own = cluster.lease("own");
        Node a = underSecondService("A", own).start();
        a.assertFlows("orders");
        Node b = underSecondService("B", own).start();

        soon().until(() -> b.status("inner").isStopped());
        b.assertSilent("orders");
        cluster.steal(own, Duration.ofSeconds(3));
        soon().until(() -> a.consumer("inner") instanceof ScheduledPollConsumer polls && polls.isStopped());
    }

    private Node underSecondService(String label, LeaseName own) throws Exception {
        LeaseService second = new LeaseService();
        second.setApplication(cluster.lease("second").value());
        second.setNode(label);
        second.setTtl(TTL);
        second.setClient(cluster.store);
        LeaseRoutePolicy policy = new LeaseRoutePolicy(own.value());
        policy.setLeaseService(second);
        policy.setHoldBy("stop");
        Node node = node(label);
        node.context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                routeTemplate("orders-source")
                        .templateParameter("dir")
                        .from("file:{{dir}}?initialDelay=0&delay=20&delete=true")
                        .to("kamelet:sink");
            }
        });
        return node.routes(routes -> {
            routes.from("timer:other").routeId("other").routePolicyRef("lease").to("mock:other");
            routes.from("kamelet:orders-source/inner?dir=" + directory)
                    .routeId("orders")
                    .routePolicy(policy)
                    .process(journal.note(label));
        });
    }

    private Node configured(String label) throws Exception {
        Node node = node(label);
        node.context.addRoutesConfigurations(new RouteConfigurationBuilder() {
            @Override
            public void configuration() {
                routeConfiguration()
                        .onException(IllegalStateException.class)
                        .handled(true)
                        .to("mock:handled");
                routeConfiguration().interceptFrom().setVariable("intercepted", constant(true));
            }
        });
        return node.routes(routes -> {
            routes.intercept().setVariable("seen", routes.constant(true));
            routes.from(source())
                    .routeId("orders")
                    .routePolicyRef("lease")
                    .process(journal.note(label))
                    .process(exchange -> {
                        throw new IllegalStateException("on purpose");
                    });
        });
    }

    @Test
    void aRouteWithARouteConfigurationAndInterceptors() throws Exception {
        Node a = configured("A").start();
        assertTakenOver(a, configured("B"), "orders");
    }

    private Node withPlaceholders(String label, String auto) throws Exception {
        Node node = node(label);
        Properties properties = new Properties();
        properties.putAll(Map.of("which", "lease", "auto", auto));
        node.context.getPropertiesComponent().setInitialProperties(properties);
        return node.routes(routes -> routes.from(source())
                .routeId("orders")
                .autoStartup("{{auto}}")
                .routePolicyRef("{{which}}")
                .process(journal.note(label)));
    }

    @Test
    void aPolicyAndAnAutoStartupThatAreNamedByProperties() throws Exception {
        assertTakenOver(withPlaceholders("A", "true").start(), withPlaceholders("B", "true"), "orders");
    }

    @Test
    void c44_anAutoStartupThatIsTurnedOffByAProperty() throws Exception {
        Node a = withPlaceholders("A", "false").start();

        a.assertSilent("orders");
        assertThat(cluster.record(cluster.lease("orders")).token()).isZero();
        a.context.getRouteController().startRoute("orders");
        a.assertFlows("orders");
    }

    private Node scheduled(String label) throws Exception {
        return node(label).routes(routes -> routes.from("scheduler:" + label + "?initialDelay=0&delay=20")
                .routeId("orders")
                .routePolicyRef("lease")
                .process(journal.note(label)));
    }

    @Test
    void aRouteThatASchedulerTriggers() throws Exception {
        assertTakenOver(scheduled("A").start(), scheduled("B"), "orders");
    }

    private Node stubborn(String label) throws Exception {
        Node node = node(label);
        node.context.addComponent("push", new Push());
        return node.routes(routes ->
                routes.from("push:in").routeId("orders").routePolicyRef("lease").process(journal.note(label)));
    }

    @Test
    void aConsumerThatCannotBeSuspended() throws Exception {
        Node a = stubborn("A").withLongHold().start();
        a.assertFlows("orders");

        a.assertHoldsBack("orders");
        a.store.heal();
        a.assertFlows("orders");
        cluster.lose(a, cluster.lease("orders"), Duration.ofSeconds(3));
        a.assertSilent("orders");
        a.assertFlows("orders");
        assertThat(Journal.tokens(journal.begun())).hasSize(2).isSorted().doesNotContain(0L);
    }
}
