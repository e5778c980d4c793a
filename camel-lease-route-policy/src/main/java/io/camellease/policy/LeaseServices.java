/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.Collection;
import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.RuntimeCamelException;
import org.apache.camel.support.service.ServiceHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which {@link LeaseService} a context has. Stateless. */
final class LeaseServices {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseService.class);

    private LeaseServices() {}

    /** See {@link LeaseService#of}. */
    static LeaseService of(CamelContext context) {
        LeaseService service = context.hasService(LeaseService.class);
        if (service == null) {
            service = choose(context.getRegistry().findByType(LeaseService.class));
            service.addTo(context);
        }
        return service;
    }

    private static LeaseService choose(Collection<LeaseService> all) {
        List<LeaseService> made =
                all.stream().filter(service -> !service.isAutomatic()).toList();
        if (made.size() > 1) {
            throw new IllegalArgumentException("there are " + made.size()
                    + " lease services: set the leaseService of each " + "lease route policy, or keep only one");
        }
        return made.stream().findFirst().or(() -> all.stream().findFirst()).orElseGet(LeaseService::new);
    }

    /** Makes the context start and stop the service: Camel does not do that for a bean of its registry. */
    static void add(LeaseService service, CamelContext context) {
        LeaseLifecycle.addTo(context).serve(context, service);
        if (!context.hasService(service)) {
            try {
                context.addService(service, true, true);
            } catch (Exception refused) {
                throw RuntimeCamelException.wrapRuntimeCamelException(refused);
            }
        }
        // a context that is not started yet would start it with the first route that starts, which may be none
        ServiceHelper.startService(service);
    }

    static void warnOfNoLeases(CamelContext context) {
        LOG.warn(
                "camel.lease.enabled=false: leased routes of '{}' run on this node without a lease, whatever other nodes do",
                context.getName());
    }

    /** Opens the store that {@code camel.lease.store} names although no route uses it, so that a mistake in it shows. */
    static void checkUnused(CamelContext context) {
        if (context.hasService(LeaseService.class) == null) {
            LeaseOptions configured = new LeaseOptions();
            LeaseProperties.apply(context, configured);
            if (!configured.isEnabled()) {
                configured.routePatterns().stream().findAny().ifPresent(some -> warnOfNoLeases(context));
            } else if (configured.get(LeaseOption.STORE).isPresent()) {
                of(context);
            }
        }
    }
}
