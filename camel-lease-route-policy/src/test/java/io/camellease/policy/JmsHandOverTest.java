/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.testkit.Fault;
import io.camellease.testkit.TcpProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.apache.camel.Exchange;
import org.apache.camel.Route;
import org.apache.camel.support.RoutePolicySupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Message listeners keep a share of the queue while they are suspended, so that they are stopped, and go on as they were. */
@CaseTest
class JmsHandOverTest {

    private static final String LOCAL = "transacted=true&lazyCreateTransactionManager=false";
    private static final String BY_A_MANAGER = "transacted=true";
    private static final String AUTO = "acknowledgementModeName=AUTO_ACKNOWLEDGE";

    @TempDir
    static Path directory;

    private static Broker broker;

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");
    private final String queue = lease.value().replace('/', '.');

    /** How often the broker had delivered each message that was begun. */
    private final Map<String, Collection<Integer>> deliveries = new ConcurrentHashMap<>();

    @BeforeAll
    static void startBroker() throws Exception {
        broker = Broker.start(directory);
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    private Node node(String label, String options, Runnable work) throws Exception {
        Node node = broker.serve(cluster.node(label));
        return node.routes(routes -> routes.from("jms:" + queue + "?" + options)
                .routeId("orders")
                .routePolicyRef("lease")
                .process(this::noteDelivery)
                .process(journal.work(label, work)));
    }

    private void noteDelivery(Exchange exchange) {
        deliveries
                .computeIfAbsent(exchange.getIn().getBody(String.class), none -> new ConcurrentLinkedQueue<>())
                .add(exchange.getIn().getHeader("JMSXDeliveryCount", Integer.class));
    }

    private List<String> deliveredMoreThanOnce() {
        return deliveries.entrySet().stream()
                .filter(entry -> entry.getValue().stream().anyMatch(count -> count > 1))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static List<String> messages(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "m" + i).toList();
    }

    private void loseFor(Node node, Duration time) {
        // on a busy machine it may have been lost before
        cluster.lose(node, lease, time);
        node.store.standing(Fault.lostRequest());
    }

    // ---- the end of a lease

    @ParameterizedTest
    @CsvSource({LOCAL + ",1,1000", LOCAL + ",2,1000", BY_A_MANAGER + ",1,100", BY_A_MANAGER + ",2,100"})
    void c101_whatWasPrefetchedGoesToTheNextHolderInOrder(String mode, int consumers, int sent) throws Exception {
        broker.send(queue, 0, sent);
        Node a = node("A", mode + "&concurrentConsumers=" + consumers, Brake.taking(5))
                .ttl(Duration.ofSeconds(1))
                .start();
        soon().until(() -> journal.begun("A").size() > 20);
        node("B", mode, () -> {}).ttl(Duration.ofSeconds(1)).start();

        loseFor(a, Duration.ofMillis(1500));
        long lostAt = System.nanoTime();
        soon().until(() -> journal.ended().size() == sent && broker.messages(queue) == 0);

        assertThat(journal.begun("A"))
                .allSatisfy(entry -> assertThat(entry.checkedAt()).isLessThan(lostAt));
        journal.assertEachOnce(sent);
        int begunByA = journal.begun("A").size();
        assertThat(Journal.files(journal.begun("B"))).hasSize(sent - begunByA);
        if (!mode.equals(BY_A_MANAGER)) {
            assertThat(deliveredMoreThanOnce()).hasSizeLessThanOrEqualTo(consumers * cluster.endings());
        }
        assertThat(a.refused).hasValueLessThanOrEqualTo(consumers * cluster.endings());
        if (consumers == 1) {
            assertThat(Journal.files(journal.begun())).isEqualTo(messages(0, sent));
        } else {
            assertThat(Journal.files(journal.begun("B")))
                    .isSortedAccordingTo((one, other) ->
                            Integer.compare(Integer.parseInt(one.substring(1)), Integer.parseInt(other.substring(1))));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, BY_A_MANAGER, AUTO})
    void anExchangeThatOutlastsItsLeaseEndsWellAndIsNotDeliveredAgain(String mode) throws Exception {
        Brake brake = new Brake();
        broker.send(queue, 0, 1);
        Node a = node("A", mode, brake).ttl(Duration.ofSeconds(1)).start();
        soon().until(() -> brake.holding() == 1);
        Node b = node("B", mode, () -> {}).ttl(Duration.ofSeconds(1)).start();

        loseFor(a, Duration.ofMillis(10));
        broker.send(queue, 1, 20);
        soon().until(() -> b.holds(lease));
        // Spring cuts a listener off that has not ended two receive timeouts, 2 s, after it was told to stop
        stays(Duration.ofSeconds(3), () -> brake.holding() == 1);
        brake.release();
        soon().until(() -> journal.ended().size() == 20 && broker.messages(queue) == 0);

        journal.assertEachOnce(20);
        assertThat(deliveredMoreThanOnce()).doesNotContain("m0");
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, BY_A_MANAGER, AUTO})
    void aHandOverRefusesNothing(String mode) throws Exception {
        int sent = mode.equals(BY_A_MANAGER) ? 100 : 600;
        broker.send(queue, 0, sent);
        Node a = node("A", mode + "&acceptMessagesWhileStopping=true", Brake.taking(2))
                .start();
        soon().until(() -> journal.begun("A").size() > 20);
        Node b = node("B", mode, () -> {}).start();

        a.elector(lease).giveAway();
        soon().until(() -> journal.ended().size() == sent);

        assertThat(journal.begun("B")).isNotEmpty();
        assertThat(Journal.files(journal.begun())).isEqualTo(messages(0, sent));
        if (!mode.equals(BY_A_MANAGER)) {
            // a session for each message: one that arrives when its receive has just timed out counts as delivered
            assertThat(deliveredMoreThanOnce()).isEmpty();
        }
        assertThat(a.refused.get() + b.refused.get()).isZero();
        journal.assertOneAfterTheOther("A", "B");
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, BY_A_MANAGER, AUTO})
    void aContextThatStopsGivesTheQueueToTheNextWhileAnotherRouteStillWorks(String mode) throws Exception {
        Brake brake = new Brake();
        broker.send(queue, 0, 200);
        Node a = node("A", mode + "&acceptMessagesWhileStopping=true", Brake.taking(25))
                .routes(routes -> routes.from("seda:slow-" + queue).process(exchange -> brake.run()))
                .start();
        soon().until(() -> journal.begun("A").size() > 10);
        a.context.createProducerTemplate().sendBody("seda:slow-" + queue, "");
        soon().until(() -> brake.holding() == 1);
        node("B", mode, () -> {}).start();

        try (Stopping stopping = Stopping.of(a)) {
            soon().until(() -> journal.ended().size() == 200);
            assertThat(journal.ended("B")).isNotEmpty();
            assertThat(stopping.isDone()).isFalse();
            brake.release();
        }
        assertThat(Journal.files(journal.begun())).isEqualTo(messages(0, 200));
        assertThat(a.refused).hasValue(0);
        journal.assertOneAfterTheOther("A", "B");
    }

    // ---- a hold within a grant

    @ParameterizedTest
    @CsvSource({
        LOCAL + "&concurrentConsumers=5&maxConcurrentConsumers=10,5,10",
        LOCAL + ",1,1",
        AUTO + "&concurrentConsumers=3,3,3"
    })
    void aHoldStopsTheConsumersAndBringsThemBack(String options, int atLeast, int atMost) throws Exception {
        Node a = node("A", options, () -> {}).withVeryLongHold().start();
        broker.send(queue, 0, 10);
        soon().until(() -> journal.ended().size() == 10);
        soon().until(() -> broker.consumers(queue) >= atLeast);

        a.holdBack();
        soon().until(() -> broker.consumers(queue) == 0);
        broker.send(queue, 10, 20);
        a.assertSilent("orders");
        assertThat(broker.delivering(queue)).isZero();
        a.heal();
        soon().until(() -> a.events(LeaseEvent.Resumed.class).size() == 1);
        soon().until(() -> journal.ended().size() == 20 && broker.messages(queue) == 0);

        soon().until(() -> broker.consumers(queue) >= atLeast);
        assertThat(broker.consumers(queue)).isBetween(atLeast, atMost);
        assertThat(a.events(LeaseEvent.Granted.class)).hasSize(1);
        assertThat(Journal.tokens(journal.begun())).hasSize(1);
        assertThat(deliveredMoreThanOnce()).isEmpty();
        journal.assertEachOnce(20);
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, BY_A_MANAGER, AUTO, AUTO + "&consumerType=Simple"})
    void aMessageInHandWaitsForALeaseThatComesBack(String mode) throws Exception {
        Brake before = new Brake();
        Brake work = new Brake();
        Node a = nodeThatIsSlowBeforeTheGate("m1", mode + "&concurrentConsumers=2", before, work)
                .withVeryLongHold()
                .start();
        broker.send(queue, 0, 2);
        soon().until(() -> before.holding() == 1 && work.holding() == 1);

        a.holdBack();
        before.release();
        a.assertSilent("orders");
        a.heal();
        soon().until(() -> a.events(LeaseEvent.Resumed.class).size() == 1);
        work.release();
        broker.send(queue, 2, 5);
        soon().until(() -> journal.ended().size() == 5 && broker.messages(queue) == 0);

        journal.assertEachOnce(5);
        assertThat(deliveredMoreThanOnce()).doesNotContain("m0", "m1");
        assertThat(a.refused).hasValue(0);
        assertThat(a.events(LeaseEvent.Granted.class)).hasSize(1);
    }

    /** One message is held up between the broker and the lease's gate. */
    private Node nodeThatIsSlowBeforeTheGate(String message, String mode, Brake before, Runnable work)
            throws Exception {
        RoutePolicySupport slow = new RoutePolicySupport() {
            @Override
            public void onExchangeBegin(Route route, Exchange exchange) {
                if (exchange.getIn().getBody(String.class).equals(message)) {
                    before.run();
                }
            }
        };
        return broker.serveOneByOne(cluster.node("A")).routes(routes -> routes.from("jms:" + queue + "?" + mode)
                .routeId("orders")
                .routePolicy(slow)
                .routePolicyRef("lease")
                .process(this::noteDelivery)
                .process(journal.work("A", work)));
    }

    @ParameterizedTest
    @CsvSource({LOCAL + ",5", BY_A_MANAGER + ",5", AUTO + ",4"})
    void aMessageInHandIsRefusedWhenTheLeaseIsOver(String mode, int done) throws Exception {
        Brake before = new Brake();
        Node a = nodeThatIsSlowBeforeTheGate("m0", mode, before, () -> {})
                .withLongHold()
                .start();
        broker.send(queue, 0, 5);
        soon().until(() -> before.holding() == 1);

        cluster.lose(a, lease, Duration.ofMillis(10));
        before.release();
        soon().until(() -> journal.ended().size() == done && broker.messages(queue) == 0);

        // what an auto-acknowledged source has handed out cannot be given back
        assertThat(Journal.files(journal.begun())).isEqualTo(messages(5 - done, 5));
        assertThat(a.refused).hasValue(1);
        assertThat(deliveredMoreThanOnce()).isEqualTo(done == 5 ? List.of("m0") : List.of());
    }

    @Test
    void anExchangeInFlightKeepsItsSessionDuringAHold() throws Exception {
        Brake brake = new Brake();
        broker.send(queue, 0, 3);
        Node a = node("A", LOCAL, brake).withVeryLongHold().start();
        soon().until(() -> brake.holding() == 1);

        a.holdBack();
        stays(Duration.ofMillis(2500), () -> brake.holding() == 1);
        a.heal();
        soon().until(() -> a.events(LeaseEvent.Resumed.class).size() == 1);
        brake.release();
        soon().until(() -> journal.ended().size() == 3 && broker.messages(queue) == 0);

        journal.assertEachOnce(3);
        assertThat(deliveredMoreThanOnce()).isEmpty();
        assertThat(broker.consumers(queue)).isEqualTo(1);
    }

    // ---- a broker that does not answer

    @Test
    void aBrokerThatHangsKeepsNoOtherRouteFromBeingStoppedAndStarted(@TempDir Path inbox) throws Exception {
        try (TcpProxy proxy = broker.proxy();
                Feeder feeder = Feeder.every(30, inbox)) {
            Node a = broker.serve(cluster.node("A"), proxy).ttl(Duration.ofSeconds(1));
            for (int i = 0; i < 6; i++) {
                String id = "hung" + i;
                a.routes(routes -> routes.from("jms:" + queue + "." + id + "?" + LOCAL)
                        .routeId(id)
                        .routePolicyRef("lease")
                        .process(journal.note("A")));
            }
            a.files("orders", inbox, () -> {}).start();
            for (int i = 0; i < 6; i++) {
                broker.send(queue + ".hung" + i, 0, 1);
            }
            soon().until(() -> journal.ended("A").stream()
                            .filter(entry -> entry.route().startsWith("hung"))
                            .count()
                    == 6);

            proxy.freeze();
            for (int i = 0; i < 6; i++) {
                cluster.lose(a, cluster.lease("hung" + i), Duration.ofMillis(1));
            }
            cluster.loseAndRegain(a, lease);
            a.assertFlows("orders");
            a.context.getRouteController().stopRoute("orders");
            a.context.getRouteController().startRoute("orders");
            a.assertFlows("orders");

            proxy.thaw();
            for (int i = 0; i < 6; i++) {
                broker.send(queue + ".hung" + i, 1, 2);
            }
            soon().until(() -> journal.ended("A").stream()
                            .filter(entry -> entry.route().startsWith("hung"))
                            .count()
                    == 12);
        }
    }

    // ---- without a broker

    private Node behind(TcpProxy proxy, String label) throws Exception {
        String uri = "jms:" + queue + "?recoveryInterval=200&" + LOCAL;
        return broker.serve(cluster.node(label).ttl(Duration.ofMillis(1500)), proxy)
                .routes(routes -> routes.from(uri)
                        .routeId("orders")
                        .routePolicyRef("lease")
                        .process(journal.note(label)));
    }

    @Test
    void c51_aHolderWithoutABrokerGivesTheLeaseAwayAndAnotherNodeWorks() throws Exception {
        TcpProxy cutOff = broker.proxy();
        cutOff.close();
        try (TcpProxy link = broker.proxy();
                LogLines log = LogLines.open()) {
            Node a = behind(cutOff, "A").start();
            soon().until(() -> a.holds(lease));
            Node b = behind(link, "B").start();
            broker.send(queue, 0, 5);

            soon().until(() -> journal.ended("B").size() == 5);
            assertThat(log.of(Level.ERROR, "'orders'", lease, "no connection to its broker"))
                    .hasSize(1);
            assertThat(a.events(LeaseEvent.Released.class)).hasSize(1);
            assertThat(b.holds(lease)).isTrue();
            journal.assertEachOnce(5);
        }
    }

    @Test
    void workGoesOnWhenABrokerThatNobodyReachedComesBack() throws Exception {
        try (TcpProxy one = broker.proxy();
                TcpProxy two = broker.proxy()) {
            Node a = behind(one, "A").start();
            Node b = behind(two, "B").start();
            soon().until(() -> a.holds(lease) || b.holds(lease));
            one.refuse();
            two.refuse();
            broker.send(queue, 0, 5);
            soon().until(() -> !a.events(LeaseEvent.Released.class).isEmpty()
                    && !b.events(LeaseEvent.Released.class).isEmpty());

            one.admit();
            two.admit();
            soon().until(() -> journal.ended().size() == 5 && broker.messages(queue) == 0);

            journal.assertEachOnce(5);
            journal.assertNoOverlap();
        }
    }
}
