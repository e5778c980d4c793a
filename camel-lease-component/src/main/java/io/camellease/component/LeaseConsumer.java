/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseRecord;
import io.camellease.core.Moment;
import io.camellease.core.Ticker;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.ShutdownRunningTask;
import org.apache.camel.spi.ShutdownAware;
import org.apache.camel.support.DefaultConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes part in the election of a lease, and makes one exchange of each event that its endpoint asks for. Exchanges run one
 * after the other, in order, on a thread that may block: it delays the next exchange of this consumer and nothing else.
 * Thread-safe.
 */
final class LeaseConsumer extends DefaultConsumer implements ShutdownAware {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseConsumer.class);

    /** The token of the only term if leases are switched off: no token of a store is so small. */
    private static final long UNLEASED = 0;

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final LeaseEndpoint endpoint;
    private final Set<LeaseEventKind> kinds;
    private final NoticeQueue queue;

    private volatile @Nullable Election election;

    /** When Camel last showed that it wants this to end, and waits for it. */
    private volatile Moment asked = Ticker.system().now();

    /** Both under the lock of the election. */
    private @Nullable Lease told;

    private @Nullable String lastHolder;

    /** The term of which nothing was told, as it was over before; confined to the thread of the queue. */
    private long skippedToken = -1;

    LeaseConsumer(LeaseEndpoint endpoint, Processor processor) {
        super(endpoint, processor);
        this.endpoint = endpoint;
        this.kinds = endpoint.kinds();
        LeaseComponent component = endpoint.component();
        this.queue = new NoticeQueue(
                endpoint.toString(), component.events(), step -> component.later(step, RETRY_NANOS), this::tell);
    }

    // ---- life

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        endpoint.component().useLeases();
        if (endpoint.component().leases().isDisabled()) {
            offer(new LeaseNotice(LeaseEventKind.ACQUIRED, UNLEASED, "granted", null, null));
            return;
        }
        election = endpoint.component().elections().join(endpoint.getName(), this);
    }

    @Override
    protected void doStop() throws Exception {
        Election mine = election;
        if (mine != null) {
            mine.left(this);
        }
        super.doStop();
    }

    private void leave() {
        Election mine = election;
        if (mine != null && !mine.isLeaving(this)) {
            asked = Ticker.system().now();
            mine.leave(this);
            watchStop(mine, patienceNanos());
        }
    }

    /** Camel does not say that a stop was called off: it only ceases to look whether this has ended. */
    private void watchStop(Election mine, long nanos) {
        endpoint.component().later(() -> goOnIfCalledOff(mine), nanos);
    }

    private void goOnIfCalledOff(Election mine) {
        long left = patienceNanos() - Ticker.system().now().nanosSince(asked);
        if (left > 0) {
            watchStop(mine, left);
        } else if (mine.stay(this)) {
            LOG.warn("{} was to stop, which was called off: it takes part in the election again", endpoint);
        }
    }

    private long patienceNanos() {
        var shutdown = endpoint.getCamelContext().getShutdownStrategy();
        return shutdown.getTimeUnit().toNanos(shutdown.getTimeout());
    }

    /** The route goes on until the lease is given back and that has been told. */
    @Override
    public boolean deferShutdown(ShutdownRunningTask task) {
        leave();
        return true;
    }

    @Override
    public int getPendingExchangesSize() {
        Election mine = election;
        if (mine == null || !mine.isLeaving(this)) {
            return 0;
        }
        asked = Ticker.system().now();
        return mine.isOver() && queue.isIdle() ? 0 : 1;
    }

    @Override
    public void prepareShutdown(boolean suspendOnly, boolean forced) {
        leave();
    }

    /** Whether all its exchanges have ended. */
    boolean isIdle() {
        return queue.isIdle();
    }

    // ---- what happens, under the lock of the election

    /** Takes an event of the lease. The end of a term whose begin was not told is not told either. */
    void take(LeaseEvent event, String reason) {
        if (event instanceof LeaseEvent.Granted granted) {
            acquired(granted, reason);
        } else if (event instanceof LeaseEvent.Lost lost) {
            ended(LeaseEventKind.LOST, lost, lost.reason().name().toLowerCase(Locale.ROOT));
        } else if (event instanceof LeaseEvent.Released released) {
            ended(LeaseEventKind.RELEASED, released, reason);
        } else if (event instanceof LeaseEvent.HolderChanged changed) {
            changed(changed.record());
        }
    }

    private void acquired(LeaseEvent.OfGrant event, String reason) {
        Lease lease = event.lease();
        // who joins late is told of the present term, and may be told so by the event as well
        if (!lease.equals(told)) {
            told = lease;
            String self = lease.holder().value();
            String before = lastHolder;
            lastHolder = self;
            offer(new LeaseNotice(LeaseEventKind.ACQUIRED, lease.token().value(), reason, self, before));
        }
    }

    private void ended(LeaseEventKind kind, LeaseEvent.OfGrant event, String reason) {
        Lease lease = event.lease();
        if (lease.equals(told)) {
            String self = lease.holder().value();
            offer(new LeaseNotice(kind, lease.token().value(), reason, null, self));
        }
    }

    private void changed(LeaseRecord record) {
        String holder = record.holder().map(HolderId::value).orElse(null);
        String before = lastHolder;
        lastHolder = holder;
        offer(new LeaseNotice(LeaseEventKind.HOLDER_CHANGED, record.token(), "observed", holder, before));
    }

    private void offer(LeaseNotice notice) {
        if (kinds.contains(notice.kind())) {
            queue.add(notice);
        }
    }

    /** Runs a step after all that happened so far has been told, and its exchanges have ended. */
    void afterwards(Runnable step) {
        queue.run(step);
    }

    // ---- exchanges, on the thread of the queue

    private void tell(LeaseNotice notice, int missed) {
        Election mine = election;
        if (notice.kind() == LeaseEventKind.ACQUIRED && mine != null && !mine.awaitUsable(notice.token(), this)) {
            skippedToken = notice.token();
            LOG.info(
                    "{}: the grant of token {} was over, or the route about to stop, before its exchange could begin: neither its"
                            + " begin nor its end is told",
                    endpoint,
                    notice.token());
        }
        if (notice.token() != skippedToken || notice.kind() == LeaseEventKind.HOLDER_CHANGED) {
            exchange(notice, missed);
        }
    }

    private void exchange(LeaseNotice notice, int missed) {
        Exchange exchange = createExchange(false);
        try {
            notice.describe(exchange, name(), missed);
            getProcessor().process(exchange);
        } catch (Throwable failed) {
            exchange.setException(failed);
        }
        try {
            Throwable failed = exchange.getException();
            if (failed != null) {
                getExceptionHandler().handleException("The exchange for " + notice + " failed", exchange, failed);
            }
        } finally {
            releaseExchange(exchange, false);
        }
    }

    private String name() {
        return endpoint.component().leases().leaseName(endpoint.getName()).value();
    }
}
