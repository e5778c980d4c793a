/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.camellease.examples.runner.UsageException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OptionsTest {

    private static Options parse(String... arguments) {
        return Options.parse(42, arguments);
    }

    @Test
    void defaults() {
        Options options = parse();

        assertThat(options.length()).isEqualTo(Duration.ofMinutes(5));
        assertThat(options.seed()).isEqualTo(42);
        assertThat(options.nodes()).isEqualTo(3);
        assertThat(options.ttl()).isEqualTo(Duration.ofSeconds(3));
        assertThat(options.store()).isEmpty();
        assertThat(options.keep()).isFalse();
    }

    @Test
    void everythingCanBeSaid() {
        Options options = parse(
                "--minutes=0.5",
                "--seed",
                "-7",
                "--nodes",
                "4",
                "--ttl",
                "2s",
                "--store",
                "mongodb://db:1/",
                "--store-kill",
                "stop it",
                "--store-start",
                "start it",
                "--store-pid",
                "12",
                "--picture",
                "a.svg",
                "--keep");

        assertThat(options.length()).isEqualTo(Duration.ofSeconds(30));
        assertThat(options.seed()).isEqualTo(-7);
        assertThat(options.nodes()).isEqualTo(4);
        assertThat(options.ttl()).isEqualTo(Duration.ofSeconds(2));
        assertThat(options.store()).contains("mongodb://db:1/");
        assertThat(options.storeKill()).contains("stop it");
        assertThat(options.storeStart()).contains("start it");
        assertThat(options.storePid()).contains("12");
        assertThat(options.picture()).contains(Path.of("a.svg"));
        assertThat(options.keep()).isTrue();
    }

    @Test
    void whatIsWrongIsNamed() {
        refused("there is no option '--minute'", "--minute", "5");
        refused("--seed needs a value", "--seed");
        refused("--seed=x must be", "--seed", "x");
        refused("--minutes=five must be", "--minutes", "five");
        refused("--minutes=0 must be", "--minutes", "0");
        refused("--minutes=1440 must be", "--minutes", "1440");
        refused("--nodes=1 must be", "--nodes", "1");
        refused("--nodes=10 must be", "--nodes", "10");
        refused("--ttl=2m is longer than an example should take: at most 1m", "--ttl", "2m");
        refused("--ttl='soon' is not a duration", "--ttl", "soon");
        refused("--store must name one server", "--store", "mongodb://a,b/");
        refused("--store must name one server", "--store", "mongodb+srv://a/");
        refused("need --store", "--store-pid", "7");
        refused("need each other", "--store", "mongodb://a/", "--store-kill", "x");
    }

    private static void refused(String message, String... arguments) {
        assertThatThrownBy(() -> parse(arguments))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aProxyIsPutBeforeTheServer() {
        StoreAddress address = StoreAddress.parse("mongodb://me:secret@db.example:27018/orders?w=1");

        assertThat(address.server().getHostString()).isEqualTo("db.example");
        assertThat(address.server().getPort()).isEqualTo(27018);
        assertThat(address.by("127.0.0.1:5"))
                .isEqualTo("mongodb://me:secret@127.0.0.1:5/orders?w=1&directConnection=true");
        assertThat(StoreAddress.parse("mongodb://127.0.0.1").by("127.0.0.1:5"))
                .isEqualTo("mongodb://127.0.0.1:5/?directConnection=true");
        assertThat(StoreAddress.parse("mongodb://h:1/?directConnection=true").by("p:2"))
                .isEqualTo("mongodb://p:2/?directConnection=true");
    }
}
