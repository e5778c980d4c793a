/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.Moment;
import java.time.Duration;

/**
 * Both clocks of one node as functions of the true time. All times are in nanoseconds; true time begins at 0 and never goes
 * back. Guarded by the lock of its {@link VirtualTime}.
 */
final class VirtualClock {

    private static final long MILLION = 1_000_000;

    private final long ratePpm;
    private long originTrue;
    private long monotonicAtOrigin;
    private long wallAtOrigin;
    private boolean suspended;

    VirtualClock(long ratePpm, long originTrue, long monotonic, long wall) {
        this.ratePpm = ratePpm;
        this.originTrue = originTrue;
        this.monotonicAtOrigin = monotonic;
        this.wallAtOrigin = wall;
    }

    VirtualClock copy() {
        VirtualClock copy = new VirtualClock(ratePpm, originTrue, monotonicAtOrigin, wallAtOrigin);
        copy.suspended = suspended;
        return copy;
    }

    Moment at(long trueTime) {
        return new Moment(monotonic(trueTime), Math.floorDiv(wall(trueTime), MILLION));
    }

    long monotonic(long trueTime) {
        return suspended ? monotonicAtOrigin : monotonicAtOrigin + counted(trueTime - originTrue);
    }

    private long wall(long trueTime) {
        return wallAtOrigin + counted(trueTime - originTrue);
    }

    /** What a clock of this rate counts in the given true time. */
    private long counted(long elapsed) {
        // In two parts, because the whole product does not fit in a long after a month.
        return elapsed + elapsed / MILLION * ratePpm + elapsed % MILLION * ratePpm / MILLION;
    }

    /** The first true time at which the monotonic clock has reached the reading; {@code Long.MAX_VALUE} if it stands still. */
    long whenMonotonic(long reading) {
        if (suspended) {
            return Long.MAX_VALUE;
        }
        long toCount = Math.max(0, reading - monotonicAtOrigin);
        long elapsed = (long) (toCount / (1.0 + (double) ratePpm / MILLION));
        while (counted(elapsed) < toCount) {
            elapsed++;
        }
        while (elapsed > 0 && counted(elapsed - 1) >= toCount) {
            elapsed--;
        }
        return originTrue + elapsed;
    }

    void stepWall(Duration by) {
        wallAtOrigin += by.toNanos();
    }

    /** Holds the monotonic clock, or lets it go on from where it was held. */
    void suspend(boolean nowSuspended, long trueTime) {
        long monotonic = monotonic(trueTime);
        wallAtOrigin = wall(trueTime);
        monotonicAtOrigin = monotonic;
        originTrue = trueTime;
        suspended = nowSuspended;
    }
}
