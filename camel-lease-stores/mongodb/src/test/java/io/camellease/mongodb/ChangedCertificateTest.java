/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.camellease.core.HolderId;
import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A server that speaks TLS, and whose certificate is replaced. The only tests that use the TLS settings of the JVM. */
@ResourceLock(Engine.REAL)
class ChangedCertificateTest {

    private static final Duration TTL = Duration.ofSeconds(4);
    private static final LeaseSettings SETTINGS = LeaseSettings.of(TTL);
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final LeaseName NAME = new LeaseName("orders");
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String LOCAL = "dns:localhost,ip:127.0.0.1";

    @TempDir
    Path directory;

    private final MemoryBackend disk = new MemoryBackend() {
        @Override
        public void close() {
            // records outlive the server
        }
    };
    private final List<LeaseEvent> events = new CopyOnWriteArrayList<>();
    private SSLContext before;
    private KeyStore good;
    private KeyStore ofAnotherAuthority;
    private MongoServer server;
    private InetSocketAddress address;

    @BeforeEach
    void trustOneCertificate() throws Exception {
        before = SSLContext.getDefault();
        good = certificate("good", LOCAL);
        ofAnotherAuthority = certificate("another", LOCAL);
        trust(good);
        serve(good);
    }

    @AfterEach
    void restore() {
        server.shutdownNow();
        SSLContext.setDefault(before);
    }

    private KeyStore certificate(String alias, String names) throws Exception {
        Path file = directory.resolve(alias + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=" + alias,
                        "-ext",
                        "san=" + names,
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        file.toString())
                .inheritIO()
                .start();
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return store;
    }

    private static X509Certificate certificateOf(KeyStore store) throws GeneralSecurityException {
        return (X509Certificate) store.getCertificate("server");
    }

    private static void trust(KeyStore trusted) throws GeneralSecurityException, IOException {
        KeyStore anchors = KeyStore.getInstance("PKCS12");
        anchors.load(null, PASSWORD);
        anchors.setCertificateEntry("server", certificateOf(trusted));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(anchors);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        SSLContext.setDefault(context);
    }

    private void serve(KeyStore identity) throws GeneralSecurityException {
        MongoServer started = new MongoServer(disk);
        started.enableSsl(
                (PrivateKey) identity.getKey("server", PASSWORD), new String(PASSWORD), certificateOf(identity));
        if (address == null) {
            address = started.bind();
        } else {
            started.bind(address);
        }
        server = started;
    }

    private void replaceBy(KeyStore identity) throws GeneralSecurityException {
        server.shutdownNow();
        serve(identity);
    }

    private LeaseStore open(String host) {
        return MongoLeaseStore.open(new LeaseStoreOptions(
                "mongodb://" + host + ":" + address.getPort() + "/?tls=true",
                SETTINGS.storeTimeout(),
                Optional.empty(),
                Optional.empty(),
                Map.of("database", Engine.DATABASE)));
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long until = System.nanoTime() + LONGEST.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime() - until).as("nanoseconds too late").isNegative();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    @Test
    void c111_aHolderStopsInTimeSaysWhyAndGoesOnByItself() throws Exception {
        try (LeaseStore store = open("localhost");
                LeaseClient client = new LeaseClient(store, HolderId.unique("A"), SETTINGS)) {
            LeaseElector elector = client.elector(NAME, this::onEvent, () -> "");
            elector.start();
            await(() -> elector.check().isPresent());

            replaceBy(ofAnotherAuthority);
            long replacedAt = System.nanoTime();

            await(() -> elector.check().isEmpty());
            assertThat(Duration.ofNanos(System.nanoTime() - replacedAt)).isLessThan(TTL);
            await(() -> events.stream().anyMatch(LeaseEvent.Lost.class::isInstance));
            elector.drained(((LeaseEvent.Lost) events.get(events.size() - 1)).lease());
            assertThat(client.storeTrouble().orElseThrow()).containsIgnoringCase("certif");

            replaceBy(good);

            await(() -> elector.check().isPresent());
        }
    }

    private void onEvent(LeaseEvent event) {
        if (event instanceof LeaseEvent.OfGrant) {
            events.add(event);
        }
    }

    @Test
    void c111_aCertificateForAnotherHostIsRefused() throws Exception {
        KeyStore elsewhere = certificate("elsewhere", "dns:db.example.org");
        trust(elsewhere);
        replaceBy(elsewhere);
        try (LeaseStore store = open("localhost")) {
            // the first calls may end before the driver has tried
            await(() -> message(store).contains("No subject alternative DNS name matching localhost"));
        }
    }

    private static String message(LeaseStore store) {
        LeaseStoreException refused = catchThrowableOfType(LeaseStoreException.class, () -> store.find(List.of(NAME)));
        assertThat(refused).as("a certificate for another host is accepted").isNotNull();
        return String.valueOf(refused.getMessage());
    }
}
