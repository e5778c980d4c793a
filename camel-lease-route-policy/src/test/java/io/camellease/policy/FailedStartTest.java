/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.policy.FileServer.Protocol;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.camel.impl.engine.LimitedPollingConsumerPollStrategy;
import org.apache.camel.support.service.ServiceHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A holder whose consumer does not start, or whose polls fail, tries again, and then lets another node try. */
@CaseTest
class FailedStartTest {

    private static final Duration TTL = Duration.ofMillis(1500);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");
    private final AtomicBoolean broken = new AtomicBoolean(true);

    @TempDir
    Path directory;

    private Node node(String label) throws Exception {
        return cluster.node(label).ttl(TTL).routes(routes -> routes.from("probe:in")
                .routeId("orders")
                .routePolicyRef("lease")
                .process(journal.note(label)));
    }

    private Probe brokenProbe(Node node) {
        Probe probe = Probe.in(node);
        probe.onStart = () -> {
            if (broken.get()) {
                throw new IllegalStateException("the port is taken");
            }
        };
        return probe;
    }

    private static void feed(Probe probe, int messages) {
        for (int i = 0; i < messages; i++) {
            probe.messages.add("m" + i);
        }
    }

    @Test
    void aStartThatFailsAtFirstIsTriedAgainUnderTheSameGrant() throws Exception {
        Node a = node("A");
        Probe probe = brokenProbe(a);
        feed(probe, 5);
        a.start();
        soon().until(() -> probe.starts.get() == 2);
        broken.set(false);

        soon().until(() -> journal.ended("A").size() == 5);
        // the second start may see that all is well already
        assertThat(probe.starts.get()).isBetween(2, 4);
        assertThat(a.events(LeaseEvent.Granted.class)).hasSize(1);
        assertThat(a.events(LeaseEvent.Draining.class)).isEmpty();
    }

    @Test
    void c51_aHolderThatCannotStartGivesTheLeaseAwayAndDoesNotGrabItBack() throws Exception {
        Node a = node("A");
        Probe probeOfA = brokenProbe(a);
        Node b = node("B");
        Probe probeOfB = Probe.in(b);
        feed(probeOfA, 5);
        feed(probeOfB, 5);
        try (LogLines log = LogLines.open()) {
            a.start();
            soon().until(() -> a.holds(lease));
            b.start();

            soon().until(() -> journal.ended("B").size() == 5);
            assertThat(log.of(Level.ERROR, "'orders'", lease, "given away")).hasSize(1);
        }
        assertThat(a.events(LeaseEvent.Released.class)).hasSize(1);
        assertThat(a.events(LeaseEvent.Granted.class)).hasSize(1);
        assertThat(journal.begun("A")).isEmpty();

        broken.set(false);
        b.close();
        soon().until(() -> journal.ended("A").size() == 5);
        journal.assertOneAfterTheOther("B", "A");
    }

    @Test
    void c51_aHolderWhosePortIsTakenGivesTheLeaseAwayAndAnotherNodeWorks() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            Node a = node("A");
            Probe probeOfA = Probe.in(a);
            probeOfA.onStart = () -> bind(taken.getLocalPort());
            feed(probeOfA, 5);
            Node b = node("B");
            feed(Probe.in(b), 5);
            a.start();
            soon().until(() -> a.holds(lease));
            b.start();

