/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.camel.Consumer;
import org.apache.camel.component.kafka.KafkaConsumer;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.ProcessorDefinition;
import org.apache.camel.support.processor.idempotent.FileIdempotentRepository;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options with which a source cannot keep what it has handed out are warned of, once, when the route first starts. */
@CaseTest
class SourceAdviceTest {

    @TempDir
    static Path directory;

    private static Broker broker;

    @RegisterExtension
    final Cluster cluster = new Cluster();

    @BeforeAll
    static void startBroker() throws Exception {
        broker = Broker.start(directory.resolve("broker"));
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    /** What is warned of when a route with a name that no other test has starts twice. */
    private List<String> warnings(String uri) throws Exception {
        return warnings(uri, route -> {});
    }

    private List<String> warnings(String uri, java.util.function.Consumer<ProcessorDefinition<?>> steps)
            throws Exception {
        String id = "advised-" + cluster.lease("x").value().replace('/', '-');
        Node a = broker.serve(cluster.node("A"));
        a.context
                .getRegistry()
                .bind(
                        "shared",
                        FileIdempotentRepository.fileIdempotentRepository(
                                directory.resolve(id + ".keys").toFile()));
        try (LogLines log = LogLines.open()) {
            a.routes(routes -> steps.accept(
                    routes.from(uri).routeId(id).routePolicyRef("lease").to("mock:" + id)));
            a.start();
            soon().until(() -> a.holds(id) && a.status(id).isStarted());
            a.context.getRouteController().stopRoute(id);
            a.context.getRouteController().startRoute(id);
            soon().until(() -> a.status(id).isStarted());
            return log.of(Level.WARN, "'" + id + "'").stream()
                    .filter(line -> !line.contains("by hand"))
                    .toList();
        }
    }

    /** A step after which others of the same poll begin, or not. */
    enum Step {
        DELAY,
        DELAY_THAT_WAITS,
        THREADS;

        void addTo(ProcessorDefinition<?> route) {
            switch (this) {
                case DELAY -> route.delay(10);
                case DELAY_THAT_WAITS -> route.delay(10).syncDelayed();
                case THREADS -> route.threads();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "file:%s, DELAY, 1",
        "file:%s, THREADS, 1",
        "file:%s, DELAY_THAT_WAITS, 0",
        "file:%s?maxMessagesPerPoll=1, DELAY, 0",
        "timer:often?period=50, DELAY, 0"
    })
    void aStepThatLetsAWholeListBeginIsWarnedOf(String uri, Step step, int warnings) throws Exception {
        assertThat(warnings(String.format(uri, directory.resolve("in")), step::addTo))
                .hasSize(warnings)
                .allSatisfy(text -> assertThat(text).contains("begins at once", "asyncDelayed=false"));
    }

    @Test
    void aKafkaRouteThatGoesOnAfterARefusedRecordIsWarnedOf() throws Exception {
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            Consumer consumer = new KafkaConsumer(context.getEndpoint("direct:kafka"), exchange -> {});

            assertThat(SourceAdvice.of(consumer, Map.of("breakOnFirstError", false)::get))
                    .singleElement()
                    .asString()
                    .contains("Set breakOnFirstError=true");
            assertThat(SourceAdvice.of(consumer, Map.of("breakOnFirstError", true)::get))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jms:advice",
                "jms:advice?acknowledgementModeName=DUPS_OK_ACKNOWLEDGE",
                "jms:topic:advice?acknowledgementMode=1"
            })
    void messagesThatAreAcknowledgedTooEarly(String uri) throws Exception {
        assertThat(warnings(uri)).singleElement().asString().contains("message in hand is lost", "transacted=true");
    }

    @ParameterizedTest
    @CsvSource({
        "jms:advice?transacted=true&consumerType=Simple,consumerType at Default",
        "file:advice?preMove=work&delete=true,moveFailed",
        "file:advice?readLock=idempotent&idempotentRepository=#shared,until the key is removed",
        "file:advice?readLock=idempotent-changed&idempotentRepository=#shared,until the key is removed",
        "file:advice?noop=true,all nodes share",
        "file:advice?noop=true&idempotentRepository=#shared,idempotentEager=false",
        "file:advice?idempotent=true&delete=true,all nodes share"
    })
    void whatLeavesSomethingBehind(String uri, String says) throws Exception {
        assertThat(warnings(uri.replace("file:advice", "file:" + directory.resolve("advice"))))
                .singleElement()
                .asString()
                .contains(says);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jms:advice?transacted=true",
                "jms:advice?transacted=true&lazyCreateTransactionManager=false",
                "jms:advice?acknowledgementModeName=CLIENT_ACKNOWLEDGE",
                "jms:advice?acknowledgementMode=2",
                "file:advice?delete=true",
                "file:advice?noop=true&idempotentEager=false&idempotentRepository=#shared",
                "file:advice?readLock=markerFile",
                "timer:advice"
            })
    void allElseIsLeftAlone(String uri) throws Exception {
        assertThat(warnings(uri.replace("file:advice", "file:" + directory.resolve("advice"))))
                .isEmpty();
    }

    @Test
    void whatIsRunForARefusedRow() throws Exception {
        Consumer consumer = cluster.node("A").context.getEndpoint("timer:t").createConsumer(exchange -> {});

        assertThat(SourceAdvice.of(
                        consumer, Map.<String, Object>of("onConsumeFailed", "update orders set failed")::get))
                .singleElement()
                .asString()
                .contains("onConsumeFailed");
    }

    @Test
    void aRouteThatResequences() throws Exception {
        Node a = cluster.node("A");
        a.routes(routes -> routes.from("timer:t")
                .routeId("resequenced")
                .routePolicyRef("lease")
                .resequence(routes.body())
                .to("mock:t"));
        try (LogLines log = LogLines.open()) {
            a.start();
            soon().until(() ->
                    log.of(Level.WARN, "'resequenced'", "resequence()").size() == 1);
        }
    }

    @Test
    void aWrongHoldByRefusesTheStart() throws Exception {
        LeaseRoutePolicy policy = new LeaseRoutePolicy();
        policy.setHoldBy("halt");
        Node a = cluster.node("A");
        a.routes(routes ->
                routes.from("timer:t").routeId("orders").routePolicy(policy).to("mock:t"));
        assertThatThrownBy(a::start).rootCause().hasMessageContaining("'halt'").hasMessageContaining("suspend or stop");
    }
}
