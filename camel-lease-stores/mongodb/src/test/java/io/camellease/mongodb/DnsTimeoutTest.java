/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.ConnectionString;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.testkit.TcpProxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** S9 where the DNS does not answer: nothing in Java bounds a look-up. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Isolated
class DnsTimeoutTest {

    private static final Duration TIMEOUT = Duration.ofMillis(800);
    private static final Duration SLACK = Duration.ofMillis(700);

    private int port;

    @BeforeEach
    void findPort() {
        String host = new ConnectionString(Engine.inProcess().uri()).getHosts().get(0);
        port = Integer.parseInt(host.substring(host.indexOf(':') + 1));
        SwitchedDns.setSrvPort(port);
    }

    @AfterEach
    void repair() {
        SwitchedDns.work();
    }

    @Test
    void hostThatIsNeverResolved() {
        SwitchedDns.hang();
        try (LeaseStore store = open("mongodb://node.lease.test:" + port)) {
            assertGivesUp(store);
            SwitchedDns.work();
            assertThat(look(store)).isTrue();
        }
    }

    @Test
    void dnsThatStopsAnsweringLater() throws Exception {
        try (TcpProxy proxy = new TcpProxy(port);
                LeaseStore store = open("mongodb://" + proxy.address().replace("127.0.0.1", "node.lease.test"))) {
            assertThat(look(store)).isTrue();

            SwitchedDns.hang();
            proxy.freeze();
            assertGivesUp(store);
            assertGivesUp(store);
            assertGivesUp(store);
        }
    }

    @Test
    void srvRecordThatIsNeverResolved() {
        SwitchedDns.hang();
        try (LeaseStore store = open("mongodb+srv://cluster.lease.test/?tls=false")) {
            assertGivesUp(store);
            assertGivesUp(store);
            SwitchedDns.work();
            assertThat(look(store)).isTrue();
        }
    }

    private static LeaseStore open(String uri) {
        return MongoLeaseStore.open(LeaseStoreOptions.of(uri, TIMEOUT));
    }

    private static boolean look(LeaseStore store) {
        return store.find(List.of(new LeaseName("orders"))).unreadable().isEmpty();
    }

    private static void assertGivesUp(LeaseStore store) {
        long start = System.nanoTime();
        LeaseStoreException thrown = catchThrowableOfType(LeaseStoreException.class, () -> look(store));
        Duration took = Duration.ofNanos(System.nanoTime() - start);

        assertThat(thrown).isNotNull();
        assertThat(thrown.problem()).isEqualTo(Problem.UNAVAILABLE);
        assertThat(took).isLessThan(TIMEOUT.plus(SLACK));
    }
}
