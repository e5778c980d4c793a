/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.worklog;

import io.camellease.core.LeaseEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** A log that all processes of a host append to. Thread-safe; open for as long as the process lives. */
public final class SharedLog {

    private final String path;
    private final String node;
    private final FileChannel channel;

    /**
     * Opens it, and makes it if there is none.
     *
     * @param node what each line of this process begins with
     * @throws UncheckedIOException if it cannot be opened
     */
    public SharedLog(String path, String node) {
        this.path = path;
        this.node = node;
        try {
            channel = FileChannel.open(Path.of(path), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException closed) {
            throw new UncheckedIOException("the work log " + path + " cannot be opened", closed);
        }
    }

    /**
     * Adds a line with the monotonic clock's time, which all JVMs of a host share.
     *
     * @throws UncheckedIOException if it cannot be written
     */
    public void write(String text) {
        append(text + " now=" + System.nanoTime());
    }

    /**
     * Adds a line. It is one write to a file opened for appending, so that lines of several processes never mix and a killed
     * process leaves no half line.
     *
     * @throws UncheckedIOException if it cannot be written
     */
    public void append(String text) {
        byte[] line = (node + " " + text + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            if (channel.write(ByteBuffer.wrap(line)) != line.length) {
                throw new IOException("only a part of a line could be written");
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("the work log " + path + " cannot be written", failed);
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
