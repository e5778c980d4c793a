/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The command lines of the processes that a run consists of. */
final class Commands {

    /** Class path of the nodes; by default that of the runner. */
    static final String NODE_CLASS_PATH = "examples.node.classpath";

    /** Class path of the servers that nodes take their work from; by default that of the runner. */
    static final String SERVER_CLASS_PATH = "examples.server.classpath";

    private static final String CLASS_PATH =
            Optional.ofNullable(System.getProperty("java.class.path")).orElse("");
    private static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m");

    private Commands() {}

    /** The embedded store. It ignores the interrupt key, which is meant for one runner of several. */
    static ProcessBuilder store(Workspace workspace, Duration grace) {
        return detached(
                workspace,
                Fault.STORE,
                java(
                        CLASS_PATH,
                        List.of("-Dio.netty.eventLoopThreads=1", "-Dlogback.configurationFile=store-logback.xml"),
                        EmbeddedStore.class.getName(),
                        workspace.storeUri().toString(),
                        workspace.runners().toString(),
                        grace.toString()));
    }

    /** A server that the nodes take their work from. It ignores the interrupt key too. */
    static ProcessBuilder server(Workspace workspace, SourceServer server, Duration ttl, Duration grace) {
        String label = server.label();
        return detached(
                workspace,
                label,
                java(
                        classPath(SERVER_CLASS_PATH),
                        List.of(),
                        server.mainClass(),
                        workspace.uri(label).toString(),
                        workspace.runners().toString(),
                        grace.toString(),
                        workspace.inbox().toString(),
                        workspace.data(label).toString(),
                        workspace.workLog().toString(),
                        ttl.toString()));
    }

    private static ProcessBuilder detached(Workspace workspace, String name, List<String> java) {
        List<String> shell = new ArrayList<>(List.of("sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh"));
        shell.addAll(java);
        return new ProcessBuilder(shell)
                .redirectErrorStream(true)
                .redirectOutput(workspace.console(name).toFile());
    }

    /** A node: an ordinary Camel application. The URI goes through the environment, where other users cannot see it. */
    static ProcessBuilder node(Workspace workspace, String node, String storeUri, String... settings) {
        List<String> properties = new ArrayList<>(List.of(settings));
        properties.add("-Dcamel.lease.node=" + node);
        properties.add("-Dinbox=" + workspace.inbox());
        properties.add("-Dwork.log=" + workspace.workLog());
        ProcessBuilder builder =
                new ProcessBuilder(java(classPath(NODE_CLASS_PATH), properties, "org.apache.camel.main.Main"));
        builder.environment().put("CAMEL_LEASE_STORE", storeUri);
        return builder;
    }

    private static String classPath(String property) {
        return Optional.ofNullable(System.getProperty(property)).orElse(CLASS_PATH);
    }

    private static List<String> java(String classPath, List<String> properties, String... mainAndArguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(String.valueOf(System.getProperty("java.home")), "bin", "java")
                .toString());
        command.addAll(QUICK_START);
        command.addAll(properties);
        command.addAll(List.of("-cp", classPath));
        command.addAll(List.of(mainAndArguments));
        return command;
    }
}
