/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.worklog;

import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseListener;
import io.camellease.policy.LeaseService;
import java.util.Objects;
import org.apache.camel.CamelContext;
import org.apache.camel.CamelContextAware;
import org.apache.camel.ExchangeProperty;
import org.apache.camel.Header;
import org.apache.camel.support.CamelContextHelper;
import org.apache.camel.support.LifecycleStrategySupport;
import org.jspecify.annotations.Nullable;

/**
 * The work of the examples: it takes a while and leaves two lines, begin and end, in a log that all nodes append to. What
 * happens to the lease and to the application goes to the same log, so that it tells the whole story. Thread-safe once started.
 */
public final class WorkLog extends LifecycleStrategySupport implements CamelContextAware, LeaseListener {

    private @Nullable CamelContext camelContext;
    private @Nullable SharedLog log;
    private String path = "work.log";
    private String node = "node";
    private long workMillis;

    /** The file to append to. */
    public void setPath(String path) {
        this.path = path;
    }

    /** The name of this node in the log. */
    public void setNode(String node) {
        this.node = node;
    }

    /** How long the work of one exchange takes. */
    public void setWorkMillis(long workMillis) {
        this.workMillis = workMillis;
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
        log = new SharedLog(path, node);
        write("started pid=" + ProcessHandle.current().pid());
        CamelContextHelper.mandatoryLookup(context, "leaseService", LeaseService.class)
                .addListener(this);
    }

    @Override
    public void onContextStopped(CamelContext context) {
        write("stopped");
    }

    /** Works on one file. */
    public void workOnFile(
            @Header("CamelFileName") String file,
            @ExchangeProperty("CamelLeaseToken") long token,
            @ExchangeProperty("CamelLeaseCheckedAt") long checkedAt)
            throws InterruptedException {
        work(subject(file, token, checkedAt), "");
    }

    /** Works on one message; that it was delivered before is noted. */
    public void workOnMessage(
            @Header("order") String order,
            @Header("JMSRedelivered") boolean redelivered,
            @ExchangeProperty("CamelLeaseToken") long token,
            @ExchangeProperty("CamelLeaseCheckedAt") long checkedAt)
            throws InterruptedException {
        work(subject(order, token, checkedAt), redelivered ? " redelivered=true" : "");
    }

    /** Token and time come with every exchange of a leased route. */
    private static String subject(String name, long token, long checkedAt) {
        return name.replaceAll("[\\s=]", "_") + " token=" + token + " checked=" + checkedAt;
    }

    private void work(String subject, String note) throws InterruptedException {
        write("begin " + subject + note);
        Thread.sleep(workMillis);
        write("end " + subject);
    }

    @Override
    public void onEvent(LeaseEvent event) {
        if (event instanceof LeaseEvent.OfGrant ofGrant) {
            String more = event instanceof LeaseEvent.Lost lost ? " reason=" + lost.reason() : "";
            write(SharedLog.word(event) + " token=" + ofGrant.lease().token() + more);
        }
    }

    private void write(String text) {
        Objects.requireNonNull(log, "not started").write(text);
    }
}
