/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.AdvanceResult;
import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.Found;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A store whose calls go wrong as a network and a database would make them: by script, for as long as the test says, or by
 * chance with a seed. Calls that are not told to go wrong go to the store behind. Thread-safe; if one thread calls it, equal
 * seeds give equal faults.
 */
public final class FaultyLeaseStore implements LeaseStore {

    /** The longest that a call hangs, so that a test that forgets it ends. */
    private static final Duration LONGEST_HANG = Duration.ofMinutes(5);

    /** One method of a store. */
    public enum Operation {
        /** {@link LeaseStore#claim}. */
        CLAIM,
        /** {@link LeaseStore#renew}. */
        RENEW,
        /** {@link LeaseStore#release}. */
        RELEASE,
        /** {@link LeaseStore#abandon}. */
        ABANDON,
        /** {@link LeaseStore#find}. */
        FIND,
        /** {@link LeaseStore#setValue}. */
        SET_VALUE,
        /** {@link LeaseStore#advance}. */
        ADVANCE
    }

    /**
     * How likely a fault is.
     *
     * @param fault what goes wrong
     * @param probability for each call, 0 to 1
     * @param operations whose calls it befalls
     */
    public record Chance(Fault fault, double probability, Set<Operation> operations) {

        /** @throws IllegalArgumentException if the probability is not from 0 to 1 */
        public Chance {
            if (!(probability >= 0 && probability <= 1)) {
                throw new IllegalArgumentException("probability " + probability + " is not from 0 to 1");
            }
            operations = Set.copyOf(operations);
        }

        /** The chance of a fault in calls of every operation. */
        public static Chance of(Fault fault, double probability) {
            return new Chance(fault, probability, Set.of(Operation.values()));
        }
    }

    /** One call of the store behind. */
    private interface Behind<A> {
        A call();
    }

    private final LeaseStore store;
    private final Consumer<Duration> waiting;
    private final FaultPlan plan = new FaultPlan();
    private final LateCopies lateCopies = new LateCopies();
    private final Map<Operation, AtomicInteger> calls = new ConcurrentHashMap<>();
    private final AtomicInteger hanging = new AtomicInteger();
    private volatile CountDownLatch hangs = new CountDownLatch(1);

    /** A faulty store that cannot be slow. Nothing goes wrong yet. */
    public FaultyLeaseStore(LeaseStore store) {
        this(store, delay -> {
            throw new IllegalStateException("this store was made without a way to wait for " + delay);
        });
    }

    /**
     * A faulty store. Nothing goes wrong yet.
     *
     * @param store does what is applied; closed with this one
     * @param waiting returns when the given time has passed, for {@link Fault.Slow}; called in the thread of the call
     */
    public FaultyLeaseStore(LeaseStore store, Consumer<Duration> waiting) {
        this.store = store;
        this.waiting = waiting;
    }

    /** Lets the next calls of an operation go wrong, one fault each, after those that were scripted before. */
    public void script(Operation operation, Fault... faults) {
        plan.script(operation, List.of(faults));
    }

    /** Lets every call go wrong that has no script, until {@link #heal}. */
    public void standing(Fault fault) {
        plan.standing(fault);
    }

    /**
     * Lets calls go wrong by chance, until {@link #heal}.
     *
     * @param seed equal seeds give equal faults
     * @param chances tried in this order; at most one fault befalls a call
     */
    public void seeded(long seed, Chance... chances) {
        plan.seeded(seed, List.of(chances));
    }

    /** Lets nothing more go wrong. Calls that hang go on hanging, and late copies stay late. */
    public void heal() {
        plan.clear();
    }

    /**
     * Applies the late copies that are still under way, in the order of their calls.
     *
     * @return how many
     */
    public int applyLate() {
        return lateCopies.applyAll();
    }

    /** Loses the late copies that are still under way. */
    public void dropLate() {
        lateCopies.drop();
    }

    /** Lets the calls that hang go on. */
    public synchronized void releaseHanging() {
        hangs.countDown();
        hangs = new CountDownLatch(1);
    }

