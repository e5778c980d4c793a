/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.worklog;

import io.camellease.core.LeaseListener;
import io.camellease.policy.LeaseService;
import java.util.Objects;
import org.apache.camel.CamelContext;
import org.apache.camel.support.CamelContextHelper;
import org.jspecify.annotations.Nullable;

/**
 * What one node writes into the log that all nodes append to: what its routes do, and what happens to its leases. Thread-safe
 * once started.
 */
public abstract class NodeLog extends ContextBean implements LeaseListener {

    private @Nullable SharedLog log;
    private String path = "work.log";
    private String node = "node";

    /** The file to append to. */
    public void setPath(String path) {
        this.path = path;
    }

    /** The name of this node in the log. */
    public void setNode(String node) {
        this.node = node;
    }

    @Override
    public void onContextStarting(CamelContext context) {
        log = new SharedLog(path, node);
        CamelContextHelper.mandatoryLookup(context, "leaseService", LeaseService.class)
                .addListener(this);
    }

    /** The log; it is open as soon as the application starts. */
    protected final SharedLog log() {
        return Objects.requireNonNull(log, "not started");
    }

    /** Says that the application is up, or about to be. */
    protected final void writeStarted() {
        log().write("started pid=" + ProcessHandle.current().pid());
    }
}
