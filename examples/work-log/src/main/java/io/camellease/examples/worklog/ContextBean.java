/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.worklog;

import org.apache.camel.CamelContext;
import org.apache.camel.CamelContextAware;
import org.apache.camel.support.LifecycleStrategySupport;
import org.jspecify.annotations.Nullable;

/** A bean that is told when the application starts and stops. Configured by one thread. */
public abstract class ContextBean extends LifecycleStrategySupport implements CamelContextAware {

    private @Nullable CamelContext camelContext;

    @Override
    public final @Nullable CamelContext getCamelContext() {
        return camelContext;
    }

    /** Called by Camel when it makes this bean, and again while the bean asks to be told of start and stop. */
    @Override
    public final void setCamelContext(CamelContext camelContext) {
        if (this.camelContext == null) {
            this.camelContext = camelContext;
            camelContext.addLifecycleStrategy(this);
        }
    }
}
