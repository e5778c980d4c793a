/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.camel.Consumer;
import org.apache.camel.Route;
import org.apache.camel.ServiceStatus;
import org.apache.camel.ShutdownRunningTask;
import org.apache.camel.StatefulService;
import org.apache.camel.Suspendable;
import org.apache.camel.spi.ShutdownAware;
import org.apache.camel.spi.ShutdownPrepared;
import org.apache.camel.support.ScheduledPollConsumer;
import org.apache.camel.support.service.ServiceHelper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the consumer of a route back and lets it go on, without Camel's route controller: that takes a lock of the whole
 * context and waits for the exchanges in flight, up to 45 s a route, while all other routes go on consuming.
 *
 * <p>Holding has two steps. {@link #raise} suspends the consumer, so that it takes nothing more. Then, once the work in flight
 * has ended, {@link #letGo} stops one that keeps something from other nodes while it is suspended. The route itself stays as
 * it is. Thread-safe; nothing but {@link #lift} waits for a consumer.
 */
final class ConsumerFence {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerFence.class);

    private final Route route;
    private final HoldBy holdBy;
    private final RouteThreads threads;

    /** Steps of the consumer that run on a thread of their own, because they may wait for a network. */
    private final AtomicInteger busy = new AtomicInteger();

    /** Whether this fence stopped the consumer, or is about to, so that it has to be started and not resumed. */
    private volatile boolean gone;

    /** Whether this fence suspended the consumer. If somebody else did, as a circuit breaker does, it is he who resumes it. */
    private volatile boolean suspended;

    /** Whether this fence has stopped the consumer. Camel, when it stops a context, suspends it all the same. */
    private volatile boolean down;

    ConsumerFence(Route route, HoldBy holdBy, RouteThreads threads) {
        this.route = route;
        this.holdBy = holdBy;
        this.threads = threads;
    }

    // ---- holding back

    /** Holds the consumer back. A poll that has listed many files ends after the current one. */
    void raise() {
        Consumer consumer = route.getConsumer();
        cutBatch();
        // suspending waits for a start or stop that is under way, so a consumer that is neither up nor down
        // is left alone: whoever starts it looks at the lease afterwards
        if (status(consumer) != ServiceStatus.Started) {
            return;
        }
        if (ConsumerKind.of(consumer).suspendsAtOnce()) {
            suspend(consumer);
        } else if (busy.get() == 0) {
            gone = gone || !(consumer instanceof Suspendable);
            apart(() -> suspend(consumer));
        }
    }

    private void suspend(Consumer consumer) {
        suspended = true;
        ServiceHelper.suspendService(consumer);
        // again: it may have been let go on in between, when there was nothing to resume yet
        suspended = true;
    }

    /** Whether the consumer was suspended by somebody else, who is to resume it. */
    boolean isSuspendedByOther() {
        return !suspended && !gone && status() == ServiceStatus.Suspended;
    }

    /** Ends the batch of a poll after the current exchange. Takes no lock. */
    void cutBatch() {
        if (route.getConsumer() instanceof ScheduledPollConsumer consumer && consumer instanceof ShutdownAware aware) {
            aware.deferShutdown(ShutdownRunningTask.CompleteCurrentTaskOnly);
        }
    }

    /** Whether a consumer that is held back is not only suspended. */
    boolean stops() {
        Consumer consumer = route.getConsumer();
        return consumer != null && holdBy.stops(ConsumerKind.of(consumer));
    }

    /**
     * Stops a consumer that is held back, if it is to be stopped and no work of it is in flight.
     *
     * @return whether there is nothing left to do
     */
    boolean letGo(BooleanSupplier isWorkDone) {
        if (hasLetGo()) {
            return true;
        }
        if (busy.get() == 0 && isWorkDone.getAsBoolean()) {
            gone = true;
            // an exchange that began meanwhile was let in, or waits: it must find its session open
            if (isWorkDone.getAsBoolean()) {
                Consumer consumer = route.getConsumer();
                apart(() -> {
                    ServiceHelper.stopService(consumer);
                    down = true;
                });
            } else {
                gone = false;
            }
        }
        return false;
    }

    /** Whether the consumer keeps nothing that another node may wait for. */
    boolean hasLetGo() {
        return !stops() || (busy.get() == 0 && isDown());
    }

    private boolean isDown() {
        ServiceStatus status = status();
        return status == ServiceStatus.Stopped
                || status == ServiceStatus.Initialized
                || (down && status == ServiceStatus.Suspended);
    }

    /** Whether the consumer was stopped, or is being stopped, and the route was not. */
    boolean isGone() {
        return gone;
    }

    /** The route was stopped: its next start starts the consumer. */
    void forget() {
        gone = false;
        down = false;
        suspended = false;
    }

    /** The route has come up. A consumer that was held back before Camel told of that is still to be let go on. */
    void cameUp() {
        if (status() == ServiceStatus.Started) {
            forget();
        }
    }

    private void apart(Runnable step) {
        busy.incrementAndGet();
        boolean taken = threads.apart(() -> {
            try {
                step.run();
            } catch (RuntimeException failed) {
                LOG.warn(
                        "Route '{}': its consumer could not be suspended or stopped",
                        route.getRouteId(),
                        RouteSecrets.of(route).masked(failed));
            } finally {
                busy.decrementAndGet();
            }
        });
        if (!taken) {
            busy.decrementAndGet();
        }
    }

    // ---- letting go on

    /**
     * Lets a consumer go on that was held back; one that somebody else had suspended before stays so.
     *
     * @return false if it is still being suspended or stopped, and has to be let go on later
     */
    boolean lift() {
        if (busy.get() > 0) {
            return false;
        }
        Consumer consumer = route.getConsumer();
        mendBatch();
        if (gone) {
            forget();
            // an operator, or the context, may have suspended and resumed it meanwhile: it then reads Started, and does
            // nothing
            ServiceHelper.stopService(consumer);
            ServiceHelper.startService(consumer);
        } else if (suspended) {
            suspended = false;
            ServiceHelper.resumeService(consumer);
        }
        return true;
    }

    /** Makes a consumer that was held back fit to consume again; it still has to be resumed or started. */
    void mendBatch() {
        // a file consumer resets another field of the same name at each poll, and without this
        // reads Started while it never begins a file again
        if (route.getConsumer() instanceof ScheduledPollConsumer consumer
                && consumer instanceof ShutdownPrepared prepared) {
            prepared.prepareShutdown(true, false);
        }
    }

    // ---- looking

    ServiceStatus status() {
        return status(route.getConsumer());
    }

    private static ServiceStatus status(@Nullable Consumer consumer) {
        return consumer instanceof StatefulService service ? service.getStatus() : ServiceStatus.Stopped;
    }

    /** Whether messages are pushed to the consumer, and are lost or delivered again if they are refused. */
    boolean isPushed() {
        Consumer consumer = route.getConsumer();
        return consumer != null && ConsumerKind.of(consumer) == ConsumerKind.IS_PUSHED;
    }

    /** Whether messages may still be pushed to the consumer. */
    boolean isPushing() {
        ServiceStatus status = status();
        return isPushed()
                && (status == ServiceStatus.Starting
                        || status == ServiceStatus.Started
                        || status == ServiceStatus.Suspending);
    }

    /** Whether nothing is lost of what the consumer does not begin, as it makes its exchanges itself. */
    boolean ticks() {
        Consumer consumer = route.getConsumer();
        return consumer != null && ConsumerKind.of(consumer) == ConsumerKind.TICKS;
    }

    /** Whether the consumer is there, suspended or not. */
    boolean isUp() {
        ServiceStatus status = status();
        return status == ServiceStatus.Started
                || status == ServiceStatus.Suspended
                || status == ServiceStatus.Suspending;
    }

    /** Whether an exchange that the consumer has in hand may wait: nobody waits for it to stop. */
    boolean canWait() {
        return isPushed() ? !gone : status() == ServiceStatus.Started;
    }
}
