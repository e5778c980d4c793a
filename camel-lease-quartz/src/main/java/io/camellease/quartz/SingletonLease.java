/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.Lease;
import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseListener;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseState;
import io.camellease.core.LeaseTimer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One lease of singleton jobs: opens and shuts their guard, and gives the lease back when none of them runs. Thread-safe. */
final class SingletonLease implements LeaseListener {

    private static final Logger LOG = LoggerFactory.getLogger(SingletonLease.class);

    private final LeaseElector elector;
    private final FireGuard guard;
    private final LeaseTimer timer;
    private final LeaseListener others;
    private final boolean interruptOnLoss;
    private final long drainNanos;

    SingletonLease(
            LeaseName name,
            LeaseClient client,
            LeaseTriggerListener listener,
            SingletonJobs.Options options,
            Supplier<String> value,
            LeaseListener others) {
        this.elector = client.elector(name, this, value);
        this.timer = listener.access().timer();
        this.others = others;
        this.interruptOnLoss = options.interruptOnLoss();
        this.drainNanos = client.settings().drainTimeout().toNanos();
        this.guard = listener.newGuard(
                new LeaseUse(elector, client.settings(), client.ticker()),
                options.slots(),
                new Surroundings() {},
                null);
    }

    LeaseElector elector() {
        return elector;
    }

    FireGuard guard() {
        return guard;
    }

    @Override
    public void onEvent(LeaseEvent event) {
        if (event instanceof LeaseEvent.Granted granted) {
            guard.open(granted.lease());
        } else if (event instanceof LeaseEvent.Resumed resumed) {
            guard.open(resumed.lease());
        } else if (event instanceof LeaseEvent.Secured secured) {
            // while it was at risk, fires may have been refused on suspicion of a clock
            guard.open(secured.lease());
        } else if (event instanceof LeaseEvent.Suspended) {
            guard.shut();
        } else if (event instanceof LeaseEvent.Draining draining) {
            drain(draining.lease());
        } else if (event instanceof LeaseEvent.Lost lost) {
            drain(lost.lease());
            if (interruptOnLoss) {
                guard.interrupt(lost.lease());
            }
        }
        others.onEvent(event);
    }

    private void drain(Lease lease) {
        guard.shut();
        timer.schedule(() -> drainTimedOut(lease), drainNanos);
        guard.whenQuiet(() -> elector.drained(lease));
    }

    private void drainTimedOut(Lease lease) {
        if (elector.state() == LeaseState.DRAINING
                && elector.lease().filter(lease::equals).isPresent()) {
            LOG.warn(
                    "Lease '{}': a job still runs {} s after it was to end. The lease is left to expire; this node is no"
                            + " candidate until the job has ended",
                    elector.name(),
                    drainNanos / 1_000_000_000L);
            elector.drainAbandoned();
        }
    }
}
