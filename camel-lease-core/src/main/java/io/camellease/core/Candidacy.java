/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The waiting half of a {@link LeaseMachine}: looks at the record, decides when to claim, and follows one acquisition until
 * its outcome is known. Pure; confined to the timer thread.
 */
final class Candidacy {

    /** What was seen of the record and since when it stands still. */
    private record Watch(long token, long seq, boolean released, Moment since) {
        boolean sees(LeaseRecord record) {
            return token == record.token() && seq == record.seq() && released == record.released();
        }
    }

    /** An acquisition whose outcome is not known yet. */
    private static final class Attempt {
        final Claim claim;

        @Nullable
        Moment firstSentAt;

        boolean inFlight = true;
        int failures;
        long retryAtNanos;

        Attempt(Claim claim) {
            this.claim = claim;
        }
    }

    private final LeaseName name;
    private final HolderId holder;
    private final LeaseSettings settings;
    private final Pace pace;
    private final Supplier<AttemptId> newAttempt;
    private final Supplier<String> value;

    private long lookAtNanos;
    private boolean looking;
    private int refusals;
    private @Nullable Watch watch;
    private @Nullable LeaseRecord told;
    private @Nullable Moment wentBackAt;
    private long highestToken;
    private @Nullable Attempt attempt;
    private @Nullable AttemptId abandoned;

    Candidacy(
            LeaseName name,
            HolderId holder,
            LeaseSettings settings,
            Supplier<AttemptId> newAttempt,
            Supplier<String> value) {
        this.name = name;
        this.holder = holder;
        this.settings = settings;
        this.pace = new Pace(settings);
        this.newAttempt = newAttempt;
        this.value = value;
    }

    void lookAgain(Moment now) {
        lookAtNanos = now.nanos();
    }

    /** Whether a look is due at the given instant; none is while an attempt or another look is under way. */
    boolean lookDue(long untilNanos) {
        return !looking && attempt == null && lookAtNanos - untilNanos <= 0;
    }

    void lookSent() {
        looking = true;
    }

    void lookFailed(LeaseStoreException.Problem problem, Moment now) {
        looking = false;
        boolean mayPass = problem == LeaseStoreException.Problem.UNAVAILABLE;
        refusals = mayPass ? 0 : refusals + 1;
        lookAtNanos = now.nanos() + (mayPass ? pace.nextLook(now) : pace.refused(refusals));
    }

    /** A record is here: claim it, or look again later. */
    void looked(LeaseRecord record, @Nullable Moment clockMovedAt, boolean mayClaim, Moment now, List<Action> out) {
        looking = false;
        refusals = record.isHeld() ? 0 : refusals;
        Watch current = watchFrom(record, now);
        noteToken(record, now, out);
        tellHolder(record, out);
        lookAtNanos = now.nanos() + Math.min(pace.nextLook(now), untilExpiry(record));
        if (!mayClaim || attempt != null) {
            return;
        }
        boolean stoodStill = now.nanosSince(current.since()) >= patience(record);
        if (mayTake(record, current, clockMovedAt, stoodStill, now)) {
            claim(record, stoodStill, out);
        }
    }

    private Watch watchFrom(LeaseRecord record, Moment now) {
        Watch before = watch;
        if (before == null || !before.sees(record)) {
            before = new Watch(record.token(), record.seq(), record.released(), now);
            watch = before;
        }
        return before;
    }

    private void noteToken(LeaseRecord record, Moment now, List<Action> out) {
        if (record.token() >= highestToken) {
            highestToken = record.token();
            wentBackAt = null;
        } else if (wentBackAt == null) {
            wentBackAt = now;
            out.add(new Action.Tell(new LeaseEvent.RecordWentBack(record, highestToken)));
        }
    }

    private void tellHolder(LeaseRecord record, List<Action> out) {
        if (!record.isHeld() || record.isGrantOf(holder)) {
            return;
        }
        LeaseRecord before = told;
        if (before == null
                || before.token() != record.token()
                || !before.holder().equals(record.holder())) {
            told = record;
            out.add(new Action.Tell(new LeaseEvent.HolderChanged(record)));
        }
    }

    private static long untilExpiry(LeaseRecord record) {
        return record.isHeld() ? record.remaining().toNanos() : Long.MAX_VALUE;
    }

