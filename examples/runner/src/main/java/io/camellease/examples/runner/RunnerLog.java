/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What the runner itself adds to the work log: the files that it hands in and the harm that it does. Thread-safe. */
public final class RunnerLog implements AutoCloseable {

    private final FileChannel channel;

    /**
     * Appends to a log, which is made if it is missing.
     *
     * @throws IOException if it cannot be written
     */
    public RunnerLog(Path workLog) throws IOException {
        channel = FileChannel.open(workLog, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** A file or message was handed in. */
    void fed(String item) throws IOException {
        write("fed " + item + " now=" + System.nanoTime());
    }

    /** A node is about to be started. */
    void launch(String node) throws IOException {
        write("launch " + node + " now=" + System.nanoTime());
    }

    /** So much of what was handed in is still there when all nodes have stopped. */
    void left(int count) throws IOException {
        write("left count=" + count + " now=" + System.nanoTime());
    }

    /** Something was done to a process, begun at the given time and in effect now. */
    void fault(Fault.Kind kind, String process, long from) throws IOException {
        String event =
                switch (kind) {
                    case KILL -> "kill";
                    case FREEZE -> "freeze";
                    case THAW -> "thaw";
                    case STOP -> "stop";
                };
        write(event + " " + process + " from=" + from + " now=" + System.nanoTime());
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /**
     * Adds a line under the runner's name, in one write, so that lines of several processes never mix.
     *
     * @param text event, subject if there is one, and key=value pairs, without line break
     * @throws IOException if it cannot be written
     */
    public void write(String text) throws IOException {
        byte[] line = (LogLine.RUNNER + " " + text + "\n").getBytes(StandardCharsets.UTF_8);
        if (channel.write(ByteBuffer.wrap(line)) != line.length) {
            throw new IOException("only a part of a line could be written to the work log");
        }
    }
}
