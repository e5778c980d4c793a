/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One {@link LeaseMachine} on clocks that a test moves, and the answers that its store would give. Times are seconds since the
 * test began; T = 30 s, R = 10 s, K = 3 s, C = 3 s, M = 5 s and the clock band is 1 s, so U = 23.4 s and E = 28.4 s.
 */
final class MachineBench {

    static final LeaseSettings SETTINGS = LeaseSettings.builder(Duration.ofSeconds(30))
            .renewInterval(Duration.ofSeconds(10))
            .claimInterval(Duration.ofSeconds(3))
            .storeTimeout(Duration.ofSeconds(3))
            .suspendMargin(Duration.ofSeconds(5))
            .clockBand(Duration.ofSeconds(1))
            .build();

    static final LeaseName NAME = new LeaseName("orders");
    static final HolderId ME = new HolderId("A#1");
    static final HolderId OTHER = new HolderId("B#2");

    private static final long SECOND = 1_000_000_000L;

    /** The monotonic clock of a JVM may be negative, and differences must survive its passing zero. */
    private static final long NANOS_AT_START = -7 * SECOND;

    private static final long WALL_AT_START =
            Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    final StoreClock clock = new StoreClock(SETTINGS.clockBand().toNanos());
    final LeaseMachine machine;
    final List<LeaseEvent> events = new ArrayList<>();
    final List<Claim> claims = new ArrayList<>();
    final List<Lease> releases = new ArrayList<>();
    final List<AttemptId> abandons = new ArrayList<>();
    Moment now = new Moment(NANOS_AT_START, WALL_AT_START);

    private int ids;
    private Duration storeClockStep = Duration.ZERO;
    private @Nullable Renewal renewal;
    private Moment renewalSentAt = now;

    MachineBench() {
        this(SETTINGS);
    }

    MachineBench(LeaseSettings settings) {
        machine = new LeaseMachine(NAME, ME, settings, () -> "id-" + ++ids, () -> "note");
    }

    /** A bench whose machine holds token 7 since second 0, with all lists empty. */
    static MachineBench holding() {
        MachineBench bench = new MachineBench();
        bench.start();
        bench.granted(7);
        bench.forgetSoFar();
        return bench;
    }

    void forgetSoFar() {
        events.clear();
        claims.clear();
        releases.clear();
        abandons.clear();
    }

    // ---- time

    /** Moves both clocks to the given second, without telling the machine. */
    MachineBench at(double second) {
        long nanos = NANOS_AT_START + Math.round(second * SECOND);
        now = new Moment(nanos, now.wallMillis() + (nanos - now.nanos()) / 1_000_000);
        return this;
    }

    void stepWall(Duration by) {
        now = new Moment(now.nanos(), now.wallMillis() + by.toMillis());
    }

    void stepStoreClock(Duration by) {
        storeClockStep = storeClockStep.plus(by);
    }

    Moment moment(double second) {
        long nanos = NANOS_AT_START + Math.round(second * SECOND);
        return new Moment(nanos, now.wallMillis() - (now.nanos() - nanos) / 1_000_000);
    }

    double second(long nanos) {
        return (nanos - NANOS_AT_START) / (double) SECOND;
    }

    // ---- inputs

    List<Action> take(LeaseMachine.Input input) {
        List<Action> actions = machine.take(input, now);
        for (Action action : actions) {
            if (action instanceof Action.Tell tell) {
                events.add(tell.event());
            } else if (action instanceof Action.SendClaim send) {
                claims.add(send.claim());
            } else if (action instanceof Action.SendRelease send) {
                releases.add(send.lease());
            } else if (action instanceof Action.SendAbandon send) {
                abandons.add(send.attempt());
            }
        }
        return actions;
    }

    List<Action> start() {
        return take(LeaseMachine::start);
    }

    List<Action> stop() {
        return take(LeaseMachine::stop);
    }

    List<Action> giveAway() {
        return take(LeaseMachine::giveAway);
    }

    List<Action> drained() {
        return take(LeaseMachine::drained);
    }

    List<Action> tick() {
        return take(LeaseMachine::tick);
    }

    /** A look that is answered at once. */
    List<Action> looked(LeaseRecord record) {
        return looked(record, Duration.ZERO);
    }

