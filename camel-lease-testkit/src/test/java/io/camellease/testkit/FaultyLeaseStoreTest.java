/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import io.camellease.testkit.FaultyLeaseStore.Chance;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FaultyLeaseStoreTest {

    private static final LeaseName NAME = new LeaseName("orders");
    private static final HolderId ANNA = new HolderId("anna");
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final InMemoryLeaseStore behind = new InMemoryLeaseStore();
    private final List<Duration> waits = new ArrayList<>();
    private final FaultyLeaseStore store = new FaultyLeaseStore(behind, waits::add);
    private final ExecutorService caller = Executors.newSingleThreadExecutor();

    @AfterEach
    void endCaller() {
        caller.shutdownNow();
    }

    private static Claim claim() {
        return new Claim(NAME, ANNA, AttemptId.unique(), 0, 0, false, Duration.ofMinutes(1), "");
    }

    private Lease grant() {
        return ((ClaimResult.Granted) store.claim(claim())).lease();
    }

    private static RenewResult renew(FaultyLeaseStore store, Lease lease, long seq) {
        return store.renew(List.of(new Renewal(lease, seq, "n"))).get(0);
    }

    private boolean isHeld() {
        return behind.find(List.of(NAME)).records().get(NAME).isHeld();
    }

    private long seq() {
        return behind.find(List.of(NAME)).records().get(NAME).seq();
    }

    private LeaseStoreException failureOf(Runnable call) {
        LeaseStoreException thrown = catchThrowableOfType(LeaseStoreException.class, call::run);
        assertThat(thrown).isNotNull();
        return thrown;
    }

    @Test
    void withoutFaultsItIsTheStoreBehind() {
        Lease lease = grant();

        assertThat(renew(store, lease, 1)).isEqualTo(RenewResult.RENEWED);
        assertThat(store.setValue(lease, "v")).isTrue();
        store.advance(lease, "t", Instant.EPOCH);
        assertThat(store.find(List.of(NAME)).records()).containsKey(NAME);
        assertThat(store.release(lease)).isTrue();
        store.abandon(NAME, ANNA, lease.attempt());
        assertThat(store.description()).isEqualTo(behind.description());
        for (Operation operation : Operation.values()) {
            assertThat(store.calls(operation)).as("%s", operation).isEqualTo(1);
        }
    }

    @Test
    void lostRequestIsNotApplied() {
        store.script(Operation.CLAIM, Fault.lostRequest());

        assertThat(failureOf(this::grant).problem()).isEqualTo(Problem.UNAVAILABLE);

        assertThat(isHeld()).isFalse();
        grant();
    }

    @Test
    void lostReplyIsApplied() {
        store.script(Operation.CLAIM, Fault.lostReply());
        Claim claim = claim();

        failureOf(() -> store.claim(claim));

        assertThat(isHeld()).isTrue();
        assertThat(store.claim(claim)).isInstanceOf(ClaimResult.Granted.class);
    }

    @Test
    void scriptIsFollowedInOrderAndPerOperation() {
        store.script(Operation.CLAIM, Fault.none(), new Fault.FailBefore(Problem.MISCONFIGURED));
        store.script(Operation.CLAIM, Fault.lostRequest());
        store.script(Operation.FIND, new Fault.FailAfter(Problem.UNREADABLE));

        grant();
        assertThat(failureOf(this::grant).problem()).isEqualTo(Problem.MISCONFIGURED);
        assertThat(failureOf(this::grant).problem()).isEqualTo(Problem.UNAVAILABLE);
        assertThat(store.claim(claim())).isInstanceOf(ClaimResult.HeldByOther.class);
        assertThat(failureOf(() -> store.find(List.of(NAME))).problem()).isEqualTo(Problem.UNREADABLE);
        assertThat(store.find(List.of(NAME)).records()).containsKey(NAME);
    }

    @Test
    void standingFaultLastsUntilHealed() {
        store.standing(Fault.lostRequest());
        failureOf(this::grant);
        failureOf(this::grant);

        store.heal();

        grant();
    }

    @Test
    void lateCopyIsAppliedAfterTheCallsItWasToldToWaitFor() {
        Lease lease = grant();
        store.script(Operation.RENEW, Fault.late(2));
        failureOf(() -> renew(store, lease, 1));
        assertThat(seq()).isZero();

        store.find(List.of());
        assertThat(seq()).isZero();

        store.find(List.of());
        assertThat(seq()).isEqualTo(1);
    }

    @Test
    void lateCopyIsAppliedWhenTheTestSays() {
        Claim claim = claim();
        store.script(Operation.CLAIM, Fault.late());
        failureOf(() -> store.claim(claim));
        store.find(List.of());
        assertThat(isHeld()).isFalse();

        assertThat(store.applyLate()).isEqualTo(1);

        assertThat(isHeld()).isTrue();
        assertThat(store.applyLate()).isZero();
    }

    @Test
    void lateCopyThatFailsHurtsNobody() {
        store.script(Operation.CLAIM, Fault.late(1));
        failureOf(this::grant);
        behind.damage(NAME);

        store.find(List.of());

        assertThat(behind.raw(NAME)).startsWith("damaged");
    }

    @Test
    void lateCopyCanBeLost() {
        store.script(Operation.CLAIM, Fault.late());
        failureOf(this::grant);

        store.dropLate();

        assertThat(store.applyLate()).isZero();
        assertThat(isHeld()).isFalse();
    }

    @Test
    void duplicateIsAppliedTwice() {
        FaultyLeaseStore counting = new FaultyLeaseStore(store);
        counting.script(Operation.CLAIM, Fault.duplicate());

        assertThat(counting.claim(claim())).isInstanceOf(ClaimResult.Granted.class);

        assertThat(store.calls(Operation.CLAIM)).isEqualTo(2);
        assertThat(counting.calls(Operation.CLAIM)).isEqualTo(1);
    }

    @Test
    void slowCallWaitsOnItsWayThereAndBack() {
        store.script(Operation.CLAIM, new Fault.Slow(Duration.ofSeconds(1), Duration.ofSeconds(2)));

        grant();

        assertThat(waits).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2));
    }

    @Test
    void slowCallNeedsAWayToWait() {
        FaultyLeaseStore impatient = new FaultyLeaseStore(behind);
        impatient.script(Operation.FIND, Fault.slow(Duration.ofSeconds(1)));

        assertThatThrownBy(() -> impatient.find(List.of())).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void defectIsThrownAsItIs() {
        IllegalStateException defect = new IllegalStateException("defect of a driver");
        store.script(Operation.FIND, new Fault.Defect(defect));

        assertThatThrownBy(() -> store.find(List.of())).isSameAs(defect);
    }

    @Test
    void hangingCallIsAppliedOnceReleased() throws Exception {
        store.script(Operation.CLAIM, Fault.hang());
        Future<Lease> call = caller.submit(this::grant);
        Poll.until("the call hangs", LIMIT, () -> store.hanging() == 1);
        assertThat(isHeld()).isFalse();

        store.releaseHanging();

        assertThat(call.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS).holder()).isEqualTo(ANNA);
        assertThat(isHeld()).isTrue();
        assertThat(store.hanging()).isZero();
    }

    @Test
    void callCanHangAfterItWasApplied() throws Exception {
        store.script(Operation.CLAIM, Fault.hangAfterApplying());
        Future<Lease> call = caller.submit(this::grant);

        Poll.until("the call hangs", LIMIT, () -> store.hanging() == 1);

        assertThat(isHeld()).isTrue();
        store.releaseHanging();
        assertThat(call.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS).holder()).isEqualTo(ANNA);
    }

    @Test
    void hangingCallThrowsWhenItsThreadIsInterrupted() {
        store.script(Operation.CLAIM, Fault.hang());
        Future<Lease> call = caller.submit(this::grant);
        Poll.until("the call hangs", LIMIT, () -> store.hanging() == 1);

        caller.shutdownNow();

        assertThatThrownBy(() -> call.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(LeaseStoreException.class);
        assertThat(isHeld()).isFalse();
    }

    @Test
    void equalSeedsGiveEqualFaults() {
        List<Boolean> first = failuresOf(42);

        assertThat(failuresOf(42)).isEqualTo(first);
        assertThat(failuresOf(43)).isNotEqualTo(first);
        assertThat(first.stream().filter(failed -> failed).count()).isBetween(150L, 250L);
    }

    private List<Boolean> failuresOf(long seed) {
        store.seeded(seed, Chance.of(Fault.lostRequest(), 0.1), Chance.of(Fault.lostReply(), 0.1));
        List<Boolean> failures = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            failures.add(catchThrowableOfType(LeaseStoreException.class, () -> store.find(List.of())) != null);
        }
        return failures;
    }

    @Test
    void chanceBefallsItsOperationsOnly() {
        store.seeded(1, new Chance(Fault.lostRequest(), 1, Set.of(Operation.RELEASE)));

        Lease lease = grant();

        failureOf(() -> store.release(lease));
    }

    @Test
    void illegalChancesAreRefused() {
        assertThatThrownBy(() -> Chance.of(Fault.none(), 1.1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Chance.of(Fault.none(), Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Fault.late(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
