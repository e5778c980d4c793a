/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.inAnotherProcess;
import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.testkit.Fault;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.Route;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.RoutePolicySupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of read locks in docs/sources.md: what each of them leaves behind at a loss and at a kill. */
@CaseTest
class ReadLockTest {

    private static final String FAST = "&readLockCheckInterval=50&readLockTimeout=2000&readLockMinLength=0";

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");

    @TempDir
    Path home;

    private MongoServer server;
    private String store;

    @BeforeEach
    void startStore() {
        server = new MongoServer(new MemoryBackend());
        store = server.bindAndGetConnectionString() + "/leases";
    }

    @AfterEach
    void stopStore() {
        server.shutdownNow();
    }

    private Path inbox() {
        return SourceChild.inbox(home);
    }

    private String uri(String options) {
        return "file:" + inbox() + "?initialDelay=0&delay=20&" + options;
    }

    private Node node(String label, String options, Runnable work) throws Exception {
        Node node = cluster.node(label).ttl(Duration.ofSeconds(1));
        node.context.getRegistry().bind("keys", SourceChild.keys(home));
        return node.routes(routes -> routes.from(uri(options))
                .routeId("orders")
                .routePolicyRef("lease")
                .process(journal.work(label, work)));
    }

    // ---- a loss

    @ParameterizedTest
    @CsvSource({
        "delete=true&readLock=none,0",
        "delete=true&readLock=markerFile,0",
        "delete=true&readLock=changed" + FAST + ",0",
        "delete=true&readLock=rename" + FAST + ",0",
        "delete=true&readLock=fileLock" + FAST + ",0",
        "delete=true&readLock=idempotent&idempotentRepository=#keys,20",
        "delete=true&readLock=idempotent&idempotentRepository=#keys&readLockRemoveOnCommit=true,0",
        "delete=true&readLock=idempotent-changed&idempotentRepository=#keys&readLockRemoveOnCommit=true" + FAST + ",0",
        "noop=true&idempotentRepository=#keys,20",
        "delete=true&idempotent=true&idempotentRepository=#keys,20",
        "delete=true&idempotent=true&idempotentEager=true&idempotentRepository=#keys,20",
        "delete=true&preMove=work,0",
        "delete=true&preMove=work&readLock=idempotent&idempotentRepository=#keys&readLockRemoveOnCommit=true,0"
    })
    void c97_aLossDuringAFileLeavesEachFileDoneOnceAndTheKeysRight(String options, int keys) throws Exception {
        Brake brake = new Brake();
        Feeder.drop(inbox(), 0, 20);
        Node a = node("A", options, brake).start();
        soon().until(() -> brake.holding() == 1);
        String inWork = journal.begun("A").get(0).file();
        // the other node would find the file in work, which only its source can forbid: so it comes when that has ended
        Node b = node("B", options, () -> {});

        cluster.steal(lease, Duration.ofSeconds(60));
        soon().until(() -> !a.events(LeaseEvent.Lost.class).isEmpty());
        a.store.standing(Fault.lostRequest());
        brake.release();
        soon().until(() -> journal.ended("A").size() == 1);
        cluster.store.expire(lease);
        b.start();
        soon().until(() -> journal.ended().size() == 20);
        soon().until(() -> SourceChild.keys(home).keys().size() == keys);

        journal.assertEachOnce(20);
        assertThat(Journal.files(journal.begun("B"))).doesNotContain(inWork);
        if (keys == 0) {
            Feeder.write(inbox(), inWork);
            soon().until(() -> journal.ended("B").size() == 20);
        }
        if (!options.startsWith("noop")) {
            soon().until(() -> filesLeft().isEmpty());
        }
    }

