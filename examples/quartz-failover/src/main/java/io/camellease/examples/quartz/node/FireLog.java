/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz.node;

import io.camellease.core.LeaseEvent;
import io.camellease.examples.worklog.NodeLog;
import io.camellease.examples.worklog.SharedLog;
import java.util.Date;
import org.apache.camel.CamelContext;
import org.apache.camel.ExchangeProperty;
import org.apache.camel.Header;
import org.jspecify.annotations.Nullable;

/**
 * The work of this application: it takes a while, and it is written down for which scheduled time it was begun. All nodes append
 * to one log; times are milliseconds of the wall clock, which all processes of a host share. Thread-safe once started.
 */
public final class FireLog extends NodeLog {

    private static final long SHORT_MILLIS = 200;
    private static final long LONG_MILLIS = 2000;

    /** For Camel. */
    public FireLog() {}

    @Override
    public void onContextStarting(CamelContext context) {
        super.onContextStarting(context);
        write("started pid=" + ProcessHandle.current().pid());
    }

    /** The work of one route. */
    public void everySecond(
            @Header("CamelLeaseScheduledTime") Date slot,
            @Header("CamelLeaseToken") long token,
            @Header("CamelLeaseRecovering") @Nullable Boolean recovering,
            @ExchangeProperty("CamelLeaseCheckedAt") long checkedAt)
            throws InterruptedException {
        work("every-second", slot, token, marks(recovering, checkedAt), SHORT_MILLIS);
    }

    /** The work of the other route; it takes longer. */
    public void everyTenSeconds(
            @Header("CamelLeaseScheduledTime") Date slot,
            @Header("CamelLeaseToken") long token,
            @Header("CamelLeaseRecovering") @Nullable Boolean recovering,
            @ExchangeProperty("CamelLeaseCheckedAt") long checkedAt)
            throws InterruptedException {
        work("every-ten-seconds", slot, token, marks(recovering, checkedAt), LONG_MILLIS);
    }

    private static String marks(@Nullable Boolean recovering, long checkedAt) {
        return "recovering=" + Boolean.TRUE.equals(recovering) + " checked=" + checkedAt;
    }

    /** The work of the plain job, which is not told when the lease was checked for it. */
    void plain(Date slot, long token, boolean recovering) throws InterruptedException {
        work("plain", slot, token, "recovering=" + recovering, SHORT_MILLIS);
    }

    private void work(String schedule, Date slot, long token, String marks, long millis) throws InterruptedException {
        String what = schedule + " slot=" + slot.toInstant().toEpochMilli() + " token=" + token;
        write("begin " + what + " " + marks);
        Thread.sleep(millis);
        write("end " + what);
    }

    @Override
    public void onEvent(LeaseEvent event) {
        if (event instanceof LeaseEvent.OfGrant ofGrant) {
            String lease = event.name().value();
            String schedule = lease.substring(lease.lastIndexOf('/') + 1).replace("DEFAULT.", "");
            write(SharedLog.word(event) + " " + schedule + " token="
                    + ofGrant.lease().token());
        }
    }

    private void write(String text) {
        log().append(text + " at=" + System.currentTimeMillis());
    }
}
