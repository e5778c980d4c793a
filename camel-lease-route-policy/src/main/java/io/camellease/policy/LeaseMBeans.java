/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.management.JMException;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.camel.CamelContext;
import org.apache.camel.RuntimeCamelException;
import org.apache.camel.spi.ManagementAgent;
import org.apache.camel.spi.ManagementStrategy;

/** One MBean for each lease, beside those that Camel has for services. Not thread-safe. */
final class LeaseMBeans implements Exhibit {

    private final LeaseService service;
    private final ManagementAgent agent;
    private final Map<LeaseName, ObjectName> registered = new HashMap<>();

    private LeaseMBeans(LeaseService service, ManagementAgent agent) {
        this.service = service;
        this.agent = agent;
    }

    /** Those of a service, if its context has JMX. */
    static Optional<LeaseMBeans> of(LeaseService service) {
        ManagementStrategy strategy = service.context().getManagementStrategy();
        return Optional.ofNullable(strategy.getManagementAgent()).map(agent -> new LeaseMBeans(service, agent));
    }

    @Override
    public void add(LeaseStatus lease) {
        try {
            ObjectName name = objectName(lease.name());
            agent.register(new ManagedLease(service, lease.name()), name);
            registered.put(lease.name(), name);
        } catch (JMException refused) {
            throw RuntimeCamelException.wrapRuntimeCamelException(refused);
        }
    }

    @Override
    public void close() {
        // each was unregistered with its lease
    }

    @Override
    public void remove(LeaseName lease) {
        ObjectName name = registered.remove(lease);
        if (name != null) {
            try {
                agent.unregister(name);
            } catch (JMException refused) {
                throw RuntimeCamelException.wrapRuntimeCamelException(refused);
            }
        }
    }

    /** As Camel names its services; the context's own name says how it is called there. */
    private ObjectName objectName(LeaseName lease) throws MalformedObjectNameException {
        CamelContext context = service.context();
        ObjectName ofContext = context.getManagementStrategy()
                .getManagementObjectNameStrategy()
                .getObjectNameForCamelContext(context);
        return new ObjectName(ofContext.getDomain() + ":context=" + ofContext.getKeyProperty("context")
                + ",type=services,name=" + ObjectName.quote("lease:" + lease));
    }
}
