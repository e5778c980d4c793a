/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls that are applied when nobody waits for their answer any more. Thread-safe; copies run outside its lock. */
final class LateCopies {

    private static final Logger LOG = LoggerFactory.getLogger(LateCopies.class);

    private static final class Copy {
        private final Runnable call;
        private int callsToWait;

        Copy(Runnable call, int callsToWait) {
            this.call = call;
            this.callsToWait = callsToWait;
        }
    }

    private final List<Copy> waiting = new ArrayList<>();

    synchronized void add(Runnable call, int callsToWait) {
        waiting.add(new Copy(call, callsToWait));
    }

    /** Counts one call that has ended, and applies the copies that waited for it. */
    void callEnded() {
        List<Copy> due = new ArrayList<>();
        synchronized (this) {
            waiting.forEach(copy -> copy.callsToWait--);
            waiting.removeIf(copy -> copy.callsToWait <= 0 && due.add(copy));
        }
        due.forEach(LateCopies::apply);
    }

    int applyAll() {
        List<Copy> due;
        synchronized (this) {
            due = List.copyOf(waiting);
            waiting.clear();
        }
        due.forEach(LateCopies::apply);
        return due.size();
    }

    synchronized void drop() {
        waiting.clear();
    }

    private static void apply(Copy copy) {
        try {
            copy.call.run();
        } catch (RuntimeException unanswered) {
            LOG.debug("A late copy failed, and nobody waits for its answer", unanswered);
        }
    }
}
