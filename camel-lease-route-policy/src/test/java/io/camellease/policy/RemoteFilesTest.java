/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.policy.FileServer.Protocol;
import io.camellease.testkit.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** FTP and SFTP: who loses the lease, or is about to, logs out once the file in work is done. */
@CaseTest
class RemoteFilesTest {

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");

    @TempDir
    Path home;

    private FileServer server;

    @AfterEach
    void stopServer() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    private Path inbox() {
        return home.resolve("in");
    }

    private Node node(String label, String options, Runnable work) throws Exception {
        return cluster.node(label).routes(routes -> routes.from(server.uri(options))
                .routeId("orders")
                .routePolicyRef("lease")
                .process(journal.work(label, work)));
    }

    // ---- the end of a lease

    @ParameterizedTest
    @CsvSource({
        "FTP,delete=true",
        "FTP,delete=true&greedy=true&maxMessagesPerPoll=10",
        "FTP,move=.done&disconnect=true",
        "FTP,delete=true&maxMessagesPerPoll=10&eagerMaxMessagesPerPoll=false&sortBy=file:name",
        "FTP,delete=true&streamDownload=true&stepwise=false",
        "FTP,delete=true&recursive=true&stepwise=true&separator=UNIX",
        "SFTP,delete=true",
        "SFTP,move=.done&greedy=true",
        "SFTP,delete=true&streamDownload=true&stepwise=false&maxMessagesPerPoll=10"
    })
    void c94_aLossInTheMiddleOfAListEndsItAndTheOnlyLoginIsFree(Protocol protocol, String options) throws Exception {
        server = FileServer.start(protocol, home, 1);
        Feeder.drop(inbox(), 0, 60);
        Node a = node("A", options, Brake.taking(50)).start();
        soon().until(() -> journal.begun("A").size() >= 5);
        Node b = node("B", options + "&throwExceptionOnConnectFailed=true", Brake.taking(5))
                .start();
        LoginFailures failures = LoginFailures.of(b);

        cluster.steal(lease, Duration.ofMillis(1500));
        soon().until(() -> !a.events(LeaseEvent.Lost.class).isEmpty());
        long lostAt = System.nanoTime();
        a.store.standing(Fault.lostRequest());
        soon().until(() -> journal.ended().size() == 60);

        assertThat(journal.begun("A")).hasSizeLessThan(50).allSatisfy(entry -> assertThat(entry.checkedAt())
                .isLessThan(lostAt));
        assertThat(failures.count()).isZero();
        assertThat(a.refused.get() + b.refused.get()).isLessThanOrEqualTo(cluster.endings());
        journal.assertOneAfterTheOther("A", "B");
        journal.assertEachOnce(60);
        soon().until(() -> left().isEmpty());
    }

