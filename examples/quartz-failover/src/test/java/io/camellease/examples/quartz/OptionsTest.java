/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.camellease.examples.runner.UsageException;
import io.camellease.quartz.MissedFires;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {

    @Test
    void withoutOptionsThereAreThreeMinutesInWhichNothingMayBeMissed() {
        Options options = Options.parse(7);

        assertThat(options.length()).isEqualTo(Duration.ofMinutes(3));
        assertThat(options.seed()).isEqualTo(7);
        assertThat(options.ttl()).isEqualTo(Duration.ofSeconds(3));
        assertThat(options.missedFires()).isEqualTo(MissedFires.ALL);
        assertThat(options.recover()).isFalse();
        assertThat(options.store()).isEmpty();
    }

    @Test
    void optionsAreTaken() {
        Options options = Options.parse(
                7, "--minutes", "0.5", "--seed=9", "--missed-fires", "once", "--recover", "true", "--ttl", "5s");

        assertThat(options.length()).isEqualTo(Duration.ofSeconds(30));
        assertThat(options.seed()).isEqualTo(9);
        assertThat(options.missedFires()).isEqualTo(MissedFires.ONCE);
        assertThat(options.recover()).isTrue();
        assertThat(options.ttl()).isEqualTo(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--minutes 0          | must be more than 0",
                "--minutes soon       | must be a number",
                "--seed x             | must be a whole number",
                "--missed-fires twice | must be once",
                "--recover yes        | must be true or false",
                "--ttl 10m            | longer than an example should take: at most 1m",
                "--files 20           | there is no option '--files'",
                "--store              | needs a value",
            })
    void aWrongOptionIsNamed(String commandLine, String message) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> Options.parse(7, commandLine.split(" ")))
                .withMessageContaining(message);
    }
}
