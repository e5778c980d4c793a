/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseStoreException.Problem;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoreTroubleTest {

    private final LogLines log = new LogLines(LeaseClient.class);
    private final StoreTrouble trouble =
            new StoreTrouble("the store", Duration.ofSeconds(30).toNanos(), Runnable::run);

    @AfterEach
    void close() {
        log.close();
    }

    private static Moment at(long second) {
        return new Moment(second * 1_000_000_000L, second * 1_000);
    }

    private static LeaseStoreException refused() {
        return new LeaseStoreException(Problem.UNAVAILABLE, "connection refused", new ConnectException());
    }

    @Test
    void isToldOncePerOutageNotOncePerTry() {
        for (int i = 0; i < 100; i++) {
            trouble.failed("renew", refused(), at(i));
            trouble.failed("find", refused(), at(i));
        }
        trouble.answered("find", at(100));
        trouble.answered("renew", at(101));
        trouble.failed("renew", refused(), at(200));

        assertThat(log.all())
                .containsExactly(
                        "WARN the store: connection refused (trying on; nobody works without a lease)",
                        "INFO the store: answers again after 101000 ms: leases are claimed and renewed again",
                        "WARN the store: connection refused (trying on; nobody works without a lease)");
    }

    @Test
    void isToldOncePerCause() {
        trouble.failed("renew", refused(), at(0));
        trouble.failed(
                "renew",
                new LeaseStoreException(Problem.UNAVAILABLE, "timed out", new SocketTimeoutException()),
                at(1));
        trouble.failed("claim", new LeaseStoreException(Problem.MISCONFIGURED, "no right to write", null), at(2));

        assertThat(log.all())
                .containsExactly(
                        "WARN the store: connection refused (trying on; nobody works without a lease)",
                        "WARN the store: timed out (trying on; nobody works without a lease)",
                        "ERROR the store: no right to write");
    }

    @Test
    void doesNotComeAndGoWithEachTryWhileReadingWorksAndWritingDoesNot() {
        for (int i = 0; i < 100; i++) {
            trouble.answered("find", at(i));
            trouble.failed("claim", refused(), at(i));
        }

        assertThat(log.all()).hasSize(1);
    }

    @Test
    void isOverWhenWhatFailedIsNotTriedAnyMore() {
        trouble.failed("claim", refused(), at(0));
        trouble.answered("find", at(29));
        assertThat(log.all()).hasSize(1);

        trouble.answered("find", at(30));
        assertThat(log.all())
                .contains("INFO the store: answers again after 30000 ms: leases are claimed and renewed again");
    }

    @Test
    void saysNothingWhileAllIsWell() {
        trouble.answered("find", at(0));

        assertThat(log.all()).isEmpty();
    }
}
