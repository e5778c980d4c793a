/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseListener;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseState;
import io.camellease.policy.LeaseService;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One lease and the consumers of this context that are told of it. If the lease is that of a route, they only watch: the
 * routes take part in its election, and decide when it is given back. Thread-safe.
 */
final class Election implements LeaseListener {

    private static final long LOOK_AGAIN_MILLIS = 100;

    private final LeaseName name;
    private final LeaseService leases;
    private final Elections elections;
    private final List<LeaseConsumer> consumers = new CopyOnWriteArrayList<>();
    private final Object changed = new Object();

    /** Have ended, but maybe not their exchanges. */
    private final List<LeaseConsumer> gone = new CopyOnWriteArrayList<>();

    private volatile @Nullable LeaseElector own;
    private volatile boolean asked;

    /** Whether the consumers were told of a grant, and not yet of its end. */
    private volatile boolean inTerm;

    /** An election that nobody takes part in yet. */
    Election(LeaseName name, LeaseService leases, Elections elections) {
        this.name = name;
        this.leases = leases;
        this.elections = elections;
    }

    LeaseName name() {
        return name;
    }

    // ---- who takes part

    /** One more consumer; the first makes this process a candidate, unless the lease is a route's. */
    synchronized void join(LeaseConsumer consumer) {
        boolean first = consumers.isEmpty();
        consumers.add(consumer);
        asked = false;
        LeaseElector elector = own;
        if (elector == null && leases.existing(name).isPresent()) {
            leases.removeListener(this);
            leases.addListener(this);
        } else if (elector == null) {
            elector = leases.elector(name, this);
            own = elector;
        }
        if (elector != null && first) {
            elector.start();
        }
        tellPresentTerm(consumer);
    }

    /** Who joins late is told of the present term as if it began now. */
    private void tellPresentTerm(LeaseConsumer consumer) {
        leases.existing(name)
                .filter(elector -> elector.check().isPresent())
                .flatMap(LeaseElector::lease)
                .ifPresent(lease -> consumer.take(new LeaseEvent.Granted(lease), "granted"));
    }

    /** A consumer wants to end. With the last one the lease is given back, once all exchanges have ended. */
    synchronized void leave(LeaseConsumer consumer) {
        LeaseElector elector = own;
        if (elector == null || isLast(consumer)) {
            asked = true;
        }
        if (elector != null && isLast(consumer)) {
            elector.stop();
        }
        wake();
    }

    private boolean isLast(LeaseConsumer consumer) {
        return consumers.size() == 1 && consumers.contains(consumer);
    }

    /** Whether nothing more happens that the consumer is to be told. */
    boolean isOverFor(LeaseConsumer consumer) {
        LeaseElector elector = own;
        return elector == null || !isLast(consumer) || (elector.state() == LeaseState.STOPPED && !inTerm);
    }

    /**
     * A consumer has ended.
     *
     * @return whether this election has ended with it
     */
    synchronized boolean left(LeaseConsumer consumer) {
        if (consumers.remove(consumer)) {
            gone.add(consumer);
        }
        return isOver();
    }

    /** Whether nobody takes part any more and the lease is given back, so that this can be forgotten. */
    synchronized boolean isOver() {
        gone.removeIf(LeaseConsumer::isIdle);
        if (!consumers.isEmpty()) {
            return false;
        }
        leases.removeListener(this);
        LeaseElector elector = own;
        if (elector != null && elector.state() == LeaseState.STOPPED) {
            leases.remove(elector);
            own = null;
        }
        return own == null;
    }

    // ---- what happens

    @Override
    public void onEvent(LeaseEvent event) {
        if (!event.name().equals(name)) {
            return;
        }
        String reason = event instanceof LeaseEvent.Granted ? "granted" : asked ? "stopped" : "givenAway";
        inTerm = inTerm || event instanceof LeaseEvent.Granted;
        consumers.forEach(consumer -> consumer.take(event, reason));
        if (event instanceof LeaseEvent.Lost || event instanceof LeaseEvent.Released) {
            // not before: the elector is stopped before its last event arrives here
            inTerm = false;
        }
        if (event instanceof LeaseEvent.Lost lost) {
            drain(lost.lease());
        } else if (event instanceof LeaseEvent.Draining draining) {
            drain(draining.lease());
        }
        wake();
        if (consumers.isEmpty()) {
            elections.forgetIfOver(this);
        }
    }

    /** The lease is given back, or claimed again, when all exchanges under it have ended. */
    private void drain(Lease lease) {
        LeaseElector elector = own;
        if (elector == null) {
            return;
        }
        List<LeaseConsumer> all = new ArrayList<>(consumers);
        all.addAll(gone);
        AtomicInteger left = new AtomicInteger(all.size() + 1);
        Runnable passed = () -> {
            if (left.decrementAndGet() == 0) {
                elector.drained(lease);
            }
        };
        all.forEach(consumer -> consumer.afterwards(passed));
        passed.run();
    }

    /**
     * Waits until an exchange may begin under that grant, while its renewal is in doubt.
     *
     * @param givenUp ends the waiting
     * @return false if none may any more
     */
    boolean awaitUsable(long token, BooleanSupplier givenUp) {
        try {
            while (!givenUp.getAsBoolean() && isGranted(token)) {
                if (leases.isHeld(name, token)) {
                    return true;
                }
                synchronized (changed) {
                    changed.wait(LOOK_AGAIN_MILLIS);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private boolean isGranted(long token) {
        Optional<Lease> lease = leases.existing(name).flatMap(LeaseElector::lease);
        return lease.filter(grant -> grant.token().value() == token).isPresent();
    }

    private void wake() {
        synchronized (changed) {
            changed.notifyAll();
        }
    }
}
