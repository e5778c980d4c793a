/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What the nodes run: each at every multiple of a period since the epoch. */
enum ScheduledJob {
    /** A route. */
    EVERY_SECOND("every-second", 1_000),
    /** A route whose work takes longer. */
    EVERY_TEN_SECONDS("every-ten-seconds", 10_000),
    /** The job of a plain scheduler. */
    PLAIN("plain", 2_000);

    private final String title;
    private final long periodMillis;

    ScheduledJob(String title, long periodMillis) {
        this.title = title;
        this.periodMillis = periodMillis;
    }

    /** Its name in the log. */
    String title() {
        return title;
    }

    long periodMillis() {
        return periodMillis;
    }

    static Optional<ScheduledJob> named(String title) {
        return Arrays.stream(values()).filter(job -> job.title.equals(title)).findFirst();
    }

    static List<ScheduledJob> all() {
        return List.of(values());
    }
}
