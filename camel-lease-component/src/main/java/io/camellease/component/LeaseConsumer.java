/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseRecord;
import io.camellease.policy.ExchangeLeases;
import java.util.Locale;
import java.util.Set;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
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

    private final LeaseEndpoint endpoint;
    private final Set<LeaseEventKind> kinds;
    private final NoticeQueue queue;

    private volatile @Nullable Election election;
    private volatile boolean leaving;

    /** Confined to the events thread. */
    private long acquiredToken;

    private @Nullable String lastHolder;

    /** The term of which nothing was told, as it was over before; confined to the thread of the queue. */
    private long skippedToken = -1;

    LeaseConsumer(LeaseEndpoint endpoint, Processor processor) {
        super(endpoint, processor);
        this.endpoint = endpoint;
        this.kinds = endpoint.kinds();
        this.queue = new NoticeQueue(
                endpoint.toString(), task -> endpoint.component().events().execute(task), this::tell);
    }

    // ---- life

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        leaving = false;
        endpoint.component().useLeases();
        if (endpoint.component().leases().isDisabled()) {
            offer(new LeaseNotice(LeaseEventKind.ACQUIRED, UNLEASED, "granted", null, null));
            return;
        }
        election = endpoint.component().elections().join(endpoint.getName(), this);
    }

    @Override
    protected void doStop() throws Exception {
        leave();
        Election mine = election;
        if (mine != null) {
            endpoint.component().elections().left(mine, this);
        }
        super.doStop();
    }

    private void leave() {
        Election mine = election;
        if (mine != null && !leaving) {
            leaving = true;
            mine.leave(this);
        }
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
        boolean over = mine == null || !leaving || (mine.isOverFor(this) && queue.isIdle());
        return over ? 0 : 1;
    }

    @Override
    public void prepareShutdown(boolean suspendOnly, boolean forced) {
        leave();
    }

    /** Whether all its exchanges have ended. */
    boolean isIdle() {
        return queue.isIdle();
    }

    // ---- what happens, on the events thread

    /** Takes an event of the lease. */
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
        long token = event.lease().token().value();
        // who joins late is told of the present term, and may be told so by the event as well
        if (token > acquiredToken) {
            acquiredToken = token;
            String self = event.lease().holder().value();
            String before = lastHolder;
            lastHolder = self;
            offer(new LeaseNotice(LeaseEventKind.ACQUIRED, token, reason, self, before));
        }
    }

    private void ended(LeaseEventKind kind, LeaseEvent.OfGrant event, String reason) {
        String self = event.lease().holder().value();
        offer(new LeaseNotice(kind, event.lease().token().value(), reason, null, self));
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

    /** Runs a step after all that happened so far has been told, and its exchanges have ended. It must not throw. */
    void afterwards(Runnable step) {
        queue.run(step);
    }

    // ---- exchanges, on the thread of the queue

    private void tell(LeaseNotice notice, int missed) {
        Election mine = election;
        if (notice.kind() == LeaseEventKind.ACQUIRED
                && mine != null
                && !mine.awaitUsable(notice.token(), () -> leaving)) {
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
            describe(exchange, notice, missed);
            getProcessor().process(exchange);
        } catch (Throwable failed) {
            exchange.setException(failed);
        }
        Throwable failed = exchange.getException();
        if (failed != null) {
            getExceptionHandler().handleException("The exchange for " + notice + " failed", exchange, failed);
        }
        releaseExchange(exchange, false);
    }

    private void describe(Exchange exchange, LeaseNotice notice, int missed) {
        Message message = exchange.getMessage();
        String name =
                endpoint.component().leases().leaseName(endpoint.getName()).value();
        message.setHeader(LeaseHeaders.NAME, name);
        message.setHeader(LeaseHeaders.TOKEN, notice.token());
        message.setHeader(LeaseHeaders.EVENT, notice.kind().text());
        message.setHeader(LeaseHeaders.REASON, notice.reason());
        setIfKnown(message, LeaseHeaders.HOLDER, notice.holder());
        setIfKnown(message, LeaseHeaders.PREVIOUS_HOLDER, notice.previousHolder());
        if (missed > 0) {
            message.setHeader(LeaseHeaders.MISSED_EVENTS, missed);
        }
        message.setBody(notice.kind().text());
        if (notice.kind() == LeaseEventKind.ACQUIRED) {
            ExchangeLeases.enter(exchange, new ExchangeLeases.Under(name, notice.token()));
        }
    }

    private static void setIfKnown(Message message, String header, @Nullable String value) {
        if (value != null) {
            message.setHeader(header, value);
        }
    }
}
