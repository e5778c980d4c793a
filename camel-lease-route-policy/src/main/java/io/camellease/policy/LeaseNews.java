/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.Lease;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseListener;
import io.camellease.core.LeaseName;
import io.camellease.core.Secrets;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.spi.EventNotifier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the event notifiers of the context what happens to leases and their routes. Thread-safe; never blocks its caller. */
final class LeaseNews implements LeaseListener {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseNews.class);

    private final Supplier<CamelContext> context;
    private final Observers observers;

    LeaseNews(Supplier<CamelContext> context, Observers observers) {
        this.context = context;
        this.observers = observers;
    }

    /** Called in order and apart from the lease's own threads, as every listener of a service is. */
    @Override
    public void onEvent(LeaseEvent event) {
        if (event instanceof LeaseEvent.OfGrant ofGrant) {
            Lease lease = ofGrant.lease();
            reason(ofGrant).ifPresent(reason -> send(reason, lease.name(), lease, detail(ofGrant)));
        }
    }

    private static Optional<LeaseCamelEvent.Reason> reason(LeaseEvent.OfGrant event) {
        if (event instanceof LeaseEvent.Granted) {
            return Optional.of(LeaseCamelEvent.Reason.ACQUIRED);
        }
        if (event instanceof LeaseEvent.AtRisk) {
            return Optional.of(LeaseCamelEvent.Reason.AT_RISK);
        }
        if (event instanceof LeaseEvent.Secured) {
            return Optional.of(LeaseCamelEvent.Reason.SECURED);
        }
        if (event instanceof LeaseEvent.Suspended) {
            return Optional.of(LeaseCamelEvent.Reason.SUSPENDED);
        }
        if (event instanceof LeaseEvent.Resumed) {
            return Optional.of(LeaseCamelEvent.Reason.RESUMED);
        }
        if (event instanceof LeaseEvent.Lost) {
            return Optional.of(LeaseCamelEvent.Reason.LOST);
        }
        return event instanceof LeaseEvent.Released ? Optional.of(LeaseCamelEvent.Reason.RELEASED) : Optional.empty();
    }

    private static String detail(LeaseEvent.OfGrant event) {
        return event instanceof LeaseEvent.Lost lost ? lost.reason().name().toLowerCase(Locale.ROOT) : "";
    }

    /** Something happens to a route of a lease; told after what happened to the lease before. */
    void tell(LeaseCamelEvent.Reason reason, LeaseName name, @Nullable Lease grant, String detail) {
        observers.execute(() -> send(reason, name, grant, detail));
    }

    private void send(LeaseCamelEvent.Reason reason, LeaseName name, @Nullable Lease grant, String detail) {
        String holder = grant == null ? "" : grant.holder().value();
        long token = grant == null ? 0 : grant.token().value();
        CamelContext told = context.get();
        var event = new LeaseCamelEvent(told, reason, name, holder, token, detail);
        told.getManagementStrategy().getEventNotifiers().forEach(notifier -> tell(notifier, event));
    }

    /** Camel's own strategy stops at the first that fails. */
    private static void tell(EventNotifier notifier, CamelEvent event) {
        try {
            if (!notifier.isDisabled() && notifier.isEnabled(event)) {
                notifier.notify(event);
            }
        } catch (Throwable failed) {
            LOG.warn("The event notifier {} failed on {}", notifier, event, Secrets.UNKNOWN.masked(failed));
        }
    }
}
