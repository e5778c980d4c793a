/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos.node;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.examples.worklog.NodeLog;
import io.camellease.examples.worklog.SharedLog;
import io.camellease.policy.LeaseConstants;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.Ordered;
import org.apache.camel.support.SynchronizationAdapter;

/**
 * The work of this application: it takes a while, and it is written down. A log that all nodes append to gets three lines for
 * each exchange: its begin, its end, and that its source has committed it; and a line for whatever happens to a lease. What
 * an exchange does is called item: the route's id, a slash, and the file or a unique name. Thread-safe once started.
 */
public final class Journal extends NodeLog {

    private static final long LOOK_MILLIS = 20;

    private long quickMillis;
    private long slowMillis;
    private long lateMillis;
    private volatile boolean isStarted;

    /** How long quick work takes, in milliseconds. */
    public void setQuickMillis(long quickMillis) {
        this.quickMillis = quickMillis;
    }

    /** How long slow work takes, in milliseconds. */
    public void setSlowMillis(long slowMillis) {
        this.slowMillis = slowMillis;
    }

    /** By how much this process must be late for that to be written down, in milliseconds. */
    public void setLateMillis(long lateMillis) {
        this.lateMillis = lateMillis;
    }

    @Override
    public void onContextStarted(CamelContext context) {
        writeStarted();
        isStarted = true;
        Thread thread = new Thread(this::watchForStalls, "journal-stalls");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void onContextStopped(CamelContext context) {
        isStarted = false;
        log().write("stopped");
    }

    /** Quick work. */
    public void quick(Exchange exchange) throws InterruptedException {
        work(exchange, quickMillis);
    }

    /** Work that takes longer than a lease lasts. */
    public void slow(Exchange exchange) throws InterruptedException {
        work(exchange, slowMillis);
    }

    private void work(Exchange exchange, long millis) throws InterruptedException {
        String what = item(exchange)
                + " token=" + exchange.getProperty(LeaseConstants.LEASE_TOKEN)
                + " checked=" + exchange.getProperty(LeaseConstants.LEASE_CHECKED_AT);
        log().write("begin " + what);
        exchange.getExchangeExtension().addOnCompletion(new Committed(what));
        Thread.sleep(millis);
        log().write("end " + what);
    }

    /** Writes down when this process did not run though it could have: it was frozen, or the machine was busy. */
    private void watchForStalls() {
        try {
            while (isStarted) {
                long from = System.nanoTime();
                Thread.sleep(LOOK_MILLIS);
                if (System.nanoTime() - from > TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS + lateMillis)) {
                    log().write("late from=" + from);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static String item(Exchange exchange) {
        String file = exchange.getIn().getHeader(Exchange.FILE_NAME, String.class);
        return exchange.getFromRouteId() + "/" + (file == null ? exchange.getExchangeId() : file);
    }

    @Override
    public void onEvent(LeaseEvent event) {
        if (event instanceof LeaseEvent.OfGrant ofGrant) {
            String more = event instanceof LeaseEvent.Lost lost ? " reason=" + lost.reason() : "";
            log().write(SharedLog.word(event) + " " + route(event.name()) + " token="
                    + ofGrant.lease().token() + more);
        } else if (event instanceof LeaseEvent.HolderChanged changed) {
            changed.record().holder().ifPresent(holder -> log().write("seen " + route(event.name()) + " holder="
                    + label(holder) + " token=" + changed.record().token()));
        }
    }

    /** The name of a lease is the application's name, a slash, and the route's id. */
    private static String route(LeaseName lease) {
        return lease.value().substring(lease.value().lastIndexOf('/') + 1);
    }

    /** A holder's id is the node's name, a number sign, and something random. */
    private static String label(HolderId holder) {
        return holder.value().substring(0, holder.value().lastIndexOf('#'));
    }

    /** Writes down what became of an exchange once its source has deleted the file, or has kept it. */
    private final class Committed extends SynchronizationAdapter {
        private final String what;

        private Committed(String what) {
            this.what = what;
        }

        @Override
        public int getOrder() {
            // after the source, and before the lease counts the exchange as finished
            return Ordered.LOWEST - 1;
        }

        @Override
        public void onComplete(Exchange exchange) {
            log().write("done " + what);
        }

        @Override
        public void onFailure(Exchange exchange) {
            log().write("failed " + what);
        }
    }
}
