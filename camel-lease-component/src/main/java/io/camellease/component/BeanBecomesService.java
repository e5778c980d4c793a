/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import org.apache.camel.CamelContext;
import org.apache.camel.Service;
import org.apache.camel.VetoCamelContextStartException;
import org.apache.camel.support.LifecycleStrategySupport;

/**
 * Adds a service to its context before routes are made that need it, unless somebody else has: beans of YAML, XML and properties
 * are found in the registry, and Camel looks for a cluster service among its services only. Thread-safe.
 */
final class BeanBecomesService extends LifecycleStrategySupport {

    private final Service bean;

    BeanBecomesService(Service bean) {
        this.bean = bean;
    }

    @Override
    public void onContextInitializing(CamelContext context) throws VetoCamelContextStartException {
        if (!context.hasService(bean)) {
            try {
                context.addService(bean);
            } catch (Exception failed) {
                throw new VetoCamelContextStartException(bean + " could not be made a service", failed, context);
            }
        }
    }
}
