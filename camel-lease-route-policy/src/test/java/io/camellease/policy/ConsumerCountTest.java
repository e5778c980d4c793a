/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseName;
import io.camellease.policy.FileServer.Protocol;
import jakarta.jms.JMSRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** After many losses and regains there are as many consumers as were configured, and all of them consume. */
@CaseTest
class ConsumerCountTest {

    private static final int ROUNDS = 20;
    private static final int PACE_MILLIS = 20;

    /** Where a consumer consumes from, and how many threads are to do that. */
    enum Source {
        FILE(1),
        FTP(1),
        SFTP(1),
        JMS(3),
        TIMER(1),
        SCHEDULER(1),
        SEDA(3);

        final int threads;

        Source(int threads) {
            this.threads = threads;
        }
    }

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");
    private final ScheduledExecutorService feeding = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger fed = new AtomicInteger();
    private final AtomicInteger missed = new AtomicInteger();
    private final String name = lease.value().replace('/', '-');

    @TempDir
    Path home;

    private Broker broker;
    private FileServer server;

    @BeforeEach
    void startServers() throws Exception {
        broker = Broker.start(home.resolve("broker"));
    }

    @AfterEach
    void stopServers() throws Exception {
        feeding.shutdownNow();
        broker.close();
        if (server != null) {
            server.close();
        }
    }

    private String uri(Source source) throws Exception {
        return switch (source) {
            case FILE -> "file:" + home.resolve("in") + "?initialDelay=0&delay=20&delete=true";
            case FTP, SFTP -> {
                server = FileServer.start(Protocol.valueOf(source.name()), home, 1);
                yield server.uri("delete=true");
            }
            case JMS ->
                "jms:" + name + "?transacted=true&lazyCreateTransactionManager=false&concurrentConsumers=3"
                        + "&recoveryInterval=100";
            case TIMER -> "timer:" + name + "?delay=0&period=50";
            case SCHEDULER -> "scheduler:" + name + "?initialDelay=0&delay=50";
            case SEDA -> "seda:" + name + "?concurrentConsumers=3";
        };
    }

    private void feed(Source source, Node node) {
        switch (source) {
            case FILE, FTP, SFTP -> Feeder.write(home.resolve("in"), "f" + fed.getAndIncrement());
            case JMS -> broker.send(name, fed.get(), fed.incrementAndGet());
            case SEDA ->
                node.context
                        .createFluentProducerTemplate()
                        .to("seda:" + name + "?concurrentConsumers=3")
                        .withBody("m" + fed.getAndIncrement())
                        .send();
            case TIMER, SCHEDULER -> fed.getAndIncrement();
        }
    }

    private void feedOrMiss(Source source, Node node) {
        try {
            feed(source, node);
        } catch (JMSRuntimeException down) {
            missed.incrementAndGet();
        }
    }

    @ParameterizedTest
    @EnumSource
    void c102_twentyLossesLeaveAsManyConsumersAsBefore(Source source) throws Exception {
        Node a = broker.serve(cluster.node("A")).ttl(Duration.ofSeconds(1));
        String uri = uri(source);
        a.routes(routes -> routes.from(uri)
                        .routeId("orders")
                        .routePolicyRef("lease")
                        .process(journal.note("A")))
                .start();
        var unused = feeding.scheduleWithFixedDelay(() -> feedOrMiss(source, a), 0, PACE_MILLIS, TimeUnit.MILLISECONDS);
        a.assertFlows("orders");

        for (int i = 0; i < ROUNDS; i++) {
            cluster.loseAndRegain(a, lease);
            if (i == ROUNDS / 2 && source == Source.JMS) {
                broker.stop();
                broker.start();
                // or the lease is given away for want of a broker just when it is to be lost
                a.assertFlows("orders");
            }
            if (i % 5 == 4) {
                a.assertFlows("orders");
            }
        }

        a.assertFlows("orders");
        soon().until(() -> consumers(source) == source.threads);
        assertThat(missed.get()).isLessThan(fed.get());
        if (source == Source.TIMER || source == Source.SCHEDULER) {
            assertPace(a);
        }
    }

    private int consumers(Source source) {
        return switch (source) {
            case JMS -> broker.consumers(name);
            case FTP, SFTP -> threads("tp://") + server.loggedIn() - 1;
            case FILE -> threads("file://" + home.resolve("in"));
            default -> threads(source.name().toLowerCase(Locale.ROOT) + "://" + name);
        };
    }

    private int threads(String text) {
        String of = text.equals("tp://") ? ":" + server.port() : text;
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread ->
                        thread.getName().contains(of) && thread.getName().startsWith("Camel"))
                .count();
    }

    /** Two timers on one route would make twice as many exchanges. */
    private void assertPace(Node node) {
        int before = journal.begun("A").size();
        long at = System.nanoTime();
        soon().until(() -> journal.begun("A").size() >= before + 20);
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - at)).isGreaterThan(18 * 50);
        assertThat(node.events).isNotEmpty();
    }
}
