/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import io.camellease.core.Pass;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether runs may begin, and under which grant. Thread-safe. */
final class Entrance {

    private final LeaseElector elector;
    private final Surroundings surroundings;
    private volatile @Nullable Lease open;

    Entrance(LeaseElector elector, Surroundings surroundings) {
        this.elector = elector;
        this.surroundings = surroundings;
    }

    void open(Lease lease) {
        open = lease;
    }

    void shut() {
        open = null;
    }

    /** The grant that it is open for, whether it can be relied on or not. */
    Optional<Lease> grant() {
        return Optional.ofNullable(open);
    }

    boolean isOpenFor(Lease lease) {
        return lease.equals(open);
    }

    /** The grant under which a run may begin at this instant. */
    Optional<Lease> usable() {
        return elector.check().map(Pass::lease).filter(lease -> isOpenFor(lease) && surroundings.isOpen());
    }

    /** Whether that grant can be relied on at this instant, also if it is being given back. */
    boolean isHeld(Lease lease) {
        return elector.check().map(Pass::lease).filter(lease::equals).isPresent();
    }
}
