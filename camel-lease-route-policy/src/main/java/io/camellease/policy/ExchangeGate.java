/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseState;
import io.camellease.core.Pass;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.apache.camel.Consumer;
import org.apache.camel.Exchange;
import org.apache.camel.Ordered;
import org.apache.camel.Route;
import org.apache.camel.support.SynchronizationAdapter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets an exchange begin only under a lease that can be relied on at this instant, and counts those that have begun.
 * Thread-safe.
 *
 * <p>An exchange counts from before the lease is looked at until its last completion, which Camel hands over to whoever works
 * on it next. So once a grant is barred and nothing counts, nothing works under it and nothing will.
 */
final class ExchangeGate {

    private static final Logger LOG = LoggerFactory.getLogger(ExchangeGate.class);

    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long SUSPENDING_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Route route;
    private final LeaseElector elector;
    private final ConsumerFence fence;
    private final LeaseSettings settings;
    private final boolean isCalled;
    private final Runnable onClosed;

    private final AtomicInteger active = new AtomicInteger();
    private final AtomicLong barredUpTo = new AtomicLong();
    private volatile long openFor;

    private final Lock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /**
     * A gate that is shut until {@link #open}.
     *
     * @param fence of the route's consumer
     * @param settings say how long an exchange waits for a lease that may come back
     * @param isCalled whether other routes of this process call the route, and wait for it
     * @param onClosed is run, on the exchange's thread, when one was refused or the next one would be
     */
    ExchangeGate(
            Route route,
            LeaseElector elector,
            ConsumerFence fence,
            LeaseSettings settings,
            boolean isCalled,
            Runnable onClosed) {
        this.route = route;
        this.elector = elector;
        this.fence = fence;
        this.settings = settings;
        this.isCalled = isCalled;
        this.onClosed = onClosed;
    }

    /** Opens for one grant, unless that grant is barred already. */
    void open(Lease lease) {
        openFor = lease.token().value();
        wake();
    }

    /** Shuts for one grant and all before it, for good. */
    void bar(Lease lease) {
        barredUpTo.accumulateAndGet(lease.token().value(), Math::max);
        wake();
    }

    /** Makes waiting exchanges look again. */
    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isOpen() {
        return pass().isPresent();
    }

    /** How many exchanges have begun and have not ended, or are being looked at. */
    int active() {
        return active.get();
    }

    private Optional<Pass> pass() {
        return pass(false);
    }

    private Optional<Pass> pass(boolean hasBegun) {
        return elector.check()
                .filter(pass -> hasBegun ? pass.lease().token().value() == openFor : isOpenFor(pass.lease()));
    }

    private boolean isOpenFor(Lease lease) {
        long token = lease.token().value();
        return token == openFor && token > barredUpTo.get();
    }

    /**
     * Stamps the exchange, or refuses it so that its source keeps the message. One that carries a stamp when the route is called
     * comes from another leased route, which waits for it: it has begun already, and goes on to its end. One that was left in a
     * queue begins here like any other.
     *
     * @param hasBegun whether what it is for had begun before: then it goes on under a lease that is being given back
     * @return whether it begins
     */
    boolean begin(Exchange exchange, boolean hasBegun) {
        active.incrementAndGet();
        boolean isCounted = false;
        try {
            boolean isAtWork = isCalled && ExchangeLeases.isAtWork(exchange);
            Optional<Pass> pass = isAtWork ? Optional.empty() : pass(hasBegun);
            if (pass.isEmpty() && !isAtWork) {
                pass = park();
            }
            if (pass.isPresent() || isAtWork) {
                exchange.getExchangeExtension().addOnCompletion(new Ending());
                isCounted = true;
                // may fail: a message may read its headers only now
                pass.ifPresent(given -> stamp(exchange, route, given));
                return true;
            }
            refuse(exchange);
            return false;
        } finally {
            if (!isCounted) {
                active.decrementAndGet();
            }
        }
    }

    /** The end of an exchange that was let in. */
    private final class Ending extends SynchronizationAdapter {
        @Override
        public int getOrder() {
            // after the source's own, which deletes or moves the file
            return Ordered.LOWEST;
        }

        @Override
        public void onDone(Exchange done) {
            active.decrementAndGet();
            if (!isOpen()) {
                // before the consumer takes the next of its batch, which it may
                // move away before it can be refused
                onClosed.run();
            }
        }
    }

    private static void stamp(Exchange exchange, Route route, Pass pass) {
        Lease lease = pass.lease();
        exchange.setProperty(LeaseConstants.LEASE_NAME, lease.name().value());
        exchange.setProperty(LeaseConstants.LEASE_TOKEN, lease.token().value());
        ExchangeLeases.atWork(exchange, route.getRouteId());
        exchange.setProperty(LeaseConstants.LEASE_CHECKED_AT, pass.checkedAt().nanos());
        exchange.getIn().setHeader(LeaseConstants.LEASE_NAME, lease.name().value());
        exchange.getIn().setHeader(LeaseConstants.LEASE_TOKEN, lease.token().value());
    }

    /** The exchange goes back to the route that called this one. */
    void returned(Exchange exchange) {
        if (isCalled) {
            ExchangeLeases.returned(exchange, route.getRouteId());
        }
    }

    void refuse(Exchange exchange) {
        refuse(
                exchange,
                "route '" + route.getRouteId() + "' may begin nothing: lease '" + elector.name()
                        + "' is not held by this node, or is about to end");
        Consumer consumer = route.getConsumer();
        if (consumer != null) {
            RefusedFile.keep(exchange, consumer);
        }
        onClosed.run();
        // a listener that returns earlier is handed the next message, which would have to be refused as well
        waitWhile(SUSPENDING_NANOS, fence::isPushing);
        if (!isCalled && fence.ticks()) {
            exchange.getExchangeExtension().addOnCompletion(new Pause());
        }
    }

    /**
     * A timer without a delay fires although it is suspended, and a queue may be let go on by another policy: they wait once their
     * exchange is nowhere counted any more.
     */
    private final class Pause extends SynchronizationAdapter {
        @Override
        public void onDone(Exchange refused) {
            waitWhile(SUSPENDING_NANOS, () -> !isOpen() && fence.isUp());
        }
    }

    /** Makes an exchange end before it begins, in a way in which its source keeps the message. */
    static void refuse(Exchange exchange, String why) {
        // both: the exception alone goes to the dead letter channel, the stop alone lets the source commit
        exchange.setException(new LeaseLostException(why + ". The message stays where it is"));
        exchange.setRouteStop(true);
        LOG.debug("Exchange {} refused: {}", exchange.getExchangeId(), why);
    }

    /** Waits for a lease that may come back under the same token. */
    private Optional<Pass> park() {
        waitWhile(patience().toNanos(), () -> !isOpen() && mayComeBack());
        return pass();
    }

    /** Waits until the condition does not hold, at most for that time. */
    private void waitWhile(long atMostNanos, BooleanSupplier condition) {
        long remaining = atMostNanos;
        lock.lock();
        try {
            while (remaining > 0 && condition.getAsBoolean()) {
                long slice = Math.min(remaining, LOOK_AGAIN_NANOS);
                remaining -= slice - Math.max(0, changed.awaitNanos(slice));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** A message that was pushed is worth waiting for: to refuse it costs a delivery, or the message. */
    private Duration patience() {
        return fence.isPushed() ? settings.ttl() : settings.storeTimeout();
    }

    private boolean mayComeBack() {
        LeaseState state = elector.state();
        return state.hasGrant()
                && state != LeaseState.DRAINING
                && elector.lease().filter(this::isOpenFor).isPresent()
                && fence.canWait();
    }
}
