/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster.node;

import io.camellease.examples.worklog.ContextBean;
import io.camellease.examples.worklog.SharedLog;
import java.util.Locale;
import java.util.Objects;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.apache.camel.cluster.CamelClusterMember;
import org.apache.camel.cluster.CamelClusterService;
import org.apache.camel.cluster.CamelClusterView;
import org.apache.camel.support.cluster.ClusterServiceHelper;
import org.jspecify.annotations.Nullable;

/**
 * Writes down who leads which namespace, and what the routes do, in one log of all nodes. Times are nanoseconds of the monotonic
 * clock, which all processes of a host share. Thread-safe once started.
 */
public final class LeadLog extends ContextBean implements CamelClusterEventListener.Leadership {

    private @Nullable SharedLog log;
    private String path = "work.log";
    private String node = "node";

    /** For Camel. */
    public LeadLog() {}

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
    }

    /** From here on this node takes part, whatever its routes do. */
    @Override
    public void onContextStarted(CamelContext context) {
        try {
            CamelClusterService cluster = ClusterServiceHelper.mandatoryLookupService(context);
            cluster.getView("master").addEventListener(this);
            cluster.getView("policy").addEventListener(this);
        } catch (Exception missing) {
            throw new IllegalStateException("there is no cluster service to be told by", missing);
        }
        write("started pid=" + ProcessHandle.current().pid());
    }

    @Override
    public void leadershipChanged(CamelClusterView view, CamelClusterMember leader) {
        String word = view.getLocalMember().isLeader() ? "leads" : "follows";
        write(word + " by-" + view.getNamespace().toLowerCase(Locale.ROOT));
    }

    /** The work of both routes. */
    public void tick(Exchange exchange) {
        write("tick " + exchange.getFromRouteId());
    }

    private void write(String text) {
        Objects.requireNonNull(log, "not started").write(text);
    }
}
