/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.servers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What a server adds to the log that all processes share. Thread-safe. */
final class ServerLog implements AutoCloseable {

    private final String server;
    private final FileChannel channel;

    /** Appends under the given name to a log, which is made if it is missing. */
    ServerLog(String server, Path workLog) throws IOException {
        this.server = server;
        this.channel = FileChannel.open(workLog, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Adds a line, in one write, so that lines of several processes never mix. */
    void write(String event) throws IOException {
        byte[] line = (server + " " + event + " now=" + System.nanoTime() + "\n").getBytes(StandardCharsets.UTF_8);
        if (channel.write(ByteBuffer.wrap(line)) != line.length) {
            throw new IOException("only a part of a line could be written to the work log");
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
