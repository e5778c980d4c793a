/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A MongoDB that cannot be reached when the context starts. */
class UnreachableStoreTest {

    private static final String SECRET = "planted-secret";

    private final BlockingQueue<Exchange> leased = new LinkedBlockingQueue<>();
    private final BlockingQueue<Exchange> others = new LinkedBlockingQueue<>();
    private final Lines lines = new Lines();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Logger ours = (Logger) LoggerFactory.getLogger("io.camellease");
    private final Main main = new Main();

    /** All log lines, with their stack traces. */
    private static final class Lines extends AppenderBase<ILoggingEvent> {
        private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            event.prepareForDeferredProcessing();
            events.add(event);
        }

        List<String> ofLeases(Level level) {
            return events.stream()
                    .filter(event -> event.getLevel().equals(level)
                            && event.getLoggerName().startsWith("io.camellease"))
                    .map(ILoggingEvent::getFormattedMessage)
                    .toList();
        }

        String everything() {
            StringBuilder all = new StringBuilder();
            for (ILoggingEvent event : events) {
                all.append(event.getFormattedMessage()).append('\n');
                if (event.getThrowableProxy() != null) {
                    all.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
                }
            }
            return all.toString();
        }
    }

    @BeforeEach
    void listen() {
        lines.start();
        root.addAppender(lines);
        ours.setLevel(Level.TRACE);
    }

    @AfterEach
    void stop() {
        main.stop();
        root.detachAppender(lines);
        ours.setLevel(Level.INFO);
    }

    private void start(String uri) {
        main.addOverrideProperty("camel.lease.store", uri);
        main.addOverrideProperty("camel.lease.application", "shop");
        main.addOverrideProperty("camel.lease.ttl", "10s");
        main.configure().addRoutesBuilder(new RouteBuilder() {
            @Override
            public void configure() {
                from("timer:leased?period=50&delay=0")
                        .routeId("leased")
                        .routePolicyRef("lease")
                        .process(leased::add);
                from("timer:other?period=50&delay=0").routeId("other").process(others::add);
            }
        });
        main.start();
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void c60_theContextStartsTheRouteWaitsAndGoesOnWhenTheStoreComes() throws Exception {
        int port = freePort();
        long begin = System.nanoTime();
        start("mongodb://127.0.0.1:" + port + "/shop");

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
        await().atMost(Duration.ofSeconds(5)).until(() -> lines.ofLeases(Level.WARN).stream()
                .anyMatch(line -> line.contains("nobody works without a lease")));
        assertThat(lines.ofLeases(Level.WARN))
                .as("a ttl that somebody chose shorter than a fail-over of the store takes")
                .filteredOn(line -> line.contains("a fail-over of 12s will suspend the leased routes"))
                .hasSize(1);
        assertThat(others).isNotEmpty();
        await().during(Duration.ofSeconds(1)).atMost(Duration.ofSeconds(5)).until(leased::isEmpty);
        assertThat(lines.ofLeases(Level.WARN).stream().filter(line -> line.contains("nobody works without a lease")))
                .hasSize(1)
                .allSatisfy(line -> assertThat(line).contains("127.0.0.1:" + port));

        MongoServer server = new MongoServer(new MemoryBackend());
        try {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            await().atMost(Duration.ofSeconds(10)).until(() -> !leased.isEmpty());
        } finally {
            main.stop();
            server.shutdownNow();
        }
    }

    @Test
    void noPasswordIsPrintedAtAnyLevel() throws Exception {
        start("mongodb://orders:" + SECRET + "@127.0.0.1:" + freePort() + "/shop");

        await().atMost(Duration.ofSeconds(5)).until(() -> lines.ofLeases(Level.WARN).stream()
                .anyMatch(line -> line.contains("nobody works without a lease")));
        assertThat(lines.everything()).doesNotContain(SECRET);
        assertThat(lines.ofLeases(Level.WARN)).anyMatch(line -> line.contains("camel.lease.store contains a password"));
    }

    @Test
    void aMalformedUriRefusesTheStartWithoutItsPassword() {
        String message = catchThrowable(() -> start("mongodb://orders:" + SECRET + "@host:99999/shop"))
                .toString();

        assertThat(message).doesNotContain(SECRET);
        assertThat(lines.everything()).doesNotContain(SECRET);
    }
}
