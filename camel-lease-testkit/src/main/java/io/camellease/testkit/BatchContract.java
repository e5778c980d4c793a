/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.Found;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** S12: many at once are answered as each alone. */
abstract class BatchContract extends NamesContract {

    private static final int WAYS = 9;

    /** How many renewals the batch test sends at once; more than {@code LeaseClient} ever does. */
    protected int renewalBatch() {
        return 300;
    }

    /** How many names the batch test looks for at once. */
    protected int findBatch() {
        return 1_000;
    }

    @Test
    final void s12_batchOfRenewalsIsAnsweredAsEachAlone() {
        List<Renewal> alone = mixedRenewals();
        List<Renewal> together = mixedRenewals();

        List<RenewResult> expected = alone.stream().map(this::renew).toList();
        List<RenewResult> results = store.renew(together);

        assertThat(results).isEqualTo(expected);
        assertThat(expected).contains(RenewResult.RENEWED, RenewResult.LOST, RenewResult.STALE);
        assertThat(seqs(together)).isEqualTo(seqs(alone));
    }

    private List<Long> seqs(List<Renewal> renewals) {
        return renewals.stream()
                .map(renewal -> look(renewal.lease().name()).seq())
                .toList();
    }

    private List<Renewal> mixedRenewals() {
        return IntStream.range(0, renewalBatch()).mapToObj(this::renewal).toList();
    }

    private Renewal renewal(int number) {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        Renewal sent = new Renewal(lease, 5, nonce());
        switch (number % WAYS) {
            case 0 -> store.release(lease);
            case 1 -> fixture.expire(name);
            case 2 -> grant(name, ANNA);
            case 3 -> fixture.wipe(name);
            case 4 -> renew(sent);
            case 5 -> renew(lease, 5);
            case 6 -> renew(lease, 6);
            default -> renew(lease, 4);
        }
        return sent;
    }

    @Test
    final void s12_emptyBatchesAreAnsweredEmpty() {
        assertThat(store.renew(List.of())).isEmpty();

        Found found = store.find(List.of());

        assertThat(found.records()).isEmpty();
        assertThat(found.unreadable()).isEmpty();
    }

    @Test
    final void s12_manyNamesAreFoundAsEachAlone() {
        List<LeaseName> names = new ArrayList<>();
        for (int i = 0; i < findBatch(); i++) {
            LeaseName name = newName();
            names.add(name);
            prepare(name, i % 50);
        }

        Found found = store.find(names);

        assertThat(found.unreadable()).isEmpty();
        assertThat(found.records()).containsOnlyKeys(names);
        assertThat(found.storeNow()).isPresent();
        for (int i = 0; i < names.size(); i += 10) {
            assertSame(recordOf(found, names.get(i)), look(names.get(i)));
        }
    }

    private void prepare(LeaseName name, int way) {
        switch (way) {
            case 0 -> grant(name, ANNA);
            case 10 -> expired(name);
            case 20 -> store.release(grant(name, BERT));
            case 30 -> renew(grant(name, ANNA), 3);
            default -> {
                // Most names of a cluster's first start have no record yet.
            }
        }
    }

    private void expired(LeaseName name) {
        grant(name, BERT);
        fixture.expire(name);
    }

    private static void assertSame(LeaseRecord batched, LeaseRecord single) {
        assertThat(batched)
                .usingRecursiveComparison()
                .ignoringFields("remaining")
                .isEqualTo(single);
        assertThat(batched.isHeld()).isEqualTo(single.isHeld());
        assertThat(batched.remaining()).isGreaterThanOrEqualTo(single.remaining());
    }

    @Test
    final void s12_nameAskedForTwiceIsFoundOnce() {
        LeaseName name = newName();
        grant(name, ANNA);

        assertThat(store.find(List.of(name, name)).records()).containsOnlyKeys(name);
    }
}