    private List<String> filesLeft() {
        return Stream.of(inbox(), inbox().resolve("work"))
                .flatMap(directory -> Stream.ofNullable(directory.toFile().listFiles(File::isFile)))
                .flatMap(Arrays::stream)
                .map(File::getName)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "delete=true&readLock=idempotent&idempotentRepository=#keys&readLockRemoveOnCommit=true",
                "delete=true&idempotent=true&idempotentEager=true&idempotentRepository=#keys",
                "delete=true&readLock=markerFile",
                "delete=true&preMove=work&moveFailed=${file:parent}/../${file:onlyname}"
            })
    void c97_aLossBeforeAFileBeginsLeavesItToTheOtherNode(String options) throws Exception {
        Brake before = new Brake();
        Feeder.drop(inbox(), 0, 5);
        Node a = cluster.node("A").ttl(Duration.ofSeconds(1));
        a.context.getRegistry().bind("keys", SourceChild.keys(home));
        a.routes(routes -> routes.from(uri(options))
                .routeId("orders")
                .routePolicy(slow(before))
                .routePolicyRef("lease")
                .process(journal.note("A")));
        a.start();
        soon().until(() -> before.holding() == 1);
        Node b = node("B", options, () -> {});

        cluster.steal(lease, Duration.ofSeconds(60));
        soon().until(() -> !a.events(LeaseEvent.Lost.class).isEmpty());
        a.store.standing(Fault.lostRequest());
        before.release();
        soon().until(() -> a.refused.get() == 1);
        cluster.store.expire(lease);
        b.start();
        soon().until(() -> journal.ended("B").size() == 5);

        journal.assertEachOnce(5);
        assertThat(journal.begun("A")).isEmpty();
        soon().until(() -> filesLeft().isEmpty());
    }

    private static RoutePolicySupport slow(Brake brake) {
        return new RoutePolicySupport() {
            @Override
            public void onExchangeBegin(Route route, Exchange exchange) {
                brake.run();
            }
        };
    }

    // ---- a kill

    /** What becomes of the file in work. */
    enum Fate {
        /** Another node takes it. */
        DONE_AGAIN,
        /** No node takes it, until somebody removes its key. */
        LOCKED,
        /** No node takes it nor anything that was listed with it. */
        ALL_LOCKED,
        /** It is in the directory of preMove, where no node looks. */
        MOVED_AWAY
    }

    private List<String> lines(String what) throws IOException {
        return SourceChild.journal(home).stream()
                .filter(line -> line.what().equals(what))
                .map(SourceChild.Line::file)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "readLock=changed" + FAST + ",DONE_AGAIN",
        "idempotent=true&idempotentEager=false&idempotentRepository=#keys,DONE_AGAIN",
        "idempotent=true&idempotentRepository=#keys,ALL_LOCKED",
        "readLock=idempotent&idempotentEager=false&idempotentRepository=#keys,LOCKED",
        "preMove=work,MOVED_AWAY"
    })
    void c97_aKillInTheMiddleOfAFile(String options, Fate onCamel418) throws Exception {
        Fate fate = onThisCamel(onCamel418);
        String source = uri("delete=true&" + options);
        Feeder.drop(inbox(), 0, 3);
        try (SourceChild a = SourceChild.start("A", store, home, source, "", 1500)) {
            inAnotherProcess().until(() -> lines("begin").size() >= 2);
        }
        assertThat(lines("end")).hasSize(1);
        String inWork = lines("begin").get(1);
        try (DefaultCamelContext b = SourceChild.context("B", store, home, source, "", "0")) {
            b.start();
            LeaseService leases = b.hasService(LeaseService.class);
            soon().until(() -> leases.electors().get(0).lease().isPresent());
            int doneAtFirst =
                    switch (fate) {
                        case DONE_AGAIN -> 3;
                        case LOCKED, MOVED_AWAY -> 2;
                        case ALL_LOCKED -> 1;
                    };
            soon().until(() -> lines("end").size() == doneAtFirst);
            stays(Duration.ofMillis(500), () -> lines("end").size() == doneAtFirst);
            if (fate == Fate.LOCKED || fate == Fate.ALL_LOCKED) {
                SourceChild.keys(home).clear();
                soon().until(() -> lines("end").size() == 3);
            }
        }
        assertThat(lines("end")).doesNotHaveDuplicates();
        assertThat(lines("end").contains(inWork)).isEqualTo(fate != Fate.MOVED_AWAY);
        assertThat(inbox().resolve("work").resolve(inWork).toFile().exists()).isEqualTo(fate == Fate.MOVED_AWAY);
    }

    @Test
    void c99_theMarkerOfAKilledPeerIsRemovedAtTheNextGrant() throws Exception {
        String source = uri("delete=true&readLock=markerFile");
        try (DefaultCamelContext a = SourceChild.context("A", store, home, source, "", "0")) {
            a.start();
            Feeder.drop(inbox(), 0, 1);
            soon().until(() -> lines("end").size() == 1);
            LeaseElector elector = a.hasService(LeaseService.class).electors().get(0);
            try (SourceChild b = SourceChild.start("B", store, home, source, "", 5000)) {
                inAnotherProcess().until(() -> isWaiting("B"));
                elector.giveAway();
                soon().until(() -> elector.lease().isEmpty());
                Feeder.write(inbox(), "x.txt");
                inAnotherProcess().until(() -> lines("begin").contains("x.txt"));
            }
            assertThat(lines("end")).doesNotContain("x.txt");
            assertThat(inbox().resolve("x.txt.camelLock")).exists();
            Feeder.drop(inbox(), 2, 5);

            soon().until(() -> lines("end").containsAll(List.of("f2", "f3", "f4", "x.txt")));
            soon().until(() -> !Files.exists(inbox().resolve("x.txt.camelLock")));
        }
    }

    /** Camel 4.22 takes a file again of which a killed process left a key that was not eager; 4.18 does not. */
    private static Fate onThisCamel(Fate onCamel418) throws IOException {
        try (DefaultCamelContext any = new DefaultCamelContext()) {
            return onCamel418 == Fate.LOCKED && !any.getVersion().startsWith("4.18") ? Fate.DONE_AGAIN : onCamel418;
        }
    }

    private boolean isWaiting(String node) throws IOException {
        return Files.readString(home.resolve(node + ".log")).contains("waiting");
    }
}
