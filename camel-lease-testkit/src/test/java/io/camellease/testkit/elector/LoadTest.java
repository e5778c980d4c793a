/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit.elector;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How many calls of the store many leases cost: T = 30 s, R = 10 s, K = 3 s. */
class LoadTest {

    private static final Logger LOG = LoggerFactory.getLogger(LoadTest.class);

    private final Cluster cluster = new Cluster();
    private final Cluster.Node a = cluster.node("A");
    private final Cluster.Node b = cluster.node("B");

    private static List<LeaseName> names(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new LeaseName("lease-" + i))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1_000})
    void aConstantNumberOfCallsServesManyLeases(int leases) {
        List<LeaseName> names = names(leases);
        // granted over 20 s, as routes start one after the other
        for (LeaseName name : names) {
            a.elector(name).start();
            cluster.advance(20.0 / leases);
        }
        names.forEach(name -> b.elector(name).start());
        cluster.advance(60);

        int renewals = a.wire.calls(Operation.RENEW);
        int looks = b.wire.calls(Operation.FIND);
        int claims = b.wire.calls(Operation.CLAIM);
        cluster.advance(100);
        double renewalsPerR = (a.wire.calls(Operation.RENEW) - renewals) / 10.0;
        double looksPerR = (b.wire.calls(Operation.FIND) - looks) / 10.0;
        LOG.info(
                "{} leases: {} renew calls per R for the holder, {} find calls per R for the candidate",
                leases,
                renewalsPerR,
                looksPerR);

        assertThat(renewalsPerR).isBetween(1.0, 12.0);
        assertThat(looksPerR).isBetween(3.0, 12.0);
        assertThat(b.wire.calls(Operation.CLAIM) - claims)
                .as("a candidate does not claim what is held")
                .isZero();
        assertThat(names).allSatisfy(name -> assertThat(a.elector(name).check()).isPresent());
        assertThat(a.kinds()).containsOnly(LeaseEvent.Granted.class);
    }

    @Test
    void everyLeaseIsRenewedNoLaterThanRAfterTheLastTime() {
        List<LeaseName> names = names(300);
        for (LeaseName name : names) {
            a.elector(name).start();
            cluster.advance(0.05);
        }
        for (int i = 0; i < 300; i++) {
            cluster.advance(0.1);
            assertThat(names).allSatisfy(name -> assertThat(cluster.store
                            .find(List.of(name))
                            .records()
                            .get(name)
                            .remaining())
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(20)));
        }
    }

    @Test
    void athousandLeasesOfADeadNodeAreTakenOverWithinTtlAndK() {
        List<LeaseName> names = names(1_000);
        names.forEach(name -> a.elector(name).start());
        cluster.advance(1);
        names.forEach(name -> b.elector(name).start());
        cluster.advance(20);
        a.kill();
        int before = b.wire.calls(Operation.CLAIM);
        cluster.advance(33);

        assertThat(names).allSatisfy(name -> assertThat(b.elector(name).check()).isPresent());
        assertThat(b.wire.calls(Operation.CLAIM) - before).isEqualTo(1_000);
    }

    @Test
    void oneLeaseInTroubleDoesNotDisturbTheOthers() {
        List<LeaseName> names = names(10);
        names.forEach(name -> a.elector(name).start());
        cluster.advance(1);
        cluster.store.damage(names.get(3));
        cluster.store.wipe(names.get(4));
        cluster.advance(60);

        List<LeaseElector> others = IntStream.of(0, 1, 2, 5, 6, 7, 8, 9)
                .mapToObj(i -> a.elector(names.get(i)))
                .toList();
        assertThat(others).allSatisfy(elector -> assertThat(elector.check()).isPresent());
        assertThat(a.events(LeaseEvent.Lost.class)).hasSize(2);
    }
}
