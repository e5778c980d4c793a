/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import java.time.Duration;
import java.util.List;
import org.apache.camel.spi.Resource;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A route that its author wanted on one node never runs unprotected because a name was misspelt or came too late. */
@CaseTest
class PolicyAttachmentTest {

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;

    private Node withReference(String reference) throws Exception {
        return cluster.node("A").ttl(Duration.ofSeconds(4)).routes(routes -> routes.from("timer:t?delay=0&period=20")
                .routeId("orders")
                .routePolicyRef(reference)
                .process(journal.note("A")));
    }

    private Node plain() throws Exception {
        return cluster.node("A").ttl(Duration.ofSeconds(4)).routes(routes -> routes.from("timer:t?delay=0&period=20")
                .routeId("orders")
                .process(journal.note("A")));
    }

    @Test
    void c57_aMisspeltReferenceRefusesTheStart() throws Exception {
        Node a = withReference("leese");

        assertThatThrownBy(a::start).hasStackTraceContaining("leese");
        assertThat(journal.begun()).isEmpty();
    }

    @Test
    void c57_aReferenceToSomethingElseRefusesTheStart() throws Exception {
        Node a = withReference("mine");
        a.context.getRegistry().bind("mine", "no policy at all");

        assertThatThrownBy(a::start).hasStackTraceContaining("mine");
        assertThat(journal.begun()).isEmpty();
    }

    @Test
    void c57_aReferenceToTheServiceInsteadOfThePolicyRefusesTheStart() throws Exception {
        Node a = withReference("leases");

        assertThatThrownBy(a::start).hasStackTraceContaining("leases");
        assertThat(journal.begun()).isEmpty();
    }

    @Test
    void c57_aMisspeltPropertyOfTheRouteRefusesTheStart() throws Exception {
        Node a = cluster.node("A").routes(routes -> routes.from("timer:t?delay=0&period=20")
                .routeId("orders")
                .routePolicyRef("lease")
                .routeProperty("lease.preferedNode", "A")
                .process(journal.note("A")));

        assertThatThrownBy(a::start)
                .hasStackTraceContaining("unknown property lease.preferedNode of route 'orders': the only one is"
                        + " lease.preferredNode");
        assertThat(journal.begun()).isEmpty();
    }

    @Test
    void c57_aMisspeltAttributeInYamlRefusesTheStart() throws Exception {
        Node a = cluster.node("A");
        Resource yaml = ResourceHelper.fromString("orders.yaml", """
                - route:
                    id: orders
                    routePolicyReff: lease
                    from:
                      uri: timer:t
                      steps:
                        - to: log:orders
                """);

        assertThatThrownBy(() -> PluginHelper.getRoutesLoader(a.context).loadRoutes(yaml))
                .hasStackTraceContaining("routePolicyReff");
    }

    @Test
    void c57_aFactoryThatIsAddedAfterTheRoutesRefusesTheStart() throws Exception {
        Node a = plain();
        a.context.init();
        a.context.addRoutePolicyFactory(new LeaseRoutePolicyFactory(List.of("orders")));

        assertThatThrownBy(a::start)
                .hasStackTraceContaining("no route matches orders")
                .hasStackTraceContaining("before the routes");
        assertThat(journal.begun()).isEmpty();
    }

    @Test
    void c57_aPolicyThatIsOnNoRouteIsReportedOnceAtTheStart() throws Exception {
        Node a = plain();
        String name = "forgotten by " + cluster.lease("orders");
        a.context.getRegistry().bind(name, new LeaseRoutePolicy());
        try (LogLines log = LogLines.open()) {
            a.start();

            assertThat(log.of(Level.WARN, "'" + name + "'", "is on no route")).hasSize(1);
        }
    }

    @Test
    void c57_ofTwoPoliciesInOneReferenceBothAreHonoured() throws Exception {
        CountingPolicy other = new CountingPolicy();
        Node a = withReference("other, lease");
        a.context.getRegistry().bind("other", other);
        a.start();
        a.assertFlows("orders");

        cluster.loseAndRegain(a, cluster.lease("orders"));
        a.assertFlows("orders");

        assertThat(other.started()).isEqualTo(2);
        assertThat(Journal.tokens(journal.begun())).hasSize(2).doesNotContain(0L);
    }

    @Test
    void aRouteThatItsServiceNeverHeardOfIsRefused() throws Exception {
        Node a = withReference("lease").start();
        a.assertFlows("orders");
        LeaseRoutePolicy policy = a.context.getRegistry().lookupByNameAndType("lease", LeaseRoutePolicy.class);

        a.leases.runtime().leasing().forget(a.context.getRoute("orders"), policy);

        a.assertSilent("orders");
        soon().until(() -> cluster.record(cluster.lease("orders")).released());
    }
}