    /** How many calls hang now. */
    public int hanging() {
        return hanging.get();
    }

    /** How many calls of the operation have begun so far. */
    public int calls(Operation operation) {
        return count(operation).get();
    }

    @Override
    public ClaimResult claim(Claim claim) {
        return call(Operation.CLAIM, () -> store.claim(claim));
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        List<Renewal> sent = List.copyOf(renewals);
        return call(Operation.RENEW, () -> store.renew(sent));
    }

    @Override
    public boolean release(Lease lease) {
        return call(Operation.RELEASE, () -> store.release(lease));
    }

    @Override
    public void abandon(LeaseName name, HolderId holder, AttemptId attempt) {
        call(Operation.ABANDON, () -> {
            store.abandon(name, holder, attempt);
            return true;
        });
    }

    @Override
    public Found find(Collection<LeaseName> names) {
        List<LeaseName> sent = List.copyOf(names);
        return call(Operation.FIND, () -> store.find(sent));
    }

    @Override
    public boolean setValue(Lease lease, String value) {
        return call(Operation.SET_VALUE, () -> store.setValue(lease, value));
    }

    @Override
    public AdvanceResult advance(Lease lease, String key, Instant slot) {
        return call(Operation.ADVANCE, () -> store.advance(lease, key, slot));
    }

    @Override
    public String description() {
        return store.description();
    }

    @Override
    public void close() {
        store.close();
    }

    private AtomicInteger count(Operation operation) {
        return calls.computeIfAbsent(operation, none -> new AtomicInteger());
    }

    private <A> A call(Operation operation, Behind<A> behind) {
        count(operation).incrementAndGet();
        try {
            return suffer(plan.next(operation), operation, behind);
        } finally {
            lateCopies.callEnded();
        }
    }

    private <A> A suffer(Fault fault, Operation operation, Behind<A> behind) {
        if (fault instanceof Fault.None) {
            return behind.call();
        }
        if (fault instanceof Fault.FailBefore before) {
            throw failure(before.problem(), operation + " was not applied");
        }
        if (fault instanceof Fault.FailAfter after) {
            behind.call();
            throw failure(after.problem(), operation + " was applied, its reply was lost");
        }
        if (fault instanceof Fault.ApplyLate late) {
            delay(behind, late.afterCalls());
            throw failure(Problem.UNAVAILABLE, operation + " will be applied late");
        }
        if (fault instanceof Fault.Duplicate) {
            behind.call();
            return behind.call();
        }
        if (fault instanceof Fault.Defect defect) {
            throw defect.thrown();
        }
        return sufferDelay(fault, operation, behind);
    }

    private void delay(Behind<?> behind, int afterCalls) {
        // The end of this call is counted, too.
        lateCopies.add(behind::call, afterCalls == Integer.MAX_VALUE ? afterCalls : afterCalls + 1);
    }

    private <A> A sufferDelay(Fault fault, Operation operation, Behind<A> behind) {
        if (fault instanceof Fault.Slow slow) {
            waiting.accept(slow.before());
            A answer = behind.call();
            waiting.accept(slow.after());
            return answer;
        }
        if (fault instanceof Fault.Hang hang) {
            if (!hang.applied()) {
                hang(operation);
                return behind.call();
            }
            A answer = behind.call();
            hang(operation);
            return answer;
        }
        throw new IllegalStateException("unknown fault " + fault);
    }

    private void hang(Operation operation) {
        CountDownLatch released = hangs;
        hanging.incrementAndGet();
        try {
            if (!released.await(LONGEST_HANG.toMillis(), TimeUnit.MILLISECONDS)) {
                throw failure(Problem.UNAVAILABLE, operation + " hung for " + LONGEST_HANG);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw failure(Problem.UNAVAILABLE, operation + " hung until its thread was interrupted");
        } finally {
            hanging.decrementAndGet();
        }
    }

    private static LeaseStoreException failure(Problem problem, String what) {
        return new LeaseStoreException(problem, "fault on purpose: " + what, null);
    }
}
