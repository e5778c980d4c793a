/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.LogLine;

/** Makes histories out of text: one line each, all times in milliseconds. */
final class LogText {

    private LogText() {}

    /** The history of the given lines; {@code ms} behind a number stands for six zeros. */
    static History history(String text) {
        HistoryReader reader = new HistoryReader();
        text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .map(line -> LogLine.parse(line.replace("ms", "000000")))
                .forEach(reader::add);
        return reader.history();
    }
}
