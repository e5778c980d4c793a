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
public final class Commands {

    /** Class path of the nodes; by default that of the runner. */
    static final String NODE_CLASS_PATH = "examples.node.classpath";

    private static final String CLASS_PATH =
            Optional.ofNullable(System.getProperty("java.class.path")).orElse("");
    private static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m");

    private Commands() {}

    /**
     * The embedded store. It ignores the interrupt key, which is meant for one runner of several.
     *
     * @param grace how long it waits for another runner when none is left
     */
    public static ProcessBuilder store(Workspace workspace, Duration grace) {
        List<String> shell = new ArrayList<>(List.of("sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh"));
        shell.addAll(java(
                CLASS_PATH,
                List.of("-Dio.netty.eventLoopThreads=1", "-Dlogback.configurationFile=store-logback.xml"),
                EmbeddedStore.class.getName(),
                workspace.storeUri().toString(),
                workspace.runners().toString(),
                grace.toString()));
        return new ProcessBuilder(shell)
                .redirectErrorStream(true)
                .redirectOutput(workspace.console(Fault.STORE).toFile());
    }

    /**
     * A node: an ordinary Camel application. The URI goes through the environment, where other users cannot see it.
     *
     * @param settings further options of its JVM
     */
    public static ProcessBuilder node(Workspace workspace, String node, String storeUri, String... settings) {
        List<String> properties = new ArrayList<>(List.of(settings));
        properties.add("-Dcamel.lease.node=" + node);
        properties.add("-Dinbox=" + workspace.inbox());
        properties.add("-Dwork.log=" + workspace.workLog());
        String classPath =
                Optional.ofNullable(System.getProperty(NODE_CLASS_PATH)).orElse(CLASS_PATH);
        ProcessBuilder builder = new ProcessBuilder(java(classPath, properties, "org.apache.camel.main.Main"));
        builder.environment().put("CAMEL_LEASE_STORE", storeUri);
        return builder;
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
