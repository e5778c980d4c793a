/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.Lease;
import io.camellease.core.LeaseEvent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The term that the consumers of an election were told of last, until they were told of its end. Not thread-safe. */
final class Term {

    private @Nullable Lease lease;

    /** Whether it is being given back: who joins now waits for the next one. */
    private boolean draining;

    /** A grant, of which those that come are told. */
    void begin(Lease grant) {
        lease = grant;
        draining = false;
    }

    /** An event was told. */
    void told(LeaseEvent event) {
        if (event instanceof LeaseEvent.Draining) {
            draining = true;
        } else if (event instanceof LeaseEvent.Lost lost) {
            over(lost.lease());
        } else if (event instanceof LeaseEvent.Released released) {
            over(released.lease());
        }
    }

    private void over(Lease ended) {
        if (ended.equals(lease)) {
            end();
        }
    }

    /** Whatever it was, nothing more is told of it. */
    void end() {
        lease = null;
        draining = false;
    }

    boolean isOver() {
        return lease == null;
    }

    /** The grant, if who comes now is to be told of it. */
    Optional<Lease> present() {
        return draining ? Optional.empty() : Optional.ofNullable(lease);
    }
}
