/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.time.Duration;

/**
 * Something that is to be done.
 *
 * @param lane the thing it is done to: no two harms of one lane at a time
 * @param harm what
 * @param at when, from the beginning of the chaos
 * @param length for how long
 * @param amount by how much a reply is late or a clock jumps; zero for other kinds
 */
record PlannedHarm(String lane, Harm harm, Duration at, Duration length, Duration amount) {

    /** When it is made good. */
    Duration until() {
        return at.plus(length);
    }
}
