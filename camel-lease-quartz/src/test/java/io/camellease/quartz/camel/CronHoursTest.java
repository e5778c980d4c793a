/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz.camel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether two cron expressions leave a route closed. */
class CronHoursTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // every day
                "0 0 8 * * ?, 0 0 20 * * ?, 2026-12-24T12:00:00Z, false",
                "0 0 8 * * ?, 0 0 20 * * ?, 2026-12-24T21:00:00Z, true",
                // once
                "0 0 8 24 12 ? 2026, 0 0 20 24 12 ? 2026, 2026-12-24T07:00:00Z, true",
                "0 0 8 24 12 ? 2026, 0 0 20 24 12 ? 2026, 2026-12-24T12:00:00Z, false",
                "0 0 8 24 12 ? 2026, 0 0 20 24 12 ? 2026, 2026-12-24T20:00:00Z, true",
                "0 0 8 24 12 ? 2026, 0 0 20 24 12 ? 2026, 2027-03-01T00:00:00Z, true",
                // closed before it opens for good
                "0 0 20 24 12 ? 2026, 0 0 8 24 12 ? 2026, 2026-12-24T12:00:00Z, true",
                "0 0 20 24 12 ? 2026, 0 0 8 24 12 ? 2026, 2027-03-01T00:00:00Z, false",
                // one of them goes on
                "0 0 8 24 12 ? 2026, 0 0 20 * * ?, 2026-12-24T12:00:00Z, false",
                "0 0 8 24 12 ? 2026, 0 0 20 * * ?, 2026-12-25T12:00:00Z, true",
                "0 0 8 * * ?, 0 0 20 24 12 ? 2026, 2026-12-25T07:00:00Z, true",
                "0 0 8 * * ?, 0 0 20 24 12 ? 2026, 2026-12-25T09:00:00Z, false",
                // one of them is missing
                "0 0 8 24 12 ? 2026, -, 2027-03-01T00:00:00Z, false",
                "-, 0 0 20 24 12 ? 2026, 2027-03-01T00:00:00Z, false"
            })
    void areClosedAfterTheLastStopUnlessAStartFollowed(
            @Nullable String opens, @Nullable String closes, Instant now, boolean closed) {
        assertThat(CronHours.closed(opens, closes, "UTC", now)).isEqualTo(closed);
    }
}
