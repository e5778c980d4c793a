/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.util.Locale;

/** Which of the slots are still run that fell due while no node could run them. */
public enum MissedFires {
    /** The latest one. */
    ONCE,
    /** All of them, in order. */
    ALL,
    /** None. */
    SKIP;

    /**
     * Reads a setting.
     *
     * @param option the name of the setting, for the message
     * @throws IllegalArgumentException if the text is none of once, all and skip
     */
    public static MissedFires parse(String option, String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "once" -> ONCE;
            case "all" -> ALL;
            case "skip" -> SKIP;
            default ->
                throw new IllegalArgumentException(
                        option + "='" + text + "' must be once (run the latest missed slot), all or skip");
        };
    }
}
