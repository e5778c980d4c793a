/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseName;
import java.util.List;
import java.util.Set;
import org.apache.camel.Exchange;
import org.apache.camel.Predicate;
import org.apache.camel.Processor;

/**
 * Whether the lease under which an exchange began can still be relied on, for a step that must not happen without it: a long
 * exchange may outlast its lease. Bound as {@code leaseCheck}; put it right before a side effect, also after a {@code
 * pollEnrich}:
 *
 * <pre>{@code
 * from("file:orders").routePolicyRef("lease")
 *     .to("direct:takesLong")
 *     .process("leaseCheck")
 *     .to("http:bank");
 * }</pre>
 *
 * <p>As a processor it throws {@link LeaseLostException} unless this node still has, at this instant, the grant whose token the
 * exchange carries; as a predicate it is false. It reads clocks only. An exchange that carries no lease, because its route has
 * none or because its properties were lost on the way, is treated as one that lost it; if {@code camel.lease.enabled=false}, all
 * pass. Inside a lock, the lock and the lease of the route must both hold. It cannot rule out that the process is frozen after the check: give {@code CamelLeaseToken} to the system you write to.
 * Thread-safe.
 */
public final class LeaseCheck implements Processor, Predicate {

    /** A check for any exchange of any context. */
    public LeaseCheck() {}

    /**
     * Lets the exchange go on only under its lease.
     *
     * @throws LeaseLostException if its lease is over, suspended or in doubt, or it carries none
     */
    @Override
    public void process(Exchange exchange) {
        if (!matches(exchange)) {
            String name = exchange.getProperty(LeaseConstants.LEASE_NAME, String.class);
            throw new LeaseLostException(
                    name == null
                            ? "the exchange carries no lease, so nothing says that it may go on"
                            : "the exchange may not go on: lease '" + name
                                    + "' under which it began is not held by this"
                                    + " node any more, or is about to end");
        }
    }

    /** Whether the exchange may go on. */
    @Override
    public boolean matches(Exchange exchange) {
        Set<LeaseService> services = exchange.getContext().hasServices(LeaseService.class);
        boolean isSwitchedOff = services.isEmpty()
                ? LeaseLifecycle.addTo(exchange.getContext()).isSwitchedOff()
                : services.stream().allMatch(LeaseService::isDisabled);
        if (isSwitchedOff) {
            return true;
        }
        List<ExchangeLeases.Under> all = ExchangeLeases.all(exchange);
        return !all.isEmpty() && all.stream().allMatch(under -> isHeld(services, under));
    }

    private static boolean isHeld(Set<LeaseService> services, ExchangeLeases.Under under) {
        LeaseName name = new LeaseName(under.name());
        return services.stream().anyMatch(service -> service.isHeld(name, under.token()));
    }
}
