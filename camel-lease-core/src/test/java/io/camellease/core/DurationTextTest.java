/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({
        "0, PT0S",
        "-1, PT-0.001S",
        "1, PT0.001S",
        "30000, PT30S",
        "0s, PT0S",
        "500ms, PT0.5S",
        "30s, PT30S",
        "30S, PT30S",
        "2m, PT2M",
        "1m30s, PT1M30S",
        "1h, PT1H",
        "2d, PT48H",
        "PT30S, PT30S",
        "pt1.5s, PT1.5S",
        "-PT5S, PT-5S",
        "PT-5S, PT-5S",
        "' 30s ', PT30S",
    })
    void readsTheFormsThatPeopleWrite(String text, Duration duration) {
        assertThat(DurationText.parse("ttl", text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "abc",
                "1.5",
                "1,5",
                "30x",
                "-5s",
                "s",
                "30 s",
                "1e3",
                "0x10",
                "PT",
                "P",
                "٣s",
                "1m 30s",
                "999999999999999d",
                "PT9999999999999999999S",
                "9999999999999999"
            })
    void refusesEverythingElseWithOptionTextAndForms(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationText.parse("camel.lease.ttl", text))
                .withMessage(
                        "camel.lease.ttl='" + text + "' is not a duration: write for example 30s, 500ms, 2m, 1m30s,"
                                + " PT30S, or a whole number of milliseconds");
    }
}
