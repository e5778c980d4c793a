/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.FencingToken;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.core.Renewal;
import io.camellease.testkit.TcpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** S9: every operation answers or throws within the timeout, whatever the server and the network do. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ResourceLock(value = Engine.REAL, mode = ResourceAccessMode.READ)
class TimeoutTest {

    private static final Duration TIMEOUT = Duration.ofMillis(600);
    private static final Duration SLACK = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofSeconds(15);

    private final LeaseName name = new LeaseName("orders");
    private final Lease lease =
            new Lease(name, new HolderId("a"), new FencingToken(1), new AttemptId("b"), Duration.ofMinutes(5));
    private final String collection = Engine.newCollection();

    private static List<Engine> engines() {
        return Engine.present();
    }

    private interface Scenario {
        void play(TcpProxy proxy, String uri) throws IOException;
    }

    /** Plays it behind a proxy, and drops the collection afterwards. */
    private void behindProxy(Engine engine, Scenario scenario) throws IOException {
        String host = new ConnectionString(engine.uri()).getHosts().get(0);
        int port = Integer.parseInt(host.substring(host.indexOf(':') + 1));
        try (TcpProxy proxy = new TcpProxy(port)) {
            String base = engine.uri().replace(host, proxy.address()).replaceAll("[?&]?directConnection=true", "");
            scenario.play(proxy, base + (base.endsWith("/") ? "" : "/") + "?directConnection=true");
        }
        try (MongoClient client = engine.newClient()) {
            client.getDatabase("camel_lease").getCollection(collection).drop();
        }
    }

    private LeaseStoreOptions options(String uri) {
        return new LeaseStoreOptions(
                uri, TIMEOUT, Optional.empty(), Optional.empty(), Map.of("collection", collection));
    }

    @ParameterizedTest
    @MethodSource("engines")
    void serverThatAcceptsAndNeverAnswers(Engine engine) throws IOException {
        behindProxy(engine, (proxy, uri) -> {
            proxy.freeze();

            LeaseStore store = MongoLeaseStore.open(options(uri));
            assertEveryOperationGivesUp(store);
            assertClosesSoon(store);
        });
    }

    @ParameterizedTest
    @MethodSource("engines")
    void serverThatStopsAnsweringAndComesBack(Engine engine) throws IOException {
        behindProxy(engine, (proxy, uri) -> {
            LeaseStore store = MongoLeaseStore.open(options(uri));
            claimWhileTheServerMakesTheCollection(store);

            proxy.freeze();
            assertEveryOperationGivesUp(store);
            proxy.thaw();
            assertAnswersSoon(store);
            proxy.freeze();
            assertClosesSoon(store);
        });
    }

    @ParameterizedTest
    @MethodSource("engines")
    void serverBehindAClientOfTheCallerThatStopsAnsweringAndComesBack(Engine engine) throws IOException {
        behindProxy(engine, (proxy, uri) -> {
            try (MongoClient client = MongoClients.create(uri)) {
                LeaseStore store = MongoLeaseStore.over(client, options(""));
                claimWhileTheServerMakesTheCollection(store);

                proxy.freeze();
                assertEveryOperationGivesUp(store);
                proxy.thaw();
                assertAnswersSoon(store);
            }
        });
    }

    @Test
    void serverBehindAClientOfTheCallerThatNeverAnswers() throws IOException {
        behindProxy(Engine.inProcess(), (proxy, uri) -> {
            proxy.freeze();
            try (MongoClient client = MongoClients.create(uri)) {
                assertEveryOperationGivesUp(MongoLeaseStore.over(client, options("")));
            }
        });
    }

    @Test
    void portThatNobodyListensOn() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }

        try (LeaseStore store = MongoLeaseStore.open(options("mongodb://127.0.0.1:" + free))) {
            assertEveryOperationGivesUp(store);
        }
    }

    /** What a firewall that drops packets looks like: no answer even to the first one. */
    @Test
    void portThatDropsPackets() throws IOException {
        List<Socket> queue = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 4; i++) {
                Socket socket = new Socket();
                queue.add(socket);
                connectBriefly(socket, full);
            }

            try (LeaseStore store = MongoLeaseStore.open(options("mongodb://127.0.0.1:" + full.getLocalPort()))) {
                assertEveryOperationGivesUp(store);
            }
        } finally {
            for (Socket socket : queue) {
                socket.close();
            }
        }
    }

    private static void connectBriefly(Socket socket, ServerSocket full) {
        try {
            socket.connect(full.getLocalSocketAddress(), 100);
        } catch (IOException queueIsFull) {
            assertThat(queueIsFull).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void hostThatTheDnsDoesNotKnow() {
        try (LeaseStore store = MongoLeaseStore.open(options("mongodb://lease.invalid"))) {
            assertEveryOperationGivesUp(store);
        }
    }

    private void assertEveryOperationGivesUp(LeaseStore store) {
        Map<String, Runnable> operations = new LinkedHashMap<>();
        operations.put("find", () -> store.find(List.of(name)));
        operations.put("claim", () -> store.claim(claim()));
        operations.put("renew", () -> store.renew(List.of(new Renewal(lease, 1, "n"))));
        operations.put("release", () -> store.release(lease));
        operations.put("abandon", () -> store.abandon(name, lease.holder(), lease.attempt()));
        operations.put("setValue", () -> store.setValue(lease, "v"));
        operations.put("advance", () -> store.advance(lease, "k", Instant.EPOCH));
        operations.forEach(TimeoutTest::assertGivesUp);
    }

    private static void assertClosesSoon(LeaseStore store) {
        assertThat(took(store::close)).as("close").isLessThan(TIMEOUT.plus(SLACK));
    }

    private static void assertGivesUp(String operation, Runnable call) {
        Duration took = took(() -> {
            LeaseStoreException thrown = catchThrowableOfType(LeaseStoreException.class, call::run);
            assertThat(thrown).as(operation).isNotNull();
            assertThat(thrown.problem()).as(operation).isEqualTo(Problem.UNAVAILABLE);
        });
        assertThat(took).as(operation).isLessThan(TIMEOUT.plus(SLACK));
    }

    /** At the first try, but for a busy machine: after one that times out the driver waits for its monitor, which looks every 10 s. */
    private void assertAnswersSoon(LeaseStore store) {
        await().atMost(SOON).ignoreException(LeaseStoreException.class).untilAsserted(() -> assertThat(
                        store.find(List.of(name)).records().get(name).isHeld())
                .isTrue());
    }

    /** The first claim makes the collection, for which a busy server may need longer than a call may take. */
    private void claimWhileTheServerMakesTheCollection(LeaseStore store) {
        await().ignoreException(LeaseStoreException.class)
                .untilAsserted(() -> assertThat(store.claim(claim())).isInstanceOf(ClaimResult.Granted.class));
    }

    private Claim claim() {
        return new Claim(name, lease.holder(), lease.attempt(), 0, 0, false, lease.ttl(), "");
    }

    private static Duration took(Runnable call) {
        long start = System.nanoTime();
        call.run();
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
