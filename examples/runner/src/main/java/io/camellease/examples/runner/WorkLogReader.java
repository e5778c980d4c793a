/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads a work log while others append to it; a line that is not complete yet waits for the next time. Confined to one thread. */
public final class WorkLogReader {

    private static final int CHUNK = 1 << 20;

    private final Path workLog;
    private long position;

    /** A reader at the beginning of a log, which need not exist yet. */
    public WorkLogReader(Path workLog) {
        this.workLog = workLog;
    }

    /** All lines of a log that nobody writes any more. */
    public static List<LogLine> all(Path workLog) throws IOException {
        WorkLogReader reader = new WorkLogReader(workLog);
        List<LogLine> all = new ArrayList<>();
        List<LogLine> some = reader.readNew();
        while (!some.isEmpty()) {
            all.addAll(some);
            some = reader.readNew();
        }
        return all;
    }

    /** The lines that were added since the last call. */
    public List<LogLine> readNew() throws IOException {
        String text = new String(newBytes(), StandardCharsets.UTF_8);
        int end = text.lastIndexOf('\n') + 1;
        String complete = text.substring(0, end);
        position += complete.getBytes(StandardCharsets.UTF_8).length;
        return complete.lines().map(LogLine::parse).toList();
    }

    private byte[] newBytes() throws IOException {
        if (!Files.exists(workLog)) {
            return new byte[0];
        }
        try (RandomAccessFile file = new RandomAccessFile(workLog.toFile(), "r")) {
            byte[] bytes = new byte[(int) Math.min(CHUNK, file.length() - position)];
            file.seek(position);
            file.readFully(bytes);
            return bytes;
        }
    }
}
