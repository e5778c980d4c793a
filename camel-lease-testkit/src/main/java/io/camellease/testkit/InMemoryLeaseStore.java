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
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import io.camellease.core.Ticker;
import io.camellease.testkit.RecordRules.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The reference store: keeps its records in the memory of this process and follows rules S1-S12 of {@link LeaseStore} to the
 * letter. Its records live as long as the object; {@link #close} does not touch them. Thread-safe; every operation is atomic.
 *
 * <p>The methods below {@link #close} do to the records what other nodes, operators and accidents do to a database.
 */
public final class InMemoryLeaseStore implements LeaseStore {

    private final Map<LeaseName, StoredRecord> records = new ConcurrentHashMap<>();
    private final Map<LeaseName, String> damaged = new ConcurrentHashMap<>();
    private final Ticker ticker;
    private final String place;
    private final RecordRules rules;
    private final Lock lock;

    /** An empty store that runs on the clock of the JVM. */
    public InMemoryLeaseStore() {
        this(Ticker.system());
    }

    /**
     * An empty store.
     *
     * @param ticker its wall clock is the store's clock
     */
    public InMemoryLeaseStore(Ticker ticker) {
        this(ticker, "memory", new RecordRules(), new ReentrantLock());
    }

    InMemoryLeaseStore(Ticker ticker, String place, RecordRules rules, Lock lock) {
        this.ticker = ticker;
        this.place = place;
        this.rules = rules;
        this.lock = lock;
    }

    @Override
    public ClaimResult claim(Claim claim) {
        return change(claim.name(), (record, now) -> rules.claim(record, claim, now));
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        return renewals.stream().map(this::renew).toList();
    }

    private RenewResult renew(Renewal renewal) {
        LeaseName name = renewal.lease().name();
        return locked(() -> damaged.containsKey(name)
                ? RenewResult.LOST
                : change(name, (record, now) -> rules.renew(record, renewal, now)));
    }

    @Override
    public boolean release(Lease lease) {
        return change(lease.name(), (record, now) -> rules.release(record, lease));
    }

    @Override
    public void abandon(LeaseName name, HolderId holder, AttemptId attempt) {
        change(name, (record, now) -> rules.abandon(record, holder, attempt));
    }

    @Override
    public Found find(Collection<LeaseName> names) {
        return locked(() -> {
            Instant now = now();
            Map<LeaseName, LeaseRecord> readable = new HashMap<>();
            Map<LeaseName, String> unreadable = new HashMap<>();
            for (LeaseName name : names) {
                if (damaged.containsKey(name)) {
                    unreadable.put(name, damageOf(name));
                } else {
                    readable.put(name, stored(name).seen(name, now));
                }
            }
            boolean any = names.stream().anyMatch(this::isRecorded);
            return new Found(any ? Optional.of(now) : Optional.empty(), readable, unreadable);
        });
    }

    @Override
    public boolean setValue(Lease lease, String value) {
        LeaseStore.requireValue(value);
        return change(lease.name(), (record, now) -> rules.setValue(record, lease, value, now));
    }

    @Override
    public AdvanceResult advance(Lease lease, String key, Instant slot) {
        requireKey(key);
        return change(lease.name(), (record, now) -> rules.advance(record, lease, key, slot, now));
    }

    private static void requireKey(String key) {
        // The rule for keys is the rule for names, and core keeps it to itself.
        new LeaseName(key);
    }

    @Override
    public String description() {
        return place;
    }

    /** Does nothing: the records stay, and the store can still be used. */
    @Override
    public void close() {}

    /** Ends the grant of a name as if its ttl had run out; does nothing if none is running. */
    public void expire(LeaseName name) {
        rewrite(
                name,
                record -> record.renewed(
                        record.seq(), record.nonce(), Math.min(record.expiresAtMillis(), now().toEpochMilli())));
    }

    /**
     * Moves the expiry of a name's grant as if the store's clock had been stepped the other way; does nothing if there is no
     * record.
     *
     * @param by any duration, in milliseconds; negative for an earlier expiry
     */
    public void shiftExpiry(LeaseName name, Duration by) {
        rewrite(name, record -> record.renewed(record.seq(), record.nonce(), record.expiresAtMillis() + by.toMillis()));
    }

    private void rewrite(LeaseName name, UnaryOperator<StoredRecord> edit) {
        locked(() -> records.computeIfPresent(name, (same, record) -> edit.apply(record)));
    }

    /**
     * Grants the name to another holder whether it is free or not, with a larger token, as an operator who repairs the record
     * by hand would.
     *
     * @param ttl how long the grant lasts; positive
     * @return the new grant
     */
    public Lease steal(LeaseName name, HolderId holder, Duration ttl) {
        return locked(() -> {
            Claim claim = new Claim(name, holder, AttemptId.unique(), 0, 0, false, ttl, "");
            StoredRecord record = rules.granted(readable(name), claim, now());
            records.put(name, record);
            return rules.lease(record, claim);
        });
    }

    /** Deletes every record, readable or not, with its token and its state. */
    public void wipe() {
        locked(() -> {
            records.clear();
            damaged.clear();
            return true;
        });
    }

    /** Deletes the record of a name, readable or not, with its token and its state. */
    public void wipe(LeaseName name) {
        locked(() -> {
            damaged.remove(name);
            return records.remove(name) != null;
        });
    }

    /** Makes the record of a name unreadable (rule S11), and makes one that is if there is none. */
    public void damage(LeaseName name) {
        locked(() -> {
            StoredRecord record = stored(name);
            records.remove(name);
            return damaged.putIfAbsent(name, "damaged " + record);
        });
    }

    /** The records as they are now, to {@link #restore} later. */
    public Snapshot snapshot() {
        return locked(() -> new Snapshot(Map.copyOf(records), Map.copyOf(damaged)));
    }

    /** Replaces all records by those of the snapshot, as a backup that is played back would. */
    public void restore(Snapshot snapshot) {
        locked(() -> {
            records.clear();
            damaged.clear();
            records.putAll(snapshot.records);
            damaged.putAll(snapshot.damaged);
            return true;
        });
    }

    /** All records of a store at one moment. Immutable. */
    public static final class Snapshot {

        private final Map<LeaseName, StoredRecord> records;
        private final Map<LeaseName, String> damaged;

        private Snapshot(Map<LeaseName, StoredRecord> records, Map<LeaseName, String> damaged) {
            this.records = records;
            this.damaged = damaged;
        }
    }

    /** Everything that is stored for a name, as text; two texts are equal only if nothing changed in between. */
    public String raw(LeaseName name) {
        return locked(() -> {
            String damage = damaged.get(name);
            return damage == null ? stored(name).toString() : damage;
        });
    }

    private <A> A change(LeaseName name, BiFunction<StoredRecord, Instant, Change<A>> rule) {
        return locked(() -> {
            Change<A> change = rule.apply(readable(name), now());
            change.record().ifPresent(record -> records.put(name, record));
            return change.answer();
        });
    }

    private <A> A locked(Supplier<A> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    private StoredRecord readable(LeaseName name) {
        if (damaged.containsKey(name)) {
            throw new LeaseStoreException(Problem.UNREADABLE, damageOf(name), null);
        }
        return stored(name);
    }

    private StoredRecord stored(LeaseName name) {
        return records.getOrDefault(name, StoredRecord.NONE);
    }

    private boolean isRecorded(LeaseName name) {
        return records.containsKey(name) || damaged.containsKey(name);
    }

    private String damageOf(LeaseName name) {
        return "the record of lease '" + name + "' in " + place
                + " is damaged: call wipe(LeaseName) to start it afresh";
    }

    private Instant now() {
        return Instant.ofEpochMilli(ticker.now().wallMillis());
    }
}
