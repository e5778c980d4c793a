/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.builder.LambdaRouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people do with JMS routes: redelivery, topics, replies, selectors; all of it while the lease comes and goes. */
@CaseTest
class JmsRouteTest {

    private static final String LOCAL = "transacted=true&lazyCreateTransactionManager=false";

    @TempDir
    static Path directory;

    private static Broker broker;

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");
    private final String queue = lease.value().replace('/', '.');
    private final Map<String, AtomicInteger> tries = new ConcurrentHashMap<>();

    @BeforeAll
    static void startBroker() throws Exception {
        broker = Broker.start(directory);
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    private Node node(String label, LambdaRouteBuilder routes) throws Exception {
        return broker.serve(cluster.node(label)).routes(routes);
    }

    // ---- redelivery and transactions

    private void failTwice(Exchange exchange) {
        String message = exchange.getIn().getBody(String.class);
        if (tries.computeIfAbsent(message, none -> new AtomicInteger()).incrementAndGet() <= 2) {
            throw new IllegalStateException("fails at first");
        }
        journal.note("A", Journal.What.BEGIN, exchange);
        journal.note("A", Journal.What.END, exchange);
    }

    /** Who delivers a message again, and what happens to the lease before. */
    @ParameterizedTest
    @CsvSource({"route,true,LOSS", "route,false,LOSS", "route,false,HOLD", "broker,false,LOSS", "broker,false,HOLD"})
    void c104_redeliveryAndTransactionsWorkAfterwards(String who, boolean whileStopping, String what) throws Exception {
        Node a = node("A", routes -> {
                    routes.errorHandler(
                            who.equals("broker")
                                    ? routes.noErrorHandler()
                                    : routes.deadLetterChannel("mock:dead")
                                            .maximumRedeliveries(3)
                                            .redeliveryDelay(100)
                                            .allowRedeliveryWhileStopping(whileStopping));
                    routes.from("jms:" + queue + "?" + LOCAL)
                            .routeId("orders")
                            .routePolicyRef("lease")
                            .process(this::failTwice);
                })
                .withLongHold()
                .start();
        soon().until(() -> a.holds(lease));
        soon().until(() -> a.status("orders").isStarted());

        if (what.equals("LOSS")) {
            cluster.loseAndRegain(a, lease);
        } else {
            a.holdBack();
            a.heal();
        }
        broker.send(queue, 0, 3);
        soon().until(() -> journal.ended().size() == 3 && broker.messages(queue) == 0);

        assertThat(tries.values()).allSatisfy(count -> assertThat(count).hasValue(3));
        assertThat(a.context.getEndpoint("mock:dead", MockEndpoint.class).getReceivedCounter())
                .isZero();
        journal.assertEachOnce(3);
    }

    // ---- kinds of consumers

    @ParameterizedTest
    @ValueSource(
            strings = {
                "asyncConsumer=true&acknowledgementModeName=CLIENT_ACKNOWLEDGE",
                LOCAL + "&selector=" + "number%3E%3D0",
                LOCAL + "&cacheLevelName=CACHE_SESSION",
                LOCAL + "&cacheLevelName=CACHE_NONE",
                LOCAL + "&asyncStartListener=true&asyncStopListener=true",
                LOCAL + "&acceptMessagesWhileStopping=true",
                "transacted=true&transferException=true"
            })
    void everyMessageIsDoneOnceWhileTheLeaseGoesToAndFro(String options) throws Exception {
        LambdaRouteBuilder route = routes -> routes.from("jms:" + queue + "?" + options)
                .routeId("orders")
                .routePolicyRef("lease")
                .process(journal.work("both", Brake.taking(2)));
        broker.send(queue, 0, 300);
        Node a = node("A", route).ttl(Duration.ofSeconds(1)).start();
        Node b = node("B", route).ttl(Duration.ofSeconds(1)).start();

        for (int i = 1; i <= 6 && journal.ended().size() < 300; i++) {
            int before = journal.ended().size();
            soon().until(() -> journal.ended().size() > Math.min(before + 5, 299));
            (a.holds(lease) ? a : b).elector(lease).giveAway();
        }
        soon().until(() -> journal.ended().size() == 300 && broker.messages(queue) == 0);

        journal.assertEachOnce(300);
        assertThat(a.refused.get() + b.refused.get()).isZero();
    }

    @Test
    void aDurableSubscriberTakesOverTheSubscription() throws Exception {
        String uri = "jms:topic:" + queue + "?clientId=" + queue
                + "&durableSubscriptionName=orders&recoveryInterval=100&" + LOCAL;
        Node a = node("A", subscriber("A", uri)).ttl(Duration.ofSeconds(1)).start();
        soon().until(() -> a.holds(lease) && a.status("orders").isStarted());
        soon().until(() -> broker.isSubscribed(queue));
        Node b = node("B", subscriber("B", uri)).ttl(Duration.ofSeconds(1)).start();
        broker.publish(queue, 0, 5);
        soon().until(() -> journal.ended("A").size() == 5);

        a.elector(lease).giveAway();
        broker.publish(queue, 5, 10);
        soon().until(() -> journal.ended("B").size() == 5);

        journal.assertEachOnce(10);
        journal.assertOneAfterTheOther("A", "B");
        assertThat(b.events(LeaseEvent.Granted.class)).hasSize(1);
    }

    private LambdaRouteBuilder subscriber(String label, String uri) {
        return routes ->
                routes.from(uri).routeId("orders").routePolicyRef("lease").process(journal.note(label));
    }

    @Test
    void aRequestIsAnsweredAcrossAHandOver() throws Exception {
        LambdaRouteBuilder route = routes -> routes.from("jms:" + queue + "?" + LOCAL)
                .routeId("orders")
                .routePolicyRef("lease")
                .process(journal.work("both", Brake.taking(20)))
                .setBody(routes.body().prepend("done "));
        Node a = node("A", route).start();
        Node b = node("B", route).start();
        Node client = node("C", routes -> routes.from("direct:ask").to("jms:" + queue + "?exchangePattern=InOut"))
                .start();
        soon().until(() -> a.holds(lease) || b.holds(lease));

        for (int i = 0; i < 20; i++) {
            if (i == 10) {
                (a.holds(lease) ? a : b).elector(lease).giveAway();
            }
            assertThat(client.context.createProducerTemplate().requestBody("direct:ask", "m" + i, String.class))
                    .isEqualTo("done m" + i);
        }

        journal.assertEachOnce(20);
    }
}
