/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.SimpleEventNotifierSupport;

/** Tells the lease services of a context that it is suspended or resumed as a whole, for which Camel has no other callback. */
final class SuspensionNotifier extends SimpleEventNotifierSupport {

    SuspensionNotifier() {
        setIgnoreExchangeEvents(true);
        setIgnoreRouteEvents(true);
        setIgnoreServiceEvents(true);
        setIgnoreStepEvents(true);
    }

    @Override
    public boolean isEnabled(CamelEvent event) {
        return switch (event.getType()) {
            case CamelContextSuspending, CamelContextResumed, CamelContextResumeFailure -> true;
            default -> false;
        };
    }

    @Override
    public void notify(CamelEvent event) {
        if (event instanceof CamelEvent.CamelContextEvent ofContext) {
            boolean suspended = event.getType() == CamelEvent.Type.CamelContextSuspending;
            ofContext.getContext().hasServices(LeaseService.class).forEach(leases -> leases.runtime()
                    .contextSuspended(suspended));
        }
    }
}
