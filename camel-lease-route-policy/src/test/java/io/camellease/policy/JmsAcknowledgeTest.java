/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.inAnotherProcess;
import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The table of acknowledge modes in docs/sources.md: what each of them costs at a hold, a loss and a kill. */
@CaseTest
class JmsAcknowledgeTest {

    private static final Logger LOG = LoggerFactory.getLogger(JmsAcknowledgeTest.class);
    private static final int HOLDS = 2;
    private static final int LOSSES = 4;
    private static final int SENT = 10_000;

    /**
     * How an endpoint acknowledges, and the most that it may cost.
     *
     * <p>Measured with one consumer, whose work takes 2 ms, so that there is nearly always a message in hand.
     */
    enum Mode {
        LOCAL_TRANSACTION("transacted=true&lazyCreateTransactionManager=false", 0, 2, 0, 1),
        TRANSACTION_MANAGER("transacted=true", 0, 2, 0, 1),
        CLIENT("acknowledgementModeName=CLIENT_ACKNOWLEDGE", 0, 4, 0, 2),
        AUTO("acknowledgementModeName=AUTO_ACKNOWLEDGE", 1, 0, 1, 0),
        DUPS_OK("acknowledgementModeName=DUPS_OK_ACKNOWLEDGE", 1, 0, 0, Integer.MAX_VALUE);

        final String options;
        final int lostPerEnd;
        final int redeliveredPerEnd;
        final int lostAtAKill;
        final int doubledAtAKill;

        Mode(String options, int lostPerEnd, int redeliveredPerEnd, int lostAtAKill, int doubledAtAKill) {
            this.options = options;
            this.lostPerEnd = lostPerEnd;
            this.redeliveredPerEnd = redeliveredPerEnd;
            this.lostAtAKill = lostAtAKill;
            this.doubledAtAKill = doubledAtAKill;
        }
    }

    @TempDir
    static Path directory;

    private static Broker broker;

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");
    private final String queue = lease.value().replace('/', '.');
    private final AtomicInteger redelivered = new AtomicInteger();

    @TempDir
    Path home;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = Broker.start(directory);
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    private Node node(Mode mode) throws Exception {
        return broker.serve(cluster.node("A")).withLongHold().routes(routes -> routes.from(
                        "jms:" + queue + "?" + mode.options)
                .routeId("orders")
                .routePolicyRef("lease")
                .process(this::countRedelivery)
                .process(journal.work("A", Brake.taking(2))));
    }

    private void countRedelivery(Exchange exchange) {
        if (exchange.getIn().getHeader("JMSRedelivered", false, Boolean.class)) {
            redelivered.incrementAndGet();
        }
    }

    /** What became of the messages that are no longer in the queue. */
    private record Outcome(int lost, int doubled, boolean inOrder) {

        static Outcome of(List<String> begun, int taken) {
            int distinct = new HashSet<>(begun).size();
            List<String> sorted = begun.stream()
                    .sorted(Comparator.comparingInt(Outcome::number))
                    .toList();
            return new Outcome(taken - distinct, begun.size() - distinct, begun.equals(sorted));
        }

        private static int number(String message) {
            return Integer.parseInt(message.substring(1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void holdsAndLosses(Mode mode) throws Exception {
        broker.send(queue, 0, SENT);
        Node a = node(mode).start();
        for (int i = 1; i <= HOLDS; i++) {
            a.assertFlows("orders");
            a.holdBack();
            a.heal();
            int resumed = i;
            soon().until(() -> a.events(LeaseEvent.Resumed.class).size()
                            + a.events(LeaseEvent.Lost.class).size()
                    >= resumed);
        }
        for (int i = 0; i < LOSSES; i++) {
            a.assertFlows("orders");
            cluster.loseAndRegain(a, lease);
        }
        a.assertFlows("orders");
        a.close();

        soon().until(() -> broker.delivering(queue) == 0);
        Outcome outcome = Outcome.of(Journal.files(journal.begun()), SENT - (int) broker.messages(queue));
        LOG.info("{}: {} holds and losses, {}, {} redelivered", mode, HOLDS + LOSSES, outcome, redelivered);
        assertThat(outcome.lost()).isBetween(0, mode.lostPerEnd * (HOLDS + LOSSES));
        assertThat(outcome.doubled()).isZero();
        assertThat(outcome.inOrder()).isTrue();
        assertThat(redelivered).hasValueLessThanOrEqualTo(mode.redeliveredPerEnd * (HOLDS + LOSSES));
    }

    @ParameterizedTest
    @EnumSource
    void aKill(Mode mode) throws Exception {
        MongoServer server = new MongoServer(new MemoryBackend());
        String store = server.bindAndGetConnectionString() + "/leases";
        String source = "jms:" + queue + "?" + mode.options;
        broker.send(queue, 0, 8);
        try (SourceChild a = SourceChild.start("A", store, home, source, broker.url(), 1000)) {
            inAnotherProcess().until(() -> begunBy("A").size() >= 3);
        }
        List<String> before = begunBy("A");
        assertThat(ended()).hasSize(before.size() - 1);
        try (DefaultCamelContext b = SourceChild.context("B", store, home, source, broker.url(), "0")) {
            b.start();
            soon().until(() -> ended().contains("m7"));
        } finally {
            server.shutdownNow();
        }
        LOG.info("{}: killed after {} had begun, ended {}", mode, before, ended());
        Set<String> ended = new HashSet<>(ended());
        assertThat(8 - ended.size()).isBetween(0, mode.lostAtAKill);
        assertThat(begun().size() - new HashSet<>(begun()).size()).isBetween(0, mode.doubledAtAKill);
        assertThat(begunBy("B")).isSortedAccordingTo(Comparator.comparingInt(Outcome::number));
    }

    private List<String> lines(String node, String what) throws IOException {
        return SourceChild.journal(home).stream()
                .filter(line -> line.node().matches(node) && line.what().equals(what))
                .map(SourceChild.Line::file)
                .toList();
    }

    private List<String> begunBy(String node) throws IOException {
        return lines(node, "begin");
    }

    private List<String> begun() throws IOException {
        return lines(".*", "begin");
    }

    private List<String> ended() throws IOException {
        return lines(".*", "end");
    }
}
