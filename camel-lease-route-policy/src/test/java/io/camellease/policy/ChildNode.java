/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A node in a JVM of its own, which can be frozen, thawed, asked to end and killed. All of them write to one journal file. */
final class ChildNode implements AutoCloseable {

    /** One line of the journal: what a node did with a file, under which token, let in by which clock reading, and when. */
    record Line(String node, String what, String file, long token, long checkedAt, long at) {

        static Line parse(String text) {
            String[] parts = text.split(" ", -1);
            return new Line(
                    parts[0],
                    parts[1],
                    parts[2],
                    Long.parseLong(parts[3]),
                    Long.parseLong(parts[4]),
                    Long.parseLong(parts[5]));
        }
    }

    /** How a child is started. By default it has one route, a ttl of 2 s, and its label is the name of its node too. */
    static final class Plan {
        private final String label;
        private final Path home;
        private final Map<String, String> environment = new HashMap<>();
        private final List<String> command = new ArrayList<>();
        private final List<String> properties = new ArrayList<>();

        private Plan(String label, String store, Path home) {
            this.label = label;
            this.home = home;
            set("label", label);
            set("store", store);
            set("home", home.toString());
        }

        /** Another value than {@link ChildMain} has by default. */
        Plan set(String key, Object value) {
            properties.add("-D" + ChildMain.PREFIX + key + "=" + value);
            return this;
        }

        Plan environment(Map<String, String> variables) {
            environment.putAll(variables);
            return this;
        }

        /** Starts it by another command that starts what follows. */
        Plan by(String... starter) {
            command.addAll(List.of(starter));
            return this;
        }

        ChildNode start() throws IOException {
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dio.netty.eventLoopThreads=1"));
            command.addAll(properties);
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), ChildMain.class.getName()));
            File log = logFile(home, label).toFile();
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
            builder.environment().putAll(environment);
            return new ChildNode(label, home, builder.start());
        }
    }

    final String label;
    private final Path home;
    private final Process process;

    private ChildNode(String label, Path home, Process process) {
        this.label = label;
        this.home = home;
        this.process = process;
    }

    /**
     * A child to be started.
     *
     * @param store the URI of the store
     * @param home where its log goes, and the journal and the directory of files are
     */
    static Plan plan(String label, String store, Path home) {
        return new Plan(label, store, home);
    }

    static ChildNode start(String label, String store, Path home) throws IOException {
        return plan(label, store, home).start();
    }

    static Path inbox(Path home) {
        return home.resolve("inbox");
    }

    static Path journalFile(Path home) {
        return home.resolve("journal");
    }

    private static Path logFile(Path home, String label) {
        return home.resolve(label + ".log");
    }

    static List<Line> journal(Path home) throws IOException {
        Path file = journalFile(home);
        return Files.exists(file)
                ? Files.readAllLines(file).stream().map(Line::parse).toList()
                : List.of();
    }

    static List<Line> journal(Path home, String node, String what) throws IOException {
        return journal(home).stream()
                .filter(line -> line.node().equals(node) && line.what().equals(what))
                .toList();
    }

    /** The lines that this child, and others of its label before it, logged. */
    List<String> log() {
        try {
            return Files.readAllLines(logFile(home, label));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** The lines of its log that contain all the given texts. */
    List<String> log(String... texts) {
        return log().stream()
                .filter(line -> List.of(texts).stream().allMatch(line::contains))
                .toList();
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void freeze() throws Exception {
        signal("-STOP");
    }

    void thaw() throws Exception {
        signal("-CONT");
    }

    /** Asks it to end, as a service manager does. */
    void terminate() throws Exception {
        signal("-TERM");
    }

    /** Waits for its end; fails if that takes longer. */
    Duration awaitEnd(Duration longest) throws Exception {
        long begin = System.nanoTime();
        if (!process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError(label + " has not ended within " + longest);
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private void signal(String signal) throws Exception {
        Process kill = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start();
        if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new IllegalStateException("kill " + signal + " failed");
        }
    }

    /** Ends it as a power failure would. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
