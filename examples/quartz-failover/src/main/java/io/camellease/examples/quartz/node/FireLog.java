/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz.node;

import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseListener;
import io.camellease.policy.LeaseService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Date;
import java.util.Locale;
import java.util.Objects;
import org.apache.camel.CamelContext;
import org.apache.camel.CamelContextAware;
import org.apache.camel.Header;
import org.apache.camel.support.CamelContextHelper;
import org.apache.camel.support.LifecycleStrategySupport;
import org.jspecify.annotations.Nullable;

/**
 * The work of this application: it takes a while, and it is written down for which scheduled time it was begun. All nodes append
 * to one log; times are milliseconds of the wall clock, which all processes of a host share. Thread-safe once started.
 */
public final class FireLog extends LifecycleStrategySupport implements CamelContextAware, LeaseListener {

    private static final long SHORT_MILLIS = 200;
    private static final long LONG_MILLIS = 2000;

    private @Nullable CamelContext camelContext;
    private @Nullable FileChannel channel;
    private String path = "work.log";
    private String node = "node";

    /** For Camel. */
    public FireLog() {}

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
        write("started pid=" + ProcessHandle.current().pid());
        CamelContextHelper.mandatoryLookup(context, "leaseService", LeaseService.class)
                .addListener(this);
    }

    /** The work of one route. */
    public void everySecond(
            @Header("CamelLeaseScheduledTime") Date slot,
            @Header("CamelLeaseToken") long token,
            @Header("CamelLeaseRecovering") @Nullable Boolean recovering)
            throws InterruptedException {
        work("every-second", slot, token, Boolean.TRUE.equals(recovering), SHORT_MILLIS);
    }

    /** The work of the other route; it takes longer. */
    public void everyTenSeconds(
            @Header("CamelLeaseScheduledTime") Date slot,
            @Header("CamelLeaseToken") long token,
            @Header("CamelLeaseRecovering") @Nullable Boolean recovering)
            throws InterruptedException {
        work("every-ten-seconds", slot, token, Boolean.TRUE.equals(recovering), LONG_MILLIS);
    }

    /** The work of the plain job. */
    void plain(Date slot, long token, boolean recovering) throws InterruptedException {
        work("plain", slot, token, recovering, SHORT_MILLIS);
    }

    private void work(String schedule, Date slot, long token, boolean recovering, long millis)
            throws InterruptedException {
        String what = schedule + " slot=" + slot.toInstant().toEpochMilli() + " token=" + token;
        write("begin " + what + " recovering=" + recovering);
        Thread.sleep(millis);
        write("end " + what);
    }

    @Override
    public void onEvent(LeaseEvent event) {
        if (event instanceof LeaseEvent.OfGrant ofGrant) {
            String lease = event.name().value();
            String schedule = lease.substring(lease.lastIndexOf('/') + 1).replace("DEFAULT.", "");
            write(word(event) + " " + schedule + " token=" + ofGrant.lease().token());
        }
    }

    private static String word(LeaseEvent event) {
        return event.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /**
     * Adds a line. It is one write to a file opened for appending, so that lines of several processes never mix and a killed
     * process leaves no half line.
     */
    private void write(String text) {
        byte[] line = (node + " " + text + " at=" + System.currentTimeMillis() + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            if (Objects.requireNonNull(channel, "not started").write(ByteBuffer.wrap(line)) != line.length) {
                throw new IOException("only a part of a line could be written");
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("the work log " + path + " cannot be written", failed);
        }
    }
}
