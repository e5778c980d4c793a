/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.worklog;

import io.camellease.core.LeaseEvent;
import org.apache.camel.CamelContext;
import org.apache.camel.ExchangeProperty;
import org.apache.camel.Header;

/**
 * The work of the examples: it takes a while and leaves two lines, begin and end, in a log that all nodes append to. What
 * happens to the lease and to the application goes to the same log, so that it tells the whole story. Thread-safe once started.
 */
public final class WorkLog extends NodeLog {

    private long workMillis;

    /** How long the work of one exchange takes. */
    public void setWorkMillis(long workMillis) {
        this.workMillis = workMillis;
    }

    @Override
    public void onContextStarting(CamelContext context) {
        super.onContextStarting(context);
        writeStarted();
    }

    @Override
    public void onContextStopped(CamelContext context) {
        log().write("stopped");
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
        log().write("begin " + subject + note);
        Thread.sleep(workMillis);
        log().write("end " + subject);
    }

    @Override
    public void onEvent(LeaseEvent event) {
        if (event instanceof LeaseEvent.OfGrant ofGrant) {
            String more = event instanceof LeaseEvent.Lost lost ? " reason=" + lost.reason() : "";
            log().write(SharedLog.word(event) + " token=" + ofGrant.lease().token() + more);
        }
    }
}
