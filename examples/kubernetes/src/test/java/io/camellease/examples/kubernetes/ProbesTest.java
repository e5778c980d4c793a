/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1Probe;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two applications with the environment of the Deployment: what its probes ask is what Camel answers. */
class ProbesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** The server of the test knows no users. */
    private static final Set<String> OF_USERS = Set.of("CAMEL_LEASE_USERNAME", "CAMEL_LEASE_PASSWORD");

    private final HttpClient http = HttpClient.newHttpClient();
    private final MongoServer server = new MongoServer(new MemoryBackend());
    private final String store = server.bindAndGetConnectionString() + "/leases";
    private final List<Process> pods = new ArrayList<>();

    @AfterEach
    void end() {
        pods.forEach(Process::destroyForcibly);
        server.shutdownNow();
    }

    private static V1Container container() throws IOException {
        return Objects.requireNonNull(
                        Objects.requireNonNull(Manifests.deployment().getSpec())
                                .getTemplate()
                                .getSpec())
                .getContainers()
                .get(0);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** As a kubelet would, but that each pod has a port of its own here, and all routes are leased. */
    private Process start(String name, int port) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dcamel.lease.routes=*",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.apache.camel.main.Main")
                .redirectErrorStream(true)
                .redirectOutput(log(name).toFile());
        for (V1EnvVar variable : Objects.requireNonNull(container().getEnv())) {
            if (!OF_USERS.contains(variable.getName())) {
                builder.environment().put(variable.getName(), value(variable, name, port));
            }
        }
        Process pod = builder.start();
        pods.add(pod);
        return pod;
    }

    private String value(V1EnvVar variable, String pod, int port) {
        return switch (variable.getName()) {
            case "CAMEL_LEASE_STORE" -> store;
            case "CAMEL_LEASE_NODE" -> pod;
            case "JAVA_TOOL_OPTIONS" -> withPort(Objects.requireNonNull(variable.getValue()), port);
            default -> Objects.requireNonNull(variable.getValue(), variable.getName());
        };
    }

    private static String withPort(String options, int port) {
        String own = options.replace("port=9876", "port=" + port);
        assertThat(own).isNotEqualTo(options);
        return own;
    }

    /** Kept after the test. */
    private static Path log(String pod) {
        return Path.of("target", "pod-" + pod + ".log");
    }

    private static boolean says(String pod, String text) throws IOException {
        return Files.readString(log(pod)).contains(text);
    }

    private int status(V1Probe probe, int port) {
        String path = Objects.requireNonNull(probe.getHttpGet()).getPath();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
        } catch (IOException notYet) {
            return 0;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    private void awaitUp(int port) throws IOException {
        V1Container container = container();
        for (V1Probe probe : List.of(
                Objects.requireNonNull(container.getStartupProbe()),
                Objects.requireNonNull(container.getReadinessProbe()),
                Objects.requireNonNull(container.getLivenessProbe()))) {
            Awaitility.await().atMost(PATIENCE).until(() -> status(probe, port) == 200);
        }
    }

    @Test
    void bothPodsBecomeReadyAndTheOneThatIsStoppedHandsOver() throws Exception {
        int portOfOne = freePort();
        int portOfTwo = freePort();
        Process one = start("one", portOfOne);
        Awaitility.await().atMost(PATIENCE).failFast(() -> !one.isAlive()).until(() -> says("one", "works"));
        start("two", portOfTwo);

        awaitUp(portOfOne);
        awaitUp(portOfTwo);
        assertThat(says("two", "works")).isFalse();

        one.destroy();
        long askedAt = System.nanoTime();
        Awaitility.await().atMost(PATIENCE).until(() -> says("two", "works"));

        // less than the ttl of 30 s: the lease was given back and not waited for
        assertThat(Duration.ofNanos(System.nanoTime() - askedAt)).isLessThan(Duration.ofSeconds(18));
        assertThat(one.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
}
