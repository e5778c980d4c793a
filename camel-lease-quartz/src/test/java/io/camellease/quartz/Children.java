/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;

/** Nodes in JVMs of their own, which share a store in this JVM and a journal. Ends them all when it is closed. */
final class Children implements AutoCloseable {

    static final String LOSS = "loss";

    private static final Duration LONGEST = Duration.ofSeconds(90);

    /** What a node wrote down: what was run there for which slot. */
    record Line(String node, String what, Instant slot, long token, boolean recovering, Instant begunAt) {
        static Line parse(String text) {
            String[] words = text.split(" ");
            return new Line(
                    words[0],
                    words[1],
                    Instant.ofEpochMilli(Long.parseLong(words[2])),
                    Long.parseLong(words[3]),
                    Boolean.parseBoolean(words[4]),
                    Instant.ofEpochMilli(Long.parseLong(words[5])));
        }
    }

    private final MongoServer server = new MongoServer(new MemoryBackend());
    private final List<Process> processes = new CopyOnWriteArrayList<>();
    private final Path home;
    private final Path link;

    /** @param home an empty directory */
    Children(Path home) throws IOException {
        this.home = home;
        this.link = home.resolve("link");
        Files.createFile(home.resolve("journal"));
        server.bind();
        slowness(0, 0);
    }

    /** For what a process does that may have to be started first. */
    static ConditionFactory soon() {
        return Waiting.within(LONGEST);
    }

    /** How much longer each call of the store takes from now on. */
    void slowness(long leastMillis, long mostMillis) throws IOException {
        String uri = "mongodb://127.0.0.1:" + server.getLocalAddress().getPort() + "/leases";
        SlowStoreProvider.write(link, uri, leastMillis, mostMillis);
    }

    /** Starts a node, and waits until it is up. */
    Process start(String label, Map<String, String> environment, String... settings) throws IOException {
        Path up = home.resolve("up-" + processes.size());
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-Dchild.label=" + label,
                "-Dchild.store=slow:" + link,
                "-Dchild.up=" + up,
                "-Dchild.journal=" + home.resolve("journal")));
        for (String setting : settings) {
            command.add("-Dchild." + setting);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ChildMain.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        home.resolve(label + ".log").toFile()));
        builder.environment().putAll(environment);
        Process process = builder.start();
        processes.add(process);
        soon().until(() -> Files.exists(up) || !process.isAlive());
        if (!process.isAlive()) {
            throw new IllegalStateException(label + " ended: " + Files.readString(home.resolve(label + ".log")));
        }
        return process;
    }

    Process start(String label, String... settings) throws IOException {
        return start(label, Map.of(), settings);
    }

    static void signal(Process process, String signal) throws Exception {
        Process kill = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start();
        if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new IllegalStateException("kill " + signal + " failed");
        }
    }

    /** What was run. */
    List<Line> lines() {
        return all().stream().filter(line -> !line.what().equals(LOSS)).toList();
    }

    private List<Line> all() {
        try {
            return Files.readAllLines(home.resolve("journal")).stream()
                    .map(Line::parse)
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    List<Line> lines(String what) {
        return lines().stream().filter(line -> line.what().equals(what)).toList();
    }

    List<Line> linesOf(String node) {
        return lines().stream().filter(line -> line.node().equals(node)).toList();
    }

    /** What was run more than once for one slot, on whatever nodes, without a mark. */
    List<String> doubled() {
        return lines().stream()
                .filter(line -> !line.recovering())
                .collect(groupingBy(line -> line.what() + " " + line.slot(), counting()))
                .entrySet()
                .stream()
                .filter(entry -> entry.getValue() > 1)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** The slots of that period that were not run, between the first and the last that were. */
    List<Instant> missing(String what, Duration period) {
        NavigableSet<Instant> slots = new TreeSet<>();
        lines(what).forEach(line -> slots.add(line.slot()));
        List<Instant> missing = new ArrayList<>();
        for (Instant slot = slots.first(); slot.isBefore(slots.last()); slot = slot.plus(period)) {
            if (!slots.contains(slot)) {
                missing.add(slot);
            }
        }
        return missing;
    }

    /**
     * As {@link #missing}, less one slot for each time that a node lost a lease or was not sure of it, as a busy machine makes it
     * do: the slot that it was reserving then may be lost. It is one that was due shortly before.
     */
    List<Instant> unexplained(String what, Duration period) {
        List<Instant> losses = new ArrayList<>(all().stream()
                .filter(line -> line.what().equals(LOSS))
                .map(Line::begunAt)
                .toList());
        return missing(what, period).stream()
                .filter(slot -> losses.stream()
                        .filter(loss -> isShortlyAfter(loss, slot))
                        .findFirst()
                        .filter(losses::remove)
                        .isEmpty())
                .toList();
    }

    private static boolean isShortlyAfter(Instant loss, Instant slot) {
        // the clocks of nodes differ by less than a second, and slots are caught up with within seconds of a takeover
        return loss.isAfter(slot.minusSeconds(1)) && loss.isBefore(slot.plusSeconds(10));
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        server.shutdownNow();
    }
}
