/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.function.BooleanSupplier;
import org.apache.camel.Consumer;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.PollingConsumerPollStrategy;
import org.apache.camel.support.DefaultPollingConsumerPollStrategy;
import org.apache.camel.support.ScheduledPollConsumer;
import org.apache.camel.support.service.ServiceHelper;
import org.apache.camel.support.service.ServiceSupport;

/** Lets no poll begin unless an exchange may, and tells whether polls get to see their source. Thread-safe. */
final class PollGate extends ServiceSupport implements PollingConsumerPollStrategy {

    private final PollingConsumerPollStrategy next;
    private final BooleanSupplier isOpen;
    private final PollSight sight;
    private final SourceWatch watch;

    private PollGate(PollingConsumerPollStrategy next, BooleanSupplier isOpen, PollSight sight, SourceWatch watch) {
        this.next = next;
        this.isOpen = isOpen;
        this.sight = sight;
        this.watch = watch;
    }

    /** Puts a gate before the consumer's own poll strategy, once. */
    static void install(ScheduledPollConsumer consumer, BooleanSupplier isOpen, SourceWatch watch) {
        PollingConsumerPollStrategy own = consumer.getPollStrategy();
        if (!(own instanceof PollGate)) {
            consumer.setPollStrategy(new PollGate(
                    own != null ? own : new DefaultPollingConsumerPollStrategy(),
                    isOpen,
                    PollSight.of(consumer),
                    watch));
        }
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
    public boolean begin(Consumer consumer, Endpoint endpoint) {
        if (!isOpen.getAsBoolean()) {
            return false;
        }
        sight.look();
        return next.begin(consumer, endpoint);
    }

    @Override
    public void commit(Consumer consumer, Endpoint endpoint, int polledMessages) {
        watch.succeeded();
        next.commit(consumer, endpoint, polledMessages);
    }

    @Override
    public boolean rollback(Consumer consumer, Endpoint endpoint, int retryCounter, Exception cause) throws Exception {
        watch.failed("has failed to poll", cause);
        return next.rollback(consumer, endpoint, retryCounter, cause);
    }
}
