/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.Consumer;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.PollingConsumerPollStrategy;
import org.apache.camel.support.DefaultPollingConsumerPollStrategy;
import org.apache.camel.support.ScheduledPollConsumer;
import org.apache.camel.support.service.ServiceHelper;
import org.apache.camel.support.service.ServiceSupport;

/**
 * Notices that a poll ended by an {@link Error}, such as a stack overflow in the route: Camel then never polls again, commits and
 * rolls back nothing, and counts the exchange as in flight for ever ({@code ScheduledPollConsumer.run} of 4.18 throws it to its
 * scheduler). Thread-safe.
 */
final class PollPulse extends ServiceSupport implements PollingConsumerPollStrategy {

    private static final long LOOK_MILLIS = 1_000;
    private static final long NONE = 0;

    private final ScheduledPollConsumer consumer;
    private final PollingConsumerPollStrategy next;
    private final RouteThreads threads;
    private final Runnable onDeath;
    private final AtomicBoolean watched = new AtomicBoolean();
    private final AtomicLong polls = new AtomicLong();

    /** The number of the poll under way, or none. */
    private volatile long underWay = NONE;

    private PollPulse(
            ScheduledPollConsumer consumer, PollingConsumerPollStrategy next, RouteThreads threads, Runnable onDeath) {
        this.consumer = consumer;
        this.next = next;
        this.threads = threads;
        this.onDeath = onDeath;
    }

    /**
     * Puts one before the consumer's own poll strategy. To be called once for a consumer.
     *
     * @param onDeath is run when no poll will ever come again unless the consumer is started again; must not block
     */
    static void install(ScheduledPollConsumer consumer, RouteThreads threads, Runnable onDeath) {
        PollingConsumerPollStrategy own = consumer.getPollStrategy();
        consumer.setPollStrategy(new PollPulse(
                consumer, own != null ? own : new DefaultPollingConsumerPollStrategy(), threads, onDeath));
    }

    @Override
    protected void doStart() {
        ServiceHelper.startService(next);
    }

    @Override
    protected void doStop() {
        ServiceHelper.stopService(next);
    }

    @Override
    public boolean begin(Consumer polling, Endpoint endpoint) {
        boolean begins = next.begin(polling, endpoint);
        underWay = begins ? polls.incrementAndGet() : NONE;
        if (begins && watched.compareAndSet(false, true)) {
            threads.later(LOOK_MILLIS, this::look);
        }
        return begins;
    }

    @Override
    public void commit(Consumer polling, Endpoint endpoint, int polledMessages) {
        underWay = NONE;
        next.commit(polling, endpoint, polledMessages);
    }

    @Override
    public boolean rollback(Consumer polling, Endpoint endpoint, int retryCounter, Exception cause) throws Exception {
        underWay = NONE;
        return next.rollback(polling, endpoint, retryCounter, cause);
    }

    private void look() {
        long seen = underWay;
        // Camel counts a poll from before its begin until after its commit or rollback
        if (seen != NONE && !consumer.isPolling() && seen == underWay) {
            watched.set(false);
            onDeath.run();
        } else if (seen != NONE) {
            threads.later(LOOK_MILLIS, this::look);
        } else {
            watched.set(false);
        }
    }
}
