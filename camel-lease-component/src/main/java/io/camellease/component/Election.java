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
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lease and the consumers of this context that are told of it. If the lease is that of a route, they only watch: the
 * routes take part in its election, and decide when it is given back. Thread-safe.
 *
 * <p>Who takes part and what is told change under the one lock of all elections, so that a consumer that joins is either told
 * of a term and counted when the term ends, or neither.
 */
final class Election implements LeaseListener {

    private static final Logger LOG = LoggerFactory.getLogger(Election.class);
    private static final long LOOK_AGAIN_MILLIS = 100;

    private final LeaseName name;
    private final LeaseService leases;

    /** The lock of all that follows. */
    private final Elections elections;

    private final Consumers consumers = new Consumers();
    private @Nullable LeaseElector own;
    private boolean watches;

    private final Term term = new Term();

    /** Whether the consumers, of which none stayed, wanted the lease to be given back. */
    private boolean asked;

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

    /**
     * One more consumer, which makes this process a candidate, unless the lease is a route's. It is told of the present term as if
     * it began now.
     *
     * @throws IllegalStateException if others than routes of this context take part in it, or the lease service does not run
     */
    void join(LeaseConsumer consumer) {
        synchronized (elections) {
            takePart();
            consumers.join(consumer);
            term.present().ifPresent(lease -> consumer.take(new LeaseEvent.Granted(lease), "granted"));
        }
    }

    private void takePart() {
        asked = asked && !term.isOver();
        if (own == null && isOfRoute()) {
            watch();
            return;
        }
        LeaseElector elector = own == null ? newElector() : own;
        own = elector;
        elector.start();
    }

    private boolean isOfRoute() {
        return leases.electors().stream().anyMatch(elector -> elector.name().equals(name));
    }

    private LeaseElector newElector() {
        if (leases.existing(name).isPresent()) {
            throw new IllegalStateException(
                    "lease '" + name + "' is that of a cluster namespace, or of another instance of the"
                            + " component, of this context: a lease: consumer can watch that of a route only, or needs a name of its"
                            + " own");
        }
        return leases.elector(name, this);
    }

    private void watch() {
        if (!watches) {
            watches = true;
            leases.addListener(this);
            // only then, so that its end is not missed
            leases.existing(name)
                    .filter(elector -> elector.state() != LeaseState.DRAINING)
                    .flatMap(LeaseElector::lease)
                    .ifPresent(term::begin);
        }
    }

    /** A consumer wants to end. With the last one the lease is given back, once all exchanges have ended. */
    void leave(LeaseConsumer consumer) {
        synchronized (elections) {
            if (consumers.leave(consumer)) {
                endIfNobodyStays();
            }
        }
    }

    private void endIfNobodyStays() {
        LeaseElector elector = own;
        if (elector != null && !consumers.anyStays()) {
            asked = true;
            elector.stop();
        }
        elections.notifyAll();
    }

    /** A consumer that wanted to end goes on; returns false if it has ended, or did not want to. */
    boolean stay(LeaseConsumer consumer) {
        synchronized (elections) {
            boolean leaves = consumers.stay(consumer);
            if (leaves) {
                takePart();
            }
            return leaves;
        }
    }

    boolean isLeaving(LeaseConsumer consumer) {
        synchronized (elections) {
            return !consumers.isStaying(consumer);
        }
    }

    /** Whether nothing more happens that a consumer that wants to end is to be told. */
    boolean isOver() {
        synchronized (elections) {
            LeaseElector elector = own;
            return elector == null
                    || consumers.anyStays()
                    // its last event may come after it has stopped
                    || (elector.state() == LeaseState.STOPPED && term.isOver());
        }
    }

    /** A consumer has ended; its lease waits for its exchanges. */
    void left(LeaseConsumer consumer) {
        synchronized (elections) {
            consumers.end(consumer);
            endIfNobodyStays();
            if (consumer.isIdle()) {
                forget(consumer);
            } else {
                consumer.afterwards(() -> forget(consumer));
            }
        }
    }

    private void forget(LeaseConsumer consumer) {
        synchronized (elections) {
            consumers.forget(consumer);
            forgetIfOver();
        }
    }

    /** The lease service ends: nothing more happens. */
    void end() {
        synchronized (elections) {
            own = null;
            term.end();
            elections.notifyAll();
        }
    }

    /** Nobody takes part any more and the lease is given back. */
    private void forgetIfOver() {
        LeaseElector elector = own;
        if (!consumers.isEmpty()) {
            return;
        }
        if (elector != null && elector.state() != LeaseState.STOPPED) {
            if (elector.lease().isEmpty()) {
                // nothing happens when a standby stops
                elections.later(this::forgetIfOver, TimeUnit.MILLISECONDS.toNanos(LOOK_AGAIN_MILLIS));
            }
            return;
        }
        leases.removeListener(this);
        if (elector != null) {
            leases.remove(elector);
        }
        elections.forget(this);
    }

    // ---- what happens

    @Override
    public void onEvent(LeaseEvent event) {
        if (event.name().equals(name)) {
            synchronized (elections) {
                take(event);
                elections.notifyAll();
            }
        }
    }

    private void take(LeaseEvent event) {
        if (event instanceof LeaseEvent.Granted granted) {
            term.begin(granted.lease());
        }
        tellAll(event);
        term.told(event);
        if (event instanceof LeaseEvent.Draining draining) {
            drain(draining.lease());
        } else if (event instanceof LeaseEvent.Lost lost) {
            drain(lost.lease());
        }
        forgetIfOver();
    }

    private void tellAll(LeaseEvent event) {
        String reason = event instanceof LeaseEvent.Granted ? "granted" : isAsked() ? "stopped" : "givenAway";
        consumers.listening().forEach(consumer -> {
            try {
                consumer.take(event, reason);
            } catch (Throwable thrown) {
                LOG.error("A consumer of lease '{}' could not be told {}", name, event, thrown);
            }
        });
    }

    /** Whether the consumers themselves, of which none stays, wanted the end. */
    private boolean isAsked() {
        return own == null ? !consumers.anyStays() : asked;
    }

    /** The lease is given back, or claimed again, when all exchanges under it have ended. */
    private void drain(Lease lease) {
        LeaseElector elector = own;
        if (elector == null) {
            return;
        }
        Collection<LeaseConsumer> all = consumers.all();
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
     * Waits until an exchange of a consumer may begin under that grant, while its renewal is in doubt.
     *
     * @return false if none may any more, or the consumer wants to end
     */
    boolean awaitUsable(long token, LeaseConsumer consumer) {
        try {
            synchronized (elections) {
                while (!isLeaving(consumer) && isGranted(token)) {
                    if (leases.isHeld(name, token)) {
                        return true;
                    }
                    elections.wait(LOOK_AGAIN_MILLIS);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private boolean isGranted(long token) {
        return leases.existing(name)
                .flatMap(LeaseElector::lease)
                .filter(grant -> grant.token().value() == token)
                .isPresent();
    }
}
