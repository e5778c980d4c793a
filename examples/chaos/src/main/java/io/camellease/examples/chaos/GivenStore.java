/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.GivenUpException;
import io.camellease.examples.runner.RunnerLog;
import io.camellease.examples.runner.Workspace;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A store that somebody else runs, and that can be killed, started and frozen by what the command line says. */
final class GivenStore implements Store {

    private static final String NUMBER = "\\d+";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Options options;
    private final StoreAddress address;
    private final File console;
    private final RunnerLog log;
    private Optional<String> frozenPid = Optional.empty();
    private boolean isKilled;

    GivenStore(Options options, String uri, Workspace workspace, RunnerLog log) {
        this.options = options;
        this.address = StoreAddress.parse(uri);
        this.console = workspace.console(Schedule.STORE).toFile();
        this.log = log;
    }

    @Override
    public StoreAddress start() throws IOException {
        if (options.storePid().isPresent()) {
            var unused = pid();
        }
        return address;
    }

    @Override
    public List<Harm> harms() {
        List<Harm> harms = new ArrayList<>();
        options.storeKill().ifPresent(command -> harms.add(Harm.KILL));
        options.storePid().ifPresent(pid -> harms.add(Harm.FREEZE));
        return harms;
    }

    @Override
    public boolean forgets() {
        return false;
    }

    @Override
    public String description() {
        return address.server().getHostString() + ":" + address.server().getPort();
    }

    @Override
    public void leave() throws IOException, InterruptedException {
        if (frozenPid.isPresent()) {
            shell("kill -CONT " + frozenPid.get());
        }
        if (isKilled) {
            shell(options.storeStart().orElseThrow());
        }
    }

    @Override
    public void harm(PlannedHarm harm) throws IOException, InterruptedException {
        long from = System.nanoTime();
        if (harm.harm() == Harm.KILL) {
            isKilled = true;
            shell(options.storeKill().orElseThrow());
        } else {
            String pid = pid();
            shell("kill -STOP " + pid);
            frozenPid = Optional.of(pid);
        }
        log.write(harm.harm().word() + " " + Schedule.STORE + " from=" + from + " now=" + System.nanoTime());
    }

    @Override
    public boolean repair(PlannedHarm harm) throws IOException, InterruptedException {
        long from = System.nanoTime();
        if (harm.harm() == Harm.KILL) {
            shell(options.storeStart().orElseThrow());
            isKilled = false;
            log.write("launch " + Schedule.STORE + " empty=false from=" + from + " now=" + System.nanoTime());
        } else {
            shell("kill -CONT " + frozenPid.orElseThrow());
            frozenPid = Optional.empty();
            log.write("thaw " + Schedule.STORE + " from=" + from + " now=" + System.nanoTime());
        }
        return true;
    }

    /** The number, or what the file begins with now: it is another one after each start. */
    private String pid() throws IOException {
        String given = options.storePid().orElseThrow();
        if (given.matches(NUMBER)) {
            return given;
        }
        Path file = Path.of(given);
        String first = Files.isReadable(file)
                ? Files.readString(file).lines().findFirst().orElse("").strip()
                : "";
        if (!first.matches(NUMBER)) {
            throw new GivenUpException(
                    "--store-pid: '" + given + "' is no process id, and no file that begins with one in a line");
        }
        return first;
    }

    private void shell(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(console))
                .start();
        boolean ended = process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        if (!ended) {
            process.destroyForcibly();
        }
        if (!ended || process.exitValue() != 0) {
            throw new GivenUpException("'" + command + "' "
                    + (ended ? "ended with status " + process.exitValue() : "did not end") + "; see " + console);
        }
    }
}