            soon().until(() -> journal.ended("B").size() == 5);
            assertThat(probeOfA.starts.get()).isEqualTo(5);
            assertThat(journal.begun("A")).isEmpty();
        }
    }

    private static void bind(int port) {
        try (ServerSocket bound = new ServerSocket(port)) {
            assertThat(bound.getLocalPort()).isEqualTo(port);
        } catch (IOException taken) {
            throw new UncheckedIOException(taken);
        }
    }

    @Test
    void c51_aHolderWhoseDirectoryIsNotThereGivesTheLeaseAwayAndAnotherNodeWorks() throws Exception {
        Path there = Files.createDirectories(directory.resolve("mounted"));
        Path missing = directory.resolve("not mounted");
        String options = "directoryMustExist=true&autoCreate=false&delete=true";
        // so long that a busy machine does not lose it before it is given away
        Duration ttl = TTL.multipliedBy(3);
        try (LogLines log = LogLines.open()) {
            Node a = cluster.node("A").ttl(ttl).files("orders", missing, options, () -> {});
            a.start();
            soon().until(() -> a.holds(lease));
            Node b = cluster.node("B").ttl(ttl).files("orders", there, options, () -> {});
            b.start();
            Feeder.drop(there, 0, 5);

            soon().until(() -> journal.ended("B").size() == 5);
            assertThat(log.of(Level.ERROR, "'orders'", lease, "failed to poll")).hasSize(1);
            soon().until(() -> a.events(LeaseEvent.Released.class).size() == 1);
            assertThat(b.holds(lease)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void c51_aHolderThatIsSuspendedForItsFailedPollsGivesTheLeaseAwayAndAnotherNodeWorks(int limit) throws Exception {
        Path there = Files.createDirectories(directory.resolve("mounted"));
        Path missing = directory.resolve("not mounted");
        String options = "directoryMustExist=true&autoCreate=false&delete=true";
        LimitedPollingConsumerPollStrategy limited = new LimitedPollingConsumerPollStrategy();
        limited.setLimit(limit);
        Node a = cluster.node("A").ttl(TTL);
        a.context.getRegistry().bind("limited", limited);
        a.files("orders", missing, options + "&pollStrategy=#limited", () -> {});
        a.start();
        soon().until(() -> a.holds(lease) && ServiceHelper.isSuspended(a.consumer("orders")));
        Node b = cluster.node("B").ttl(TTL).files("orders", there, options, () -> {});
        b.start();
        Feeder.drop(there, 0, 5);
        soon().until(() -> journal.ended("B").size() == 5);

        Files.createDirectories(missing);
        Feeder.drop(missing, 5, 10);
        b.close();
        soon().until(() -> journal.ended("A").size() == 5);
        journal.assertOneAfterTheOther("B", "A");
    }

    @Test
    void aRouteThatAnOperatorSuspendsAfterAFailedPollKeepsTheLease() throws Exception {
        Path missing = directory.resolve("not mounted");
        Node a = cluster.node("A")
                .ttl(TTL)
                .files("orders", missing, "directoryMustExist=true&autoCreate=false&delete=true", () -> {});
        a.start();
        soon().until(() -> a.holds(lease) && a.status("orders").isStarted());
        a.context.getRouteController().suspendRoute("orders");

        Waiting.stays(TTL.multipliedBy(2), () -> a.holds(lease));
        assertThat(a.events(LeaseEvent.Draining.class)).isEmpty();
    }

    @Test
    void c51_aHolderWhoseDirectoryCannotBeReadGivesTheLeaseAwayAndAnotherNodeWorks() throws Exception {
        Path there = Files.createDirectories(directory.resolve("there"));
        Path unreadable = Files.writeString(directory.resolve("unreadable"), "no directory, whoever asks");
        try (LogLines log = LogLines.open()) {
            Node a = cluster.node("A").ttl(TTL).files("orders", unreadable, () -> {});
            a.start();
            soon().until(() -> a.holds(lease));
            Node b = cluster.node("B").ttl(TTL).files("orders", there, () -> {});
            b.start();
            Feeder.drop(there, 0, 5);

            soon().until(() -> journal.ended("B").size() == 5);
            assertThat(log.of(Level.ERROR, "'orders'", lease, "failed to poll")).hasSize(1);
            assertThat(a.leases.statuses()).anySatisfy(status -> assertThat(status.lastError())
                    .hasValueSatisfying(error -> assertThat(error).contains(unreadable.toString(), "cannot be read")));
            assertThat(b.holds(lease)).isTrue();
        }
    }

    @Test
    void aDirectoryThatNeedNotBeThereIsNoReasonToGiveTheLeaseAway() throws Exception {
        Path later = directory.resolve("later");
        Node a = cluster.node("A").ttl(TTL).files("orders", later, "autoCreate=false&delete=true", () -> {});
        a.start();
        soon().until(() -> a.holds(lease) && a.status("orders").isStarted());
        Waiting.outlast(TTL.multipliedBy(2));
        Files.createDirectories(later);
        Feeder.drop(later, 0, 1);

        soon().until(() -> journal.ended("A").size() == 1);
        assertThat(a.events(LeaseEvent.Draining.class)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"FTP,password=wrong", "SFTP,password=wrong", "FTP,autoCreate=false", "SFTP,autoCreate=false"})
    void c51_aHolderThatCannotLogInGivesTheLeaseAwayAndAnotherNodeWorks(Protocol protocol, String option)
            throws Exception {
        try (FileServer server = FileServer.start(protocol, directory, 5);
                LogLines log = LogLines.open()) {
            String uri = server.uri("delete=true");
            String refused = option.startsWith("password")
                    ? uri.replace("password=secret", option)
                    : server.uri(FreePort.any(), "delete=true&" + option);
            Node a = remoteFiles("A", refused).start();
            soon().until(() -> a.holds(lease));
            Node b = remoteFiles("B", uri).start();
            Feeder.drop(directory.resolve("in"), 0, 5);

            soon().until(() -> journal.ended("B").size() == 5);
            assertThat(log.of(Level.ERROR, "'orders'", lease, "failed to poll")).hasSize(1);
            assertThat(a.events(LeaseEvent.Released.class)).hasSize(1);
            assertThat(b.holds(lease)).isTrue();
        }
    }

    private Node remoteFiles(String label, String uri) throws Exception {
        return cluster.node(label).ttl(TTL).routes(routes -> routes.from(uri)
                .routeId("orders")
                .routePolicyRef("lease")
                .process(journal.note(label)));
    }

    @Test
    void aPollThatFailsNowAndThenKeepsTheLease() throws Exception {
        Path directory = Files.createDirectories(this.directory.resolve("flaky"));
        Node a = cluster.node("A")
                .ttl(TTL)
                .files("orders", directory, "directoryMustExist=true&autoCreate=false&delete=true", () -> {});
        a.start();
        soon().until(() -> a.holds(lease));

        for (int i = 0; i < 6; i++) {
            Files.delete(directory);
            Waiting.outlast(TTL.dividedBy(3));
            Files.createDirectory(directory);
            Feeder.drop(directory, i, i + 1);
            int files = i + 1;
            soon().until(() ->
                    journal.ended("A").size() == files && directory.toFile().list().length == 0);
        }

        assertThat(Journal.tokens(journal.begun())).hasSize(1);
    }

    @Test
    void aPollThatFailsOnceIsForgivenHoweverSeldomTheRoutePolls() throws Exception {
        Path late = directory.resolve("late");
        String uri = "file:" + late + "?initialDelay=0&delay=6000&directoryMustExist=true&autoCreate=false&delete=true";
        Node a = cluster.node("A").ttl(TTL).routes(routes -> routes.from(uri)
                .routeId("orders")
                .routePolicyRef("lease")
                .process(journal.note("A")));
        try (LogLines log = LogLines.open()) {
            a.start();
            soon().until(() -> a.holds(lease) && a.status("orders").isStarted());
            Waiting.outlast(TTL.dividedBy(3));
            Files.createDirectories(late);
            Feeder.drop(late, 0, 1);

            soon().until(() -> journal.ended("A").size() == 1);
            assertThat(log.of(Level.ERROR, lease, "failed to poll")).isEmpty();
        }
        assertThat(a.events(LeaseEvent.Draining.class)).isEmpty();
    }

    @Test
    void aHolderWithoutAnotherNodeTriesForEver() throws Exception {
        Node a = node("A").ttl(Duration.ofSeconds(1));
        Probe probe = brokenProbe(a);
        feed(probe, 5);
        a.start();
        soon().until(() -> a.events(LeaseEvent.Granted.class).size() == 2);
        broken.set(false);

        soon().until(() -> journal.ended("A").size() == 5);
    }
}
