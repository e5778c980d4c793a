/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One line of the work log: {@code node event [subject] key=value ...}, where the subject is a file or a node.
 *
 * @param node who wrote it; {@link #RUNNER} for the runner
 * @param event what happened
 * @param subject to what; empty if there is none
 * @param values the rest, by key
 */
public record LogLine(String node, String event, String subject, Map<String, String> values) {

    /** The runner's name in the log. */
    public static final String RUNNER = "runner";

    /** A line. */
    public LogLine {
        values = Map.copyOf(values);
    }

    /**
     * Reads one line.
     *
     * @throws IllegalArgumentException if it is no line of a work log
     */
    public static LogLine parse(String text) {
        String[] words = text.split(" ");
        if (words.length < 3) {
            throw new IllegalArgumentException("not a line of a work log: '" + text + "'");
        }
        boolean hasSubject = !words[2].contains("=");
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = hasSubject ? 3 : 2; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("'" + words[i] + "' is not key=value in '" + text + "'");
            }
            values.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        return new LogLine(words[0], words[1], hasSubject ? words[2] : "", values);
    }

    /** Whether it tells of the given event. */
    public boolean is(String wanted) {
        return event.equals(wanted);
    }

    /** When it was written, in nanoseconds of the host's monotonic clock. */
    public long now() {
        return number("now");
    }

    /** The fencing token. */
    public long token() {
        return number("token");
    }

    /**
     * A number by its key.
     *
     * @throws IllegalArgumentException if it is missing or no number
     */
    public long number(String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("no " + key + " in " + this);
        }
        return Long.parseLong(value);
    }
}