    private List<String> left() {
        return IntStream.range(0, 60)
                .mapToObj(i -> "f" + i)
                .filter(file -> inbox().resolve(file).toFile().exists())
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aHandOverFreesTheOnlyLoginBeforeTheLeaseIsReleased(Protocol protocol) throws Exception {
        server = FileServer.start(protocol, home, 1);
        Node a = node("A", "delete=true", () -> {}).start();
        Feeder.drop(inbox(), 0, 3);
        soon().until(() -> journal.ended("A").size() == 3);
        Node b = node("B", "delete=true&throwExceptionOnConnectFailed=true", () -> {})
                .start();
        LoginFailures failures = LoginFailures.of(b);

        a.elector("orders").giveAway();
        Feeder.drop(inbox(), 3, 6);
        soon().until(() -> journal.ended().size() == 6);

        soon().until(() -> b.holds(lease) && server.loggedIn() == 1);
        assertThat(failures.count()).isZero();
        journal.assertEachOnce(6);
    }

    @ParameterizedTest
    @EnumSource
    void aContextThatStopsFreesTheLoginWhileAnotherRouteStillWorks(Protocol protocol) throws Exception {
        server = FileServer.start(protocol, home, 1);
        Brake brake = new Brake();
        Node a = node("A", "delete=true", () -> {})
                .routes(routes -> routes.from("seda:slow-" + protocol).process(exchange -> brake.run()))
                .start();
        Feeder.drop(inbox(), 0, 3);
        soon().until(() -> journal.ended("A").size() == 3);
        a.context.createProducerTemplate().sendBody("seda:slow-" + protocol, "");
        soon().until(() -> brake.holding() == 1);
        Node b = node("B", "delete=true", () -> {}).start();

        try (Stopping stopping = Stopping.of(a)) {
            Feeder.drop(inbox(), 3, 6);
            soon().until(() -> journal.ended("B").size() == 3);
            assertThat(stopping.isDone()).isFalse();
            assertThat(b.holds(lease)).isTrue();
            brake.release();
        }
        assertThat(a.events(LeaseEvent.Lost.class)).isEmpty();
        journal.assertEachOnce(6);
    }

    @ParameterizedTest
    @CsvSource({
        "FTP,delete=true",
        "FTP,move=.done",
        "FTP,move=.done&disconnect=true",
        "FTP,delete=true&streamDownload=true&stepwise=false",
        "SFTP,delete=true",
        "SFTP,move=.done"
    })
    void c96_theFileInWorkAtALossIsDeletedOrMovedByWhoWorkedOnIt(Protocol protocol, String options) throws Exception {
        server = FileServer.start(protocol, home, 5);
        Brake brake = new Brake();
        Feeder.drop(inbox(), 0, 3);
        Node a = node("A", options, brake).start();
        soon().until(() -> brake.holding() == 1);
        Path inWork = inbox().resolve(journal.begun("A").get(0).file());

        cluster.steal(lease, Duration.ofSeconds(60));
        soon().until(() -> !a.events(LeaseEvent.Lost.class).isEmpty());
        stays(
                Duration.ofSeconds(2),
                () -> server.loggedIn() == 1 && inWork.toFile().exists());
        brake.release();

        soon().until(() -> !inWork.toFile().exists());
        soon().until(() -> server.loggedIn() == 0);
        assertThat(journal.ended("A")).hasSize(1);
        assertThat(inbox().resolve(".done")
                        .resolve(inWork.getFileName())
                        .toFile()
                        .exists())
                .isEqualTo(options.contains("move"));
    }

    // ---- a hold within a grant

    @ParameterizedTest
    @EnumSource
    void aHoldLogsOutAndComesBack(Protocol protocol) throws Exception {
        server = FileServer.start(protocol, home, 1);
        Node a = node("A", "delete=true", () -> {}).withVeryLongHold().start();
        Feeder.drop(inbox(), 0, 3);
        soon().until(() -> journal.ended("A").size() == 3);
        assertThat(server.loggedIn()).isEqualTo(1);

        a.holdBack();
        soon().until(() -> server.loggedIn() == 0);
        Feeder.drop(inbox(), 3, 6);
        a.assertSilent("orders");
        a.heal();
        soon().until(() -> journal.ended("A").size() == 6);

        assertThat(a.events(LeaseEvent.Granted.class)).hasSize(1);
        assertThat(Journal.tokens(journal.begun())).hasSize(1);
        journal.assertEachOnce(6);
    }

    @Test
    void aFileInWorkKeepsItsLoginDuringAHold() throws Exception {
        server = FileServer.start(Protocol.FTP, home, 1);
        Brake brake = new Brake();
        Feeder.drop(inbox(), 0, 3);
        Node a = node("A", "delete=true", brake).withVeryLongHold().start();
        soon().until(() -> brake.holding() == 1);

        a.holdBack();
        stays(Duration.ofSeconds(1), () -> server.loggedIn() == 1);
        a.heal();
        soon().until(() -> a.events(LeaseEvent.Resumed.class).size() == 1);
        brake.release();
        soon().until(() -> journal.ended("A").size() == 3);

        journal.assertEachOnce(3);
        soon().until(() -> left().isEmpty());
    }

    // ---- servers that do not answer

    @ParameterizedTest
    @ValueSource(strings = {"LIST", "RETR", "DELE"})
    void aServerThatHangsDoesNotKeepTheLeaseNorOtherRoutes(String command, @TempDir Path local) throws Exception {
        FileServer.Ftp ftp = (FileServer.Ftp) FileServer.start(Protocol.FTP, home, 10);
        server = ftp;
        try (Feeder feeder = Feeder.every(30, local)) {
            Node a = cluster.node("A").ttl(Duration.ofSeconds(1));
            a.leases.setDrainTimeout("2s");
            for (int i = 0; i < 5; i++) {
                String id = "hung" + i;
                String options = "delete=true&soTimeout=60000&timeout=60000&maxMessagesPerPoll=" + (100 + i);
                a.routes(routes -> routes.from(server.uri(options))
                        .routeId(id)
                        .routePolicyRef("lease")
                        .process(journal.note("A")));
            }
            a.files("local", local, () -> {}).start();
            soon().until(() ->
                    IntStream.range(0, 5).allMatch(i -> a.status("hung" + i).isStarted()));
            Brake brake = ftp.hangAt(command);
            Feeder.drop(inbox(), 0, 5);
            soon().until(() -> brake.holding() > 0);

            for (int i = 0; i < 5; i++) {
                cluster.lose(a, cluster.lease("hung" + i), Duration.ofSeconds(60));
            }
            cluster.loseAndRegain(a, cluster.lease("local"));
            a.assertFlows("local");
            a.context.getRouteController().stopRoute("local");
            a.context.getRouteController().startRoute("local");
            a.assertFlows("local");
            int begun = (int) journal.begun("A").stream()
                    .filter(entry -> entry.route().startsWith("hung"))
                    .count();
            stays(
                    Duration.ofSeconds(3),
                    () -> journal.begun("A").stream()
                                    .filter(entry -> entry.route().startsWith("hung"))
                                    .count()
                            == begun);
            // after the drain timeout, when the routes are stopped by force
            a.context.getRouteController().stopRoute("local");
            a.context.getRouteController().startRoute("local");
            a.assertFlows("local");

            ftp.heal();
            cluster.store.expire(cluster.lease("hung0"));
            Feeder.drop(inbox(), 5, 10);
            soon().until(() -> journal.begun("A").stream()
                    .anyMatch(entry -> entry.route().equals("hung0") && entry.checkedAt() > 0));
        }
    }
}
