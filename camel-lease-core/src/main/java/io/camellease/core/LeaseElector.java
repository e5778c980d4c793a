/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives one lease name for one process: feeds a {@link LeaseMachine} and lets the {@link LeaseClient} carry out what it
 * decides. Made by {@link LeaseClient#elector}. Thread-safe; no method blocks or does I/O.
 *
 * <p>Life: {@link #start} makes the process a candidate; the listener is told of {@link LeaseEvent.Granted}; {@link #check}
 * says whether work may begin; {@link #stop} or {@link #giveAway} ask for an end, whereupon the user lets its work end and
 * calls {@link #drained}, which releases the lease. After {@link LeaseEvent.Lost} the user calls {@link #drained} as well:
 * until then this process is no candidate.
 */
public final class LeaseElector {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseElector.class);

    /** What is published for other threads after every step of the machine. */
    private record View(
            LeaseState state,
            Moment since,
            @Nullable Validity validity,
            @Nullable AttemptId attempt) {}

    /** What the record's state was when a grant was made. */
    private record Slots(Lease lease, Map<String, Instant> byKey) {
        Slots with(String key, Instant slot) {
            Map<String, Instant> all = new HashMap<>(byKey);
            all.merge(key, slot.truncatedTo(ChronoUnit.MILLIS), (a, b) -> a.isAfter(b) ? a : b);
            return new Slots(lease, Map.copyOf(all));
        }
    }

    private final LeaseName name;
    private final LeaseClient client;
    private final LeaseListener listener;
    private final @Nullable Share share;
    private final LeaseMachine machine;
    private final AtomicReference<@Nullable Moment> suspicion = new AtomicReference<>();
    private volatile View view;
    private final Tally tally = new Tally();
    private volatile @Nullable LeaseRecord lastSeen;
    private volatile @Nullable Slots slots;
    private volatile boolean withheld;
    private volatile @Nullable String unreadable;
    private @Nullable Moment grantedAt;

    LeaseElector(
            LeaseName name, LeaseClient client, LeaseListener listener, Supplier<String> value, @Nullable Share share) {
        this.name = name;
        this.client = client;
        this.listener = listener;
        this.share = share;
        this.view = new View(LeaseState.STOPPED, client.ticker().now(), null, null);
        this.machine = new LeaseMachine(name, client.holder(), client.settings(), client.newId(), () -> note(value));
    }

    /** The note is only for people: a supplier that fails must not keep the node from claiming. */
    private String note(Supplier<String> value) {
        try {
            String note = value.get();
            LeaseStore.requireValue(note);
            return note;
        } catch (RuntimeException broken) {
            LOG.warn("Lease '{}': its value cannot be had, so the record goes without", name, broken);
            return "";
        }
    }

    /** Whose elector it is. */
    public LeaseName name() {
        return name;
    }

    /** Become a candidate, or stay one. */
    public void start() {
        client.decide(this, LeaseMachine::start);
    }

    /** Stop being a candidate. A holder gets {@link LeaseEvent.Draining} and goes on renewing until {@link #drained}. */
    public void stop() {
        client.decide(this, LeaseMachine::stop);
    }

    /** Let another node have the lease: as {@link #stop}, but a candidate again one ttl after the release. */
    public void giveAway() {
        client.decide(this, LeaseMachine::giveAway);
    }

    /** The work under the last grant has ended and none can begin. Ignored while the grant is not being given back. */
    public void drained() {
        client.decide(this, LeaseMachine::drained);
    }

    /**
     * The work under this grant has ended and none can begin. As {@link #drained()}, but does nothing if there has been another
     * grant since: for users who cannot rule out that they say it late.
     */
    public void drained(Lease lease) {
        client.decide(this, (machine, now) -> machine.drained(lease, now));
    }

    /** The work in flight is not waited for any longer: renewing ends, and the lease is left to expire. */
    public void drainAbandoned() {
        client.decide(this, LeaseMachine::drainAbandoned);
    }

    /**
     * Whether work may begin at this instant. Reads clocks only, so it is right even while the store or the timer hangs.
     *
     * @return the lease to work under, or empty if nothing may begin
     */
    public Optional<Pass> check() {
        Validity validity = view.validity();
        if (validity == null) {
            return Optional.empty();
        }
        Moment now = client.ticker().now();
        Moment reported = suspicion.get();
        if (reported != null && validity.isUnderSuspicionSince(reported)) {
            return Optional.empty();
        }
        if (validity.at(now) == Validity.Verdict.SUSPECT && !validity.isUnderSuspicion()) {
            suspicion.accumulateAndGet(now, LeaseElector::later);
            client.decide(this, (machine, at) -> machine.suspect(now));
        }
        return validity.pass(now);
    }

    private static Moment later(@Nullable Moment a, @Nullable Moment b) {
        if (a == null || b == null) {
            return Objects.requireNonNull(a == null ? b : a);
        }
        return a.nanosSince(b) >= 0 ? a : b;
    }

    /** Where this process stands with the lease. */
    public LeaseState state() {
        return view.state();
    }

    /** The grant, if there is one, usable or not. */
    public Optional<Lease> lease() {
        Validity validity = view.validity();
        return validity == null ? Optional.empty() : Optional.of(validity.lease());
    }

    /** How long it has been in that state by this process's monotonic clock; for people. */
    public Duration inState() {
        return Duration.ofNanos(Math.max(0, client.ticker().now().nanosSince(view.since())));
    }

    /** How long the grant lasts unless it is renewed, by this process's clock: until E; zero if there is none. Reads clocks only. */
    public Duration remaining() {
        Validity validity = view.validity();
        return validity == null
                ? Duration.ZERO
                : validity.untilEnd(client.ticker().now());
    }

    /** What it has asked of the store so far; for people. */
    public LeaseCounts counts() {
        return tally.counts();
    }

    /** The record as this candidate last saw it; for people. */
    public Optional<LeaseRecord> lastSeen() {
        return Optional.ofNullable(lastSeen);
    }

    /** Why the record cannot be read, as this candidate saw it last; empty if it can. */
    public Optional<String> unreadable() {
        return Optional.ofNullable(unreadable);
    }

    /**
     * Whether this candidate leaves a lease alone that nobody has held for three claim intervals, because this process has as many
     * as {@link Share#maxLeases} allows.
     */
    public boolean isWithheld() {
        return withheld && state() == LeaseState.WAITING;
    }

    /**
     * The slots that {@link #advance} has stored for this name as far as this elector was told: under whatever grants when the
     * given grant was made, and under that grant since then.
     *
     * @return by key, in milliseconds; empty if it is not this elector's latest grant
     */
    public Map<String, Instant> slots(Lease lease) {
        Slots known = slots;
        return known != null && known.lease().equals(lease) ? known.byKey() : Map.of();
    }

    /**
     * Moves a slot of the record's state forward; see {@link LeaseStore#advance}. Returns at once; the store is asked on a
     * thread of the client, after what was asked for before.
     *
     * @return the store's word, within two store timeouts for each call that waits before it; fails with {@link
     *     LeaseStoreException} if the outcome is unknown, whereupon the same may be asked again. What depends on it runs on the
     *     timer thread of the client and must not block
     * @throws IllegalArgumentException if the key is not legal
     */
    public CompletionStage<AdvanceResult> advance(Lease lease, String key, Instant slot) {
        Checked.text("slot key", key, LeaseStore.MAX_KEY_LENGTH);
        return client.advance(this, lease, key, slot);
    }

    // ---- for the client, on the timer thread

    LeaseMachine machine() {
        return machine;
    }

    Tally tally() {
        return tally;
    }

    /** Whether it takes part in the spread of leases over the nodes. */
    boolean isSpread() {
        return share != null;
    }

    Share share() {
        return Objects.requireNonNull(share);
    }

    void withheld(boolean isNow) {
        withheld = isNow;
    }

    /** Whether this process has the lease, or has sent a claim and does not know the outcome. */
    boolean hasOrClaims() {
        return machine.state().hasGrant() || machine.candidacy().attempt() != null;
    }

    /** Whether this process was granted the lease at least so long ago. */
    boolean hasHad(long nanos, Moment now) {
        Moment since = grantedAt;
        return since != null && machine.state().hasGrant() && now.nanosSince(since) >= nanos;
    }

    /** Who held the lease when this candidate saw the record last. */
    Optional<HolderId> seenHolder() {
        return lastSeen().filter(LeaseRecord::isHeld).flatMap(LeaseRecord::holder);
    }

    /** From any thread: whether this is the grant, and it is not over. */
    boolean holds(Lease lease) {
        Validity validity = view.validity();
        return validity != null
                && validity.lease().equals(lease)
                && !validity.isOver(client.ticker().now());
    }

    void granted(ClaimResult.Granted grant) {
        unreadable = null;
        slots = new Slots(grant.lease(), grant.slots());
    }

    void advanced(Lease lease, String key, Instant slot) {
        Slots known = slots;
        if (known != null && known.lease().equals(lease)) {
            slots = known.with(key, slot);
        }
    }

    /** From any thread: whether the outcome of the claim is still waited for. */
    boolean wants(Claim claim) {
        return claim.attempt().equals(view.attempt());
    }

    void seen(LeaseRecord record) {
        client.seen(lastSeen, record);
        lastSeen = record;
        unreadable = null;
    }

    void seenUnreadable(String why) {
        unreadable = why;
    }

    List<Action> step(LeaseMachine.Input input, Moment now) {
        boolean hadGrant = machine.state().hasGrant();
        List<Action> actions = machine.take(input, now);
        if (!hadGrant && machine.state().hasGrant()) {
            grantedAt = now;
        }
        Moment since = machine.state() == view.state() ? view.since() : now;
        view = new View(
                machine.state(), since, machine.validity(), machine.candidacy().attempt());
        return actions;
    }

    // ---- for the client, on the events thread

    void tell(LeaseEvent event) {
        EventLog.write(event);
        try {
            listener.onEvent(event);
        } catch (Throwable thrown) {
            LOG.error("The listener of lease '{}' failed on {}", name, event, thrown);
        }
    }
}
