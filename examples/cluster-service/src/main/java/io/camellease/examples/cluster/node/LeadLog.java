/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Objects;
import org.apache.camel.CamelContext;
import org.apache.camel.CamelContextAware;
import org.apache.camel.Exchange;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.apache.camel.cluster.CamelClusterMember;
import org.apache.camel.cluster.CamelClusterService;
import org.apache.camel.cluster.CamelClusterView;
import org.apache.camel.support.LifecycleStrategySupport;
import org.apache.camel.support.cluster.ClusterServiceHelper;
import org.jspecify.annotations.Nullable;

/**
 * Writes down who leads which namespace, and what the routes do, in one log of all nodes. Times are nanoseconds of the monotonic
 * clock, which all processes of a host share. Thread-safe once started.
 */
public final class LeadLog extends LifecycleStrategySupport
        implements CamelContextAware, CamelClusterEventListener.Leadership {

    private @Nullable CamelContext camelContext;
    private @Nullable FileChannel channel;
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
    public @Nullable CamelContext getCamelContext() {
        return camelContext;
    }

    /** Called by Camel when it makes this bean, and again while the bean asks to be told of start and stop. */
    @Override
    public void setCamelContext(CamelContext camelContext) {
        if (this.camelContext == null) {
            this.camelContext = camelContext;
            camelContext.addLifecycleStrategy(this);
        }
    }

    @Override
    public void onContextStarting(CamelContext context) {
        try {
            channel = FileChannel.open(Path.of(path), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException closed) {
            throw new UncheckedIOException("the work log " + path + " cannot be opened", closed);
        }
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

    /**
     * Adds a line. It is one write to a file opened for appending, so that lines of several processes never mix and a killed
     * process leaves no half line.
     */
    private void write(String text) {
        byte[] line = (node + " " + text + " now=" + System.nanoTime() + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            if (Objects.requireNonNull(channel, "not started").write(ByteBuffer.wrap(line)) != line.length) {
                throw new IOException("only a part of a line could be written");
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("the work log " + path + " cannot be written", failed);
        }
    }
}
