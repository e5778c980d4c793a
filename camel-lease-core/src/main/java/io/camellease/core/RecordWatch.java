/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a candidate has seen of one record, and whether that is enough to take the lease. Pure; confined to the timer thread.
 *
 * <p>The store's clock decides, unless it moved, or may have, unseen behind a reply that took long: then this process must itself have watched the record stand still for as long
 * as a holder may go on without a renewal.
 */
final class RecordWatch {

    private static final Duration LONGEST = LeaseSettings.MAX_TTL;

    private final HolderId holder;
    private final LeaseSettings settings;
    private final Consumer<LeaseEvent> tell;

    private @Nullable LeaseRecord seen;
    private @Nullable Moment seenSince;
    private boolean firstSight = true;
    private @Nullable Moment wentBackAt;
    private long highestToken;
    private long highestSeq;
    private @Nullable LeaseRecord told;

    RecordWatch(HolderId holder, LeaseSettings settings, Consumer<LeaseEvent> tell) {
        this.holder = holder;
        this.settings = settings;
        this.tell = tell;
    }

    /** The record as the store showed it now. */
    void saw(LeaseRecord record, Moment now) {
        LeaseRecord before = seen;
        if (before == null || !isUnchanged(before, record)) {
            firstSight = firstSight && before == null;
            seen = record;
            seenSince = now;
        }
        noteToken(before, record, now);
        tellHolder(record);
    }

    /** This node was granted the lease itself: what it saw before is of no use any more. */
    void granted(FencingToken token) {
        seen = null;
        seenSince = null;
        firstSight = false;
        wentBackAt = null;
        if (token.value() > highestToken) {
            highestToken = token.value();
            highestSeq = 0;
        }
    }

    private static boolean isUnchanged(LeaseRecord before, LeaseRecord record) {
        return before.token() == record.token()
                && before.seq() == record.seq()
                && before.released() == record.released();
    }

    private void noteToken(@Nullable LeaseRecord before, LeaseRecord record, Moment now) {
        if (!isOlder(record, highestToken, highestSeq)) {
            highestToken = record.token();
            highestSeq = record.seq();
            wentBackAt = null;
        } else if (wentBackAt == null || isOlder(record, before)) {
            wentBackAt = now;
            tell.accept(new LeaseEvent.RecordWentBack(record, highestToken));
        }
    }

    /** Whether a record that is older than the newest of all is older than the last one as well: it went back once more. */
    private static boolean isOlder(LeaseRecord record, @Nullable LeaseRecord before) {
        return before != null && isOlder(record, before.token(), before.seq());
    }

    /** A released record is proof that its grant is over, however old it is. */
    private static boolean isOlder(LeaseRecord record, long token, long seq) {
        return record.token() == token ? record.seq() < seq && !record.released() : record.token() < token;
    }

    private void tellHolder(LeaseRecord record) {
        LeaseRecord before = told;
        boolean news = before == null
                || before.token() != record.token()
                || !before.holder().equals(record.holder());
        if (news && record.isHeld() && !record.isGrantOf(holder)) {
            told = record;
            tell.accept(new LeaseEvent.HolderChanged(record));
        }
    }

    /** Whether the record has not changed for so long that whoever holds it must have stopped, by this process's own clock. */
    boolean stoodStill(LeaseRecord record, Moment now) {
        return seenSince != null && now.nanosSince(seenSince) >= patience(record);
    }

    /** Somewhat longer than a holder may go on without a renewal. */
    private long patience(LeaseRecord record) {
        Duration longer = record.ttl().compareTo(settings.ttl()) > 0 ? record.ttl() : settings.ttl();
        // no grant lasts longer, so a record that says so is damaged
        return (longer.compareTo(LONGEST) > 0 ? LONGEST : longer).toNanos() / 100 * 102;
    }

    /** Whether the record was deleted or restored so short a time ago that a holder of a later grant may still be at work. */
    boolean wentBack(LeaseRecord record, Moment now) {
        return wentBackAt != null && now.nanosSince(wentBackAt) < patience(record);
    }

    /** Whether a record that is not held may be taken. */
    boolean isFree(LeaseRecord record, StoreClock clock, Moment now) {
        boolean neverGrantedOrReleased = record.holder().isEmpty() || record.released();
        return neverGrantedOrReleased || stoodStill(record, now) || !isClockInDoubt(record, clock, now);
    }

    private boolean isClockInDoubt(LeaseRecord record, StoreClock clock, Moment now) {
        Moment movedAt = clock.movedAt();
        if (!clock.isSure()) {
            return true;
        }
        return movedAt != null
                && (seenSince == null
                        || movedAt.nanosSince(seenSince) >= 0
                        || now.nanosSince(movedAt) < patience(record));
    }

    /**
     * Whether a record that is held by the store's clock will be so for too long, because that clock went back: more time
     * remains than a grant can have, and it stood still. A record that changed before the eyes of this process while the clock
     * did not move was written so by hand, and is respected.
     */
    boolean isStuck(LeaseRecord record, StoreClock clock, Moment now) {
        boolean tooLong = record.remaining().minus(settings.clockBand()).compareTo(record.ttl()) > 0;
        return tooLong && stoodStill(record, now) && (firstSight || clock.movedAt() != null);
    }
}
