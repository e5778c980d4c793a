/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import io.camellease.policy.FileServer.Protocol;
import io.camellease.testkit.InMemoryLeaseStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.camel.ServiceStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ways in which a route could stay silent, or run, though its lease and its operator want otherwise. */
@CaseTest
class ForgottenRoutesTest {

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"FTP,true,true", "FTP,false,true", "FTP,true,false", "SFTP,true,true", "SFTP,false,false"})
    void c48_aLoginThatWasLetGoComesBackAfterSuspendAndResume(Protocol protocol, boolean context, boolean healFirst)
            throws Exception {
        Path inbox = directory.resolve("in");
        try (FileServer server = FileServer.start(protocol, directory, 1)) {
            Node a = cluster.node("A").withVeryLongHold();
            a.routes(routes -> routes.from(server.uri("delete=true"))
                            .routeId("orders")
                            .routePolicyRef("lease")
                            .process(journal.note("A")))
                    .start();
            Feeder.drop(inbox, 0, 3);
            soon().until(() -> journal.ended("A").size() == 3);
            a.holdBack();
            soon().until(() -> server.loggedIn() == 0);

            suspend(a, context);
            if (healFirst) {
                a.heal();
                soon().until(() -> a.holds("orders"));
            }
            resume(a, context);
            a.heal();
            Feeder.drop(inbox, 3, 6);

            soon().until(() -> journal.ended("A").size() == 6);
            journal.assertEachOnce(6);
            a.close();
        }
    }

    private static void suspend(Node node, boolean context) throws Exception {
        if (context) {
            node.context.suspend();
        } else {
            node.context.getRouteController().suspendRoute("orders");
        }
    }

    private static void resume(Node node, boolean context) throws Exception {
        if (context) {
            node.context.resume();
        } else {
            node.context.getRouteController().resumeRoute("orders");
        }
    }

    @Test
    void aRouteThatComesToALeaseThatIsHeldRunsAtOnce() throws Exception {
        Node a = cluster.node("A");
        LeaseRoutePolicy shared = new LeaseRoutePolicy("together");
        shared.setLeaseService(a.leases);
        a.routes(routes -> routes.from("timer:one?delay=0&period=30")
                        .routeId("one")
                        .routePolicy(shared)
                        .process(journal.note("A")))
                .start();
        a.assertFlows("one");

        a.routes(routes -> routes.from("timer:two?delay=0&period=30")
                .routeId("two")
                .routePolicy(shared)
                .process(journal.note("A")));
        a.assertFlows("two");
        a.context.getRouteController().stopRoute("two");
        a.context.removeRoute("two");
        a.routes(routes -> routes.from("timer:again?delay=0&period=30")
                .routeId("two")
                .routePolicy(shared)
                .process(journal.note("A")));

        a.assertFlows("two");
        assertThat(a.events(LeaseEvent.Granted.class)).hasSize(1);
    }

    @Test
    void aGroupThatIsNotCompleteKeepsNoNodeFromItsLease() throws Exception {
        Node a = cluster.node("A");
        a.routes(routes -> routes.from("file:" + directory + "?initialDelay=0&delay=20&delete=true")
                .routeId("orders")
                .routePolicyRef("lease")
                .process(journal.note("A"))
                .aggregate(routes.constant(true), (first, next) -> first == null ? next : first)
                .completionSize(100)
                .completeAllOnStop()
                .to("log:group?level=OFF"));
        a.start();
        Feeder.drop(directory, 0, 3);
        soon().until(() -> journal.ended("A").size() == 3);

        cluster.lose(a, cluster.lease("orders"), Duration.ofMillis(100));
        Feeder.drop(directory, 3, 6);

        soon().until(() -> journal.ended("A").size() == 6);
    }

    @Test
    void aStartThatHangsIsGivenAwayAndSoIsWhatWaitsForIt() throws Exception {
        Path other = Files.createDirectory(directory.resolve("other"));
        Brake hang = new Brake();
        Node a = cluster.node("A").ttl(Duration.ofSeconds(1));
        Probe.in(a).onStart = hang;
        cluster.steal(cluster.lease("orders"), Duration.ofSeconds(2));
        a.routes(routes -> routes.from("probe:in")
                .routeId("hanging")
                .routePolicyRef("lease")
                .process(journal.note("A")));
        a.files("orders", other, () -> {}).start();
        soon().until(() -> hang.holding() == 1);
        soon().until(() -> a.holds("orders"));

        Node b = cluster.node("B").ttl(Duration.ofSeconds(1)).files("orders", other, () -> {});
        Probe.in(b).messages.add("m");
        b.routes(routes -> routes.from("probe:in")
                        .routeId("hanging")
                        .routePolicyRef("lease")
                        .process(journal.note("B")))
                .start();
        Feeder.drop(other, 0, 3);

        soon().until(() -> journal.ended("B", "orders").size() == 3
                && journal.ended("B", "hanging").size() == 1);
        hang.release();
    }

    @Test
    void c46_whatAnOperatorStopsWhileTheContextIsSuspendedStaysStopped() throws Exception {
        Node a = cluster.node("A").files("orders", directory, () -> {});
        try (Feeder feeder = Feeder.every(30, directory)) {
            a.start();
            a.assertFlows("orders");
            a.context.suspend();
            a.assertSilent("orders");
            a.context.getRouteController().stopRoute("orders");
            a.context.resume();

            soon().until(() -> !a.holds("orders"));
            a.assertSilent("orders");
            assertThat(a.status("orders")).isEqualTo(ServiceStatus.Stopped);
            a.context.getRouteController().startRoute("orders");
            a.assertFlows("orders");
            assertThat(feeder.stop()).isPositive();
        }
    }

    @Test
    void aCheckKnowsTheLeasesOfAllServicesOfItsContext() throws Exception {
        Node a = cluster.node("A");
        LeaseService second = new LeaseService();
        second.setClient(new InMemoryLeaseStore());
        second.setApplication("second");
        Queue<Boolean> answers = new ConcurrentLinkedQueue<>();
        for (LeaseService service : new LeaseService[] {a.leases, second}) {
            LeaseRoutePolicy policy = new LeaseRoutePolicy();
            policy.setLeaseService(service);
            String id = service == second ? "two" : "one";
            a.routes(routes -> routes.from("timer:" + id + "?delay=0&period=30")
                    .routeId(id)
                    .routePolicy(policy)
                    .process(exchange -> answers.add(new LeaseCheck().matches(exchange)))
                    .process(journal.note("A")));
        }
        a.start();

        a.assertFlows("one");
        a.assertFlows("two");
        assertThat(answers).doesNotContain(false);
    }

    @Test
    void aRouteThatIsCalledFromAnUnleasedQueueBeginsUnderItsOwnLease() throws Exception {
        Node a = cluster.node("A");
        Brake brake = new Brake();
        String queue = "seda:" + cluster.lease("queue").value().replace('/', '-') + "?waitForTaskToComplete=Never";
        String end = "direct:" + cluster.lease("end").value().replace('/', '-');
        a.routes(routes -> {
            routes.from("file:" + directory + "?initialDelay=0&delay=20&delete=true")
                    .routeId("orders")
                    .routePolicyRef("lease")
                    .to(queue);
            routes.from(queue)
                    .routeId("between")
                    .process(exchange -> brake.run())
                    .to(end);
            routes.from(end).routeId("end").routePolicyRef("lease").process(journal.note("A"));
        });
        a.start();
        Feeder.drop(directory, 0, 1);
        soon().until(() -> brake.holding() == 1 && a.holds("end"));

        cluster.steal(cluster.lease("orders"), Duration.ofSeconds(30));
        cluster.steal(cluster.lease("end"), Duration.ofSeconds(30));
        soon().until(() -> a.events(LeaseEvent.Lost.class).size() == 2);
        brake.release();

        soon().until(() -> a.refused.get() == 1);
        stays(Duration.ofMillis(300), () -> journal.begun().isEmpty());
    }
}
