/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.time.Duration;
import java.util.List;

/** A server that the nodes take their work from, as a process of its own. */
enum SourceServer {
    /** Files by FTP, one login at a time. */
    FTP("ftp", "FtpDirectory"),
    /** Files by SFTP, one login at a time. */
    SFTP("sftp", "SftpDirectory"),
    /** Messages of a durable queue. */
    BROKER("broker", "MessageBroker");

    private final String label;
    private final String mainClass;

    SourceServer(String label, String mainClass) {
        this.label = label;
        this.mainClass = "io.camellease.examples.servers." + mainClass;
    }

    /** What it is called in the log. */
    String label() {
        return label;
    }

    String mainClass() {
        return mainClass;
    }

    /** What a node must be told to take its work from there: options of its JVM. */
    List<String> nodeSettings(String uri, Duration ttl) {
        return switch (this) {
            case FTP -> List.of("-Dftp.uri=" + uri + "?passiveMode=true");
            case SFTP -> List.of("-Dftp.uri=" + uri + "?useUserKnownHostsFile=false");
            case BROKER ->
                List.of(
                        "-Dbroker.url=" + uri,
                        "-Dbroker.silenceMillis=" + ttl.dividedBy(2).toMillis(),
                        "-Dbroker.pingMillis=" + ttl.dividedBy(3).toMillis());
        };
    }
}