    /** A look that took so long to the store, whose reply came at once. */
    List<Action> looked(LeaseRecord record, Duration onTheWay) {
        machine.candidacy().lookSent();
        Moment sentAt = now.plusNanos(-onTheWay.toNanos());
        clock.read(Instant.EPOCH.plus(storeClockStep).plusNanos(now.nanos() - NANOS_AT_START), sentAt, now);
        return take((lease, at) -> lease.candidacy().looked(record, clock, at));
    }

    /** The record is seen to be free, claimed, and the claim that was sent just now is granted. */
    Lease granted(long token) {
        looked(released(OTHER, token - 1));
        return granted(token, now);
    }

    Lease granted(long token, Moment sentAt) {
        Claim claim = claims.get(claims.size() - 1);
        Lease lease = new Lease(NAME, ME, new FencingToken(token), claim.attempt(), claim.ttl());
        claimReplied(claim, sentAt, new ClaimResult.Granted(lease, Map.of(), Instant.EPOCH));
        return lease;
    }

    List<Action> claimReplied(Claim claim, Moment sentAt, ClaimResult result) {
        return take((lease, at) -> lease.claimReplied(claim, sentAt, result, at));
    }

    List<Action> claimFailed(Moment sentAt, LeaseStoreException.Problem problem) {
        Claim claim = claims.get(claims.size() - 1);
        return take((lease, at) -> lease.candidacy().claimFailed(claim, sentAt, problem, at));
    }

    boolean renewalDue() {
        return machine.renewalDue(now.nanos(), 0);
    }

    Renewal renew() {
        renewalSentAt = now;
        renewal = machine.nextRenewal();
        return renewal;
    }

    List<Action> renewReplied(RenewResult result) {
        return renewReplied(newest(), renewalSentAt, result);
    }

    List<Action> renewReplied(Renewal which, Moment sentAt, RenewResult result) {
        return take((lease, at) -> lease.renewReplied(which, sentAt, result, at));
    }

    List<Action> renewFailed() {
        Renewal which = newest();
        Moment sentAt = renewalSentAt;
        return take((lease, at) -> lease.renewFailed(which, sentAt, at));
    }

    void renewFailedAt(double second) {
        at(second).renew();
        renewFailed();
    }

    private Renewal newest() {
        Renewal which = renewal;
        if (which == null) {
            throw new IllegalStateException("no renewal was sent");
        }
        return which;
    }

    // ---- what is seen

    boolean gateIsOpen() {
        Validity validity = machine.validity();
        return validity != null && validity.pass(now).isPresent();
    }

    boolean lookDue() {
        return machine.candidacy().lookDue(now.nanos());
    }

    /** The second of the next wake-up, or a negative number if there is none. */
    double wakeAt() {
        return machine.wakeAt().map(this::second).orElse(-1.0);
    }

    // ---- records

    static LeaseRecord absent() {
        return LeaseRecord.absent(NAME);
    }

    static LeaseRecord held(HolderId holder, long token, long seq, Duration remaining) {
        return record(holder, token, seq, false, remaining);
    }

    static LeaseRecord expired(HolderId holder, long token, long seq) {
        return record(holder, token, seq, false, Duration.ZERO);
    }

    static LeaseRecord released(HolderId holder, long token) {
        return record(holder, token, 0, true, Duration.ZERO);
    }

    static LeaseRecord record(HolderId holder, long token, long seq, boolean released, Duration remaining) {
        return new LeaseRecord(
                NAME,
                token,
                seq,
                Optional.of(holder),
                Optional.of(new AttemptId("attempt-of-" + token)),
                released,
                remaining,
                SETTINGS.ttl(),
                "",
                Optional.of(Instant.EPOCH));
    }

    /** As {@link #held} by this machine, granted to the given attempt. */
    static LeaseRecord heldByMe(long token, AttemptId attempt, Duration remaining) {
        return new LeaseRecord(
                NAME,
                token,
                0,
                Optional.of(ME),
                Optional.of(attempt),
                false,
                remaining,
                SETTINGS.ttl(),
                "",
                Optional.of(Instant.EPOCH));
    }
}
