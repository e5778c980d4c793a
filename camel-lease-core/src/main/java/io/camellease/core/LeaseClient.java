/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All leases that one holder has or wants in one store. Whatever their number, it uses four threads, and renews and looks in
 * batches. Thread-safe.
 *
 * <p>The timer thread runs the machines of all electors; what they decide goes to two lanes that call the store, and comes
 * back to the timer thread. Renewals that are due soon join one that is due now, so that leases granted at different times
 * end up in one batch; likewise looks.
 */
public final class LeaseClient implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseClient.class);
    private static final long LONGEST_CLOSING_NANOS = 10_000_000_000L;

    private final HolderId holder;
    private final LeaseSettings settings;
    private final LeaseThreads threads;
    private final Supplier<String> newId;
    private final Map<LeaseName, LeaseElector> electors = new ConcurrentHashMap<>();
    private final LeaseLoop loop;
    private final NodeLabelWatch labels;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** A client on threads of its own. The caller goes on owning the store and closes it after this client. */
    public LeaseClient(LeaseStore store, HolderId holder, LeaseSettings settings) {
        this(store, holder, settings, LeaseThreads.system(settings), () -> UUID.randomUUID()
                .toString());
    }

    /**
     * A client on given threads, for simulation.
     *
     * @param newId a new random text of at most 64 characters at every call
     */
    public LeaseClient(
            LeaseStore store, HolderId holder, LeaseSettings settings, LeaseThreads threads, Supplier<String> newId) {
        this.holder = holder;
        this.settings = settings;
        this.threads = threads;
        this.newId = newId;
        this.labels = new NodeLabelWatch(holder);
        this.loop = new LeaseLoop(electors.values(), store, holder, settings, threads);
    }

    /**
     * The elector of a name, which does nothing until it is started. It claims whenever it can, and does not count for the {@link
     * Share} of others.
     *
     * @param listener is told of this lease only
     * @param value the note for people that each grant stores, at most {@link LeaseStore#MAX_VALUE_BYTES} bytes; asked for
     *     before each claim, must answer at once
     * @throws IllegalStateException if this client already has one of that name, or is closed
     */
    public LeaseElector elector(LeaseName name, LeaseListener listener, Supplier<String> value) {
        return add(new LeaseElector(name, this, listener, value, null));
    }

    /**
     * The elector of a name whose lease is spread: the more of such leases this client holds, and the fewer it sees others hold,
     * the later it claims one that nobody holds; never later than one claim interval after it saw that, or after the lease ran
     * out. A single lease, and one that comes to a client that has no more than others, is claimed at once. What is held is not
     * moved. Otherwise as {@link #elector(LeaseName, LeaseListener, Supplier)}.
     *
     * @throws IllegalStateException if this client already has one of that name, or is closed
     */
    public LeaseElector elector(LeaseName name, LeaseListener listener, Supplier<String> value, Share share) {
        return add(new LeaseElector(name, this, listener, value, share));
    }

    private LeaseElector add(LeaseElector elector) {
        LeaseName name = elector.name();
        if (closed.get()) {
            throw new IllegalStateException("the client of lease '" + name + "' is closed");
        }
        if (electors.putIfAbsent(name, elector) != null) {
            throw new IllegalStateException("lease '" + name + "' already has an elector in this client");
        }
        return elector;
    }

    /**
     * Forgets an elector: nothing may begin under its lease any more, it is no candidate, and its listener is told nothing. Its
     * lease, if it holds one, is left to expire.
     */
    public void remove(LeaseElector elector) {
        if (electors.remove(elector.name(), elector)) {
            loop.decide(elector, LeaseMachine::forget);
        }
    }

    /** Who this client is. */
    public HolderId holder() {
        return holder;
    }

    /** The durations it goes by. */
    public LeaseSettings settings() {
        return settings;
    }

    /** The clocks it goes by. */
    public Ticker ticker() {
        return threads.ticker();
    }

    /**
     * How late the timer began a task at worst since the start. It ends leases in time, so a value near the suspend margin says
     * that this machine is too busy, or pauses too long, for its ttl.
     */
    public Duration worstTimerLateness() {
        return threads.timer().worstLateness();
    }

    /** Why the store failed last; empty when it answers. Without secrets, as messages of {@link LeaseStoreException} are. */
    public Optional<String> storeTrouble() {
        return loop.storeTrouble();
    }

    /** Whether the timer runs tasks; if not, nothing is renewed, and no lease ends but by the clock. Dead only by a defect. */
    public boolean isTimerAlive() {
        return threads.timer().isAlive();
    }

    /** All electors, in no order. */
    public Collection<LeaseElector> electors() {
        return List.copyOf(electors.values());
    }

    /** The elector that there is of that name. */
    public Optional<LeaseElector> existing(LeaseName name) {
        return Optional.ofNullable(electors.get(name));
    }

    Supplier<String> newId() {
        return newId;
    }

    /** A record was read, on the timer thread. */
    void seen(@Nullable LeaseRecord before, LeaseRecord record) {
        if (labels.isFirstProof(before, record)) {
            String namesake = record.holder().map(HolderId::value).orElse("");
            threads.events()
                    .execute(() -> LOG.warn(
                            "Another process uses the node label '{}' too: {} holds lease '{}', and this one is {}. They do not"
                                    + " take each other for themselves, but people will: give each node a label of its own",
                            holder.label(),
                            namesake,
                            record.name(),
                            holder));
        }
    }

    /** Feeds one machine soon, from any thread; ignored once the elector was removed. */
    void decide(LeaseElector elector, LeaseMachine.Input input) {
        if (electors.get(elector.name()) == elector) {
            loop.decide(elector, input);
        }
    }

    /** See {@link LeaseElector#advance}. */
    CompletableFuture<AdvanceResult> advance(LeaseElector elector, Lease lease, String key, Instant slot) {
        if (closed.get()) {
            return CompletableFuture.failedFuture(new LeaseStoreException(
                    LeaseStoreException.Problem.UNAVAILABLE,
                    "the client of lease '" + lease.name() + "' is closed",
                    null));
        }
        return loop.advance(elector, lease, key, slot);
    }

    /**
     * Waits until all that was asked of the electors so far has been decided, so that their states tell of it; for two store
     * timeouts and 10 s at most.
     *
     * @return whether it has
     */
    public boolean awaitDecided() {
        try {
            return threads.timer().awaitIdle(closingNanos());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Removes all electors, waits until the releases that were asked for so far have been tried, for two store timeouts
     * and 10 s at most, and until the listeners were told, for half a second at most, and ends all threads. What is still
     * held is left to expire. Later calls do nothing.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            electors().forEach(this::remove);
            try {
                if (!isIdleBy(ticker().now().plusNanos(closingNanos()))) {
                    LOG.info(
                            "Closing although the lease store has not answered; leases that are still held will expire");
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            threads.close();
        }
    }

    private long closingNanos() {
        return Math.min(2 * settings.storeTimeout().toNanos(), LONGEST_CLOSING_NANOS);
    }

    /** A claim that is under way may be granted still, and is released then: so claims come first. */
    private boolean isIdleBy(Moment until) throws InterruptedException {
        return threads.timer().awaitIdle(leftUntil(until))
                && threads.claims().awaitIdle(leftUntil(until))
                && threads.timer().awaitIdle(leftUntil(until))
                && threads.renewals().awaitIdle(leftUntil(until));
    }

    private long leftUntil(Moment until) {
        return Math.max(0, until.nanosSince(ticker().now()));
    }
}
