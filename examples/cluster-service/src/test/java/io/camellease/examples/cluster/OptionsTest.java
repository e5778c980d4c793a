/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.camellease.examples.runner.UsageException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {

    @Test
    void withoutWordsThereAreDefaults() {
        assertThat(Options.parse()).isEqualTo(new Options(Duration.ofSeconds(5), Optional.empty(), false));
    }

    @Test
    void allOptionsAreRead() {
        assertThat(Options.parse("--ttl=8s", "--store", "mongodb://localhost", "--keep"))
                .isEqualTo(new Options(Duration.ofSeconds(8), Optional.of("mongodb://localhost"), true));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--ttl=2m   | longer than an example should take: at most 1m",
                "--ttl=soon | is not a duration",
                "--ttl      | --ttl needs a value",
                "--minutes  | there is no option '--minutes'"
            })
    void aWrongWordIsOneClearError(String word, String message) {
        assertThatThrownBy(() -> Options.parse(word))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(message);
    }
}
