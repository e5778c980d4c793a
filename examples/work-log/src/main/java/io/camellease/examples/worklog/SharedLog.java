/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.worklog;

import io.camellease.core.LeaseEvent;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * A log that all processes of a host append to. Thread-safe; open for as long as the process lives. A process that cannot write
 * into it ends at once: what it did from then on would be missing, and what is missing looks as if it had not been done.
 */
public final class SharedLog {

    /** The status of a process that ended for that reason; EX_IOERR of sysexits.h. */
    private static final int CANNOT_WRITE = 74;

    private final String node;
    private final OutputStream file;
    private final Consumer<IOException> onFailure;

    /**
     * Opens it, and makes it if there is none.
     *
     * @param node what each line of this process begins with
     * @throws UncheckedIOException if it cannot be opened
     */
    public SharedLog(String path, String node) {
        this(path, node, failed -> end(path, failed));
    }

    /** @param onFailure is told when a line could not be written */
    SharedLog(String path, String node, Consumer<IOException> onFailure) {
        this.node = node;
        this.onFailure = onFailure;
        try {
            // not a channel, which an interrupt of a thread that writes closes for good
            file = new FileOutputStream(path, true);
        } catch (IOException closed) {
            throw new UncheckedIOException("the work log " + path + " cannot be opened", closed);
        }
    }

    private static void end(String path, IOException failed) {
        System.err.println("the work log " + path + " cannot be written, so this process ends: " + failed);
        Runtime.getRuntime().halt(CANNOT_WRITE);
    }

    /** Adds a line with the monotonic clock's time, which all JVMs of a host share. */
    public void write(String text) {
        append(text + " now=" + System.nanoTime());
    }

    /**
     * Adds a line. It is one write to a file opened for appending, so that lines of several processes never mix and a killed
     * process leaves no half line.
     */
    public void append(String text) {
        byte[] line = (node + " " + text + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            file.write(line);
        } catch (IOException failed) {
            onFailure.accept(failed);
        }
    }

    /** What an event is called there: AtRisk becomes at-risk. */
    public static String word(LeaseEvent event) {
        return event.getClass()
                .getSimpleName()
                .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
                .toLowerCase(Locale.ROOT);
    }
}
