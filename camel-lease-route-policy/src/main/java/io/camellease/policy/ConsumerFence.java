/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import org.apache.camel.Consumer;
import org.apache.camel.ServiceStatus;
import org.apache.camel.ShutdownRunningTask;
import org.apache.camel.StatefulService;
import org.apache.camel.spi.ShutdownAware;
import org.apache.camel.spi.ShutdownPrepared;
import org.apache.camel.support.ScheduledPollConsumer;
import org.apache.camel.support.service.ServiceHelper;
import org.jspecify.annotations.Nullable;

/**
 * Holds a consumer back and lets it go, without Camel's route controller: that takes a lock of the whole context and waits
 * for the exchanges in flight, up to 45 s a route, while all other routes go on consuming.
 */
final class ConsumerFence {

    private ConsumerFence() {}

    /** Holds the consumer back. A poll that has listed many files ends after the current one. */
    static void raise(@Nullable Consumer consumer) {
        cutBatch(consumer);
        // suspending waits for a start or stop that is under way, so a consumer that is neither up nor down is left
        // alone:
        // whoever starts it looks at the lease afterwards
        if (status(consumer) == ServiceStatus.Started) {
            ServiceHelper.suspendService(consumer);
        }
    }

    /** Ends the batch of a poll after the current exchange. Takes no lock. */
    static void cutBatch(@Nullable Consumer consumer) {
        if (consumer instanceof ScheduledPollConsumer && consumer instanceof ShutdownAware aware) {
            aware.deferShutdown(ShutdownRunningTask.CompleteCurrentTaskOnly);
        }
    }

    /** Makes a consumer that was held back fit to consume again; it still has to be resumed or started. */
    static void mendBatch(@Nullable Consumer consumer) {
        // a file consumer resets another field of the same name at each poll, and without this reads Started while it
        // never
        // begins a file again
        if (consumer instanceof ScheduledPollConsumer && consumer instanceof ShutdownPrepared prepared) {
            prepared.prepareShutdown(true, false);
        }
    }

    /** Lets a consumer go that was held back. */
    static void lift(@Nullable Consumer consumer) {
        mendBatch(consumer);
        ServiceHelper.resumeService(consumer);
    }

    static ServiceStatus status(@Nullable Consumer consumer) {
        return consumer instanceof StatefulService service ? service.getStatus() : ServiceStatus.Stopped;
    }

    /** How many exchanges the consumer has begun or is about to begin that are not in flight yet. */
    static int pending(@Nullable Object service) {
        return service instanceof ShutdownAware aware ? aware.getPendingExchangesSize() : 0;
    }
}
