/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OptionsTest {

    @Test
    void anExampleAloneIsEnough() {
        Options options = Options.parse("file-failover");

        assertThat(options.mode()).isEqualTo(Options.Mode.FAILOVER);
        assertThat(options.ttl()).isEqualTo(Duration.ofSeconds(3));
        assertThat(options.items()).isEqualTo(200);
        assertThat(options.store()).isEmpty();
        assertThat(options.keep()).isFalse();
    }

    @Test
    void allOptionsAreTaken() {
        Options options = Options.parse(
                "file-failover", "--store", "mongodb://localhost/?w=1", "--ttl=1500ms", "--files", "50", "--keep");

        assertThat(options.store()).contains("mongodb://localhost/?w=1");
        assertThat(options.ttl()).isEqualTo(Duration.ofMillis(1500));
        assertThat(options.items()).isEqualTo(50);
        assertThat(options.keep()).isTrue();
    }

    @Test
    void aNodeHasALabel() {
        Options options = Options.parse("file-failover", "node", "B");

        assertThat(options.mode()).isEqualTo(Options.Mode.NODE);
        assertThat(options.node()).isEqualTo("B");
    }

    @Test
    void whatIsWrongIsNamed() {
        refused("there is no example 'ftp'; there are: file-failover, ftp-failover, jms-failover", "ftp");
        refused("there is no option '--tll'", "file-failover", "--tll", "3s");
        refused("--ttl='soon' is not a duration", "file-failover", "--ttl", "soon");
        refused("ttl=500ms must be at least 1s", "file-failover", "--ttl", "500ms");
        refused("at most 5m", "file-failover", "--ttl", "1h");
        refused("--files=many must be a number from 20 to 100000", "file-failover", "--files", "many");
        refused("--files=5 must be a number", "file-failover", "--files", "5");
        refused("--ttl needs a value", "file-failover", "--ttl");
        refused("node needs a value", "file-failover", "node");
        refused("node 'a b' must be one capital letter", "file-failover", "node", "a b");
        refused("cannot be combined", "file-failover", "--store-outage", "node", "A");
    }

    @Test
    void whatDoesNotApplyIsRefused() {
        refused("--files is not for 'node'", "file-failover", "node", "A", "--files", "50");
        refused("--messages is not for 'node'", "jms-failover", "--messages", "50", "node", "A");
        refused("--keep is not for 'node'", "file-failover", "node", "A", "--keep");
        refused("file-failover has no option --messages: it is called --files", "file-failover", "--messages", "50");
        refused("jms-failover has no option --files: it is called --messages", "jms-failover", "--files", "50");
        refused("--sftp is for ftp-failover only", "jms-failover", "--sftp");
    }

    @Test
    void eachExampleHasItsServer() {
        assertThat(Options.parse("file-failover").server()).isEmpty();
        assertThat(Options.parse("ftp-failover").server()).contains(SourceServer.FTP);
        assertThat(Options.parse("ftp-failover", "--sftp").server()).contains(SourceServer.SFTP);
        assertThat(Options.parse("jms-failover").server()).contains(SourceServer.BROKER);
    }

    @Test
    void anOutageNeedsTheEmbeddedStore() {
        refused(
                "--store-outage freezes the embedded store",
                "file-failover",
                "--store-outage",
                "--store",
                "mongodb://localhost");
    }

    private static void refused(String message, String... arguments) {
        assertThatThrownBy(() -> Options.parse(arguments))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(message);
    }
}
