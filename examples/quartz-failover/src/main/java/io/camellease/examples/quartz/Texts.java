/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import io.camellease.examples.quartz.History.Begin;
import java.time.Instant;

/** How slots and runs are named in complaints. */
final class Texts {

    private Texts() {}

    static String time(long slot) {
        return Instant.ofEpochMilli(slot).toString();
    }

    static String about(Begin run) {
        return run.process() + " ran " + run.job() + " for " + time(run.slot());
    }
}
