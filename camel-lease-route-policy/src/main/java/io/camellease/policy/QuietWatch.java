/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseName;
import io.camellease.core.Secrets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks again and again whether the work in flight under a lease has ended. Thread-safe. */
final class QuietWatch {

    private static final Logger LOG = LoggerFactory.getLogger(LeasedRoutes.class);
    private static final long LOOK_MILLIS = 20;

    /** Whose work it is. */
    interface Work {
        LeaseName name();

        /** Whether nothing works under the last grant, and nothing can begin to. */
        boolean isQuietForGood();

        /** It has ended. */
        void ended();

        /** It has not ended within the drain timeout; it is watched still. */
        void timedOut();
    }

    private final Work work;
    private final RouteThreads threads;
    private final long patienceMillis;
    private final AtomicBoolean watching = new AtomicBoolean();
    private final AtomicLong noisyMillis = new AtomicLong();

    QuietWatch(Work work, RouteThreads threads, long patienceMillis) {
        this.work = work;
        this.threads = threads;
        this.patienceMillis = patienceMillis;
    }

    boolean isWatching() {
        return watching.get();
    }

    /** Begins to look, or goes on with all patience again. */
    void begin() {
        noisyMillis.set(0);
        if (watching.compareAndSet(false, true)) {
            look();
        }
    }

    private void look() {
        if (!isOver()) {
            threads.later(LOOK_MILLIS, this::look);
        }
    }

    /** What cannot be told now is told at the next look: a look that fails must not be the last one. */
    private boolean isOver() {
        try {
            if (work.isQuietForGood()) {
                watching.set(false);
                work.ended();
                return true;
            }
            if (noisyMillis.addAndGet(LOOK_MILLIS) / LOOK_MILLIS == patienceMillis / LOOK_MILLIS) {
                work.timedOut();
            }
        } catch (Throwable failed) {
            LOG.warn(
                    "Lease '{}': could not see whether work is in flight; looking again",
                    work.name(),
                    Secrets.UNKNOWN.masked(failed));
        }
        return false;
    }
}