    /** How long a record must stand still before a holder of it must have stopped, whatever the store's clock does. */
    private long patience(LeaseRecord record) {
        Duration longer = record.ttl().compareTo(settings.ttl()) > 0 ? record.ttl() : settings.ttl();
        return longer.toNanos() / 100 * 102;
    }

    private boolean mayTake(
            LeaseRecord record, Watch current, @Nullable Moment clockMovedAt, boolean stoodStill, Moment now) {
        Moment wentBack = wentBackAt;
        if (wentBack != null && now.nanosSince(wentBack) < patience(record)) {
            return false;
        }
        if (record.isHeld()) {
            return isMyAbandoned(record) || (stoodStill && hasImpossibleExpiry(record));
        }
        boolean expired = record.holder().isPresent() && !record.released();
        return !expired || stoodStill || !isClockInDoubt(record, current, clockMovedAt, now);
    }

    private boolean isMyAbandoned(LeaseRecord record) {
        return abandoned != null
                && record.isGrantOf(holder)
                && record.attempt().filter(abandoned::equals).isPresent();
    }

    /** More time remains than a grant can have: the store's clock went back since. */
    private boolean hasImpossibleExpiry(LeaseRecord record) {
        return record.remaining().compareTo(record.ttl().plus(settings.clockBand())) > 0;
    }

    private boolean isClockInDoubt(LeaseRecord record, Watch current, @Nullable Moment clockMovedAt, Moment now) {
        return clockMovedAt != null
                && (clockMovedAt.nanosSince(current.since()) >= 0 || now.nanosSince(clockMovedAt) < patience(record));
    }

    private void claim(LeaseRecord record, boolean observed, List<Action> out) {
        Claim claim = new Claim(
                name, holder, newAttempt.get(), record.token(), record.seq(), observed, settings.ttl(), value.get());
        attempt = new Attempt(claim);
        out.add(new Action.SendClaim(claim));
    }

    boolean isCurrent(Claim claim) {
        return attempt != null && attempt.claim.equals(claim);
    }

    /** The attempt was granted: from when on the grant counts, which is its first send. */
    Moment granted(Lease lease, Moment sentAt) {
        Attempt done = attempt;
        attempt = null;
        abandoned = null;
        refusals = 0;
        watch = null;
        wentBackAt = null;
        highestToken = Math.max(highestToken, lease.token().value());
        return done != null && done.firstSentAt != null ? done.firstSentAt : sentAt;
    }

    /** The attempt was refused: nothing of it remains in the store. */
    void refused(Moment now) {
        attempt = null;
        lookAtNanos = now.nanos() + pace.retry(1);
    }

    void claimFailed(Moment sentAt, Moment now) {
        Attempt current = attempt;
        if (current == null) {
            return;
        }
        if (current.firstSentAt == null) {
            current.firstSentAt = sentAt;
        }
        current.inFlight = false;
        current.failures++;
        current.retryAtNanos = now.nanos() + pace.retry(current.failures);
    }

    /** Sends an attempt again whose outcome is unknown, or gives it up once a grant of its first send would be past U. */
    void retry(Moment now, List<Action> out) {
        Attempt current = attempt;
        if (current == null || current.inFlight) {
            return;
        }
        Moment first = current.firstSentAt;
        if (first != null && now.nanosSince(first) >= settings.usableNanos()) {
            abandon(out);
            lookAgain(now);
        } else if (current.retryAtNanos - now.nanos() <= 0) {
            current.inFlight = true;
            out.add(new Action.SendClaim(current.claim));
        }
    }

    /** Gives up an attempt, if there is one, that may have been granted or may still be. */
    void abandon(List<Action> out) {
        Attempt current = attempt;
        if (current != null) {
            abandoned = current.claim.attempt();
            attempt = null;
            out.add(new Action.SendAbandon(current.claim.attempt()));
        }
    }

    /** When something is next to be done, or empty while an answer is awaited. */
    Optional<Long> wakeAt() {
        Attempt current = attempt;
        if (current != null) {
            return current.inFlight ? Optional.empty() : Optional.of(current.retryAtNanos);
        }
        return looking ? Optional.empty() : Optional.of(lookAtNanos);
    }

    long highestToken() {
        return highestToken;
    }
}
