/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.Child;
import io.camellease.examples.runner.Children;
import io.camellease.examples.runner.Commands;
import io.camellease.examples.runner.GivenUpException;
import io.camellease.examples.runner.RunnerLog;
import io.camellease.examples.runner.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A store in memory, as a process of its own. When it is killed it forgets everything. */
final class EmbeddedStore implements Store {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final long LOOK_MILLIS = 20;

    private final Workspace workspace;
    private final Children children;
    private final RunnerLog log;
    private final Consumer<StoreAddress> onMoved;
    private Optional<Child> child = Optional.empty();

    /** @param onMoved is told where the store is each time it was started again */
    EmbeddedStore(Workspace workspace, Children children, RunnerLog log, Consumer<StoreAddress> onMoved) {
        this.workspace = workspace;
        this.children = children;
        this.log = log;
        this.onMoved = onMoved;
    }

    @Override
    public StoreAddress start() throws IOException, InterruptedException {
        Files.deleteIfExists(workspace.uri(Schedule.STORE));
        Child started = children.start(Schedule.STORE, Commands.store(workspace, GRACE));
        child = Optional.of(started);
        long begun = System.nanoTime();
        while (!Files.exists(workspace.uri(Schedule.STORE))) {
            if (!started.isAlive() || System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new GivenUpException(
                        "the embedded store did not start; see " + workspace.console(Schedule.STORE));
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return StoreAddress.parse(Files.readString(workspace.uri(Schedule.STORE)));
    }

    @Override
    public List<Harm> harms() {
        return List.of(Harm.KILL, Harm.FREEZE, Harm.FREEZE);
    }

    @Override
    public boolean forgets() {
        return true;
    }

    @Override
    public String description() {
        return "embedded, in memory";
    }

    @Override
    public void leave() throws InterruptedException {
        if (child.isPresent()) {
            child.get().kill();
        }
    }

    @Override
    public void harm(PlannedHarm harm) throws IOException, InterruptedException {
        long from = System.nanoTime();
        if (harm.harm() == Harm.KILL) {
            child.orElseThrow().kill();
        } else {
            child.orElseThrow().signal("STOP");
        }
        log.write(harm.harm().word() + " " + Schedule.STORE + " from=" + from + " now=" + System.nanoTime());
    }

    @Override
    public boolean repair(PlannedHarm harm) throws IOException, InterruptedException {
        long from = System.nanoTime();
        if (harm.harm() == Harm.KILL) {
            onMoved.accept(start());
            log.write("launch " + Schedule.STORE + " empty=true from=" + from + " now=" + System.nanoTime());
        } else {
            child.orElseThrow().signal("CONT");
            log.write("thaw " + Schedule.STORE + " from=" + from + " now=" + System.nanoTime());
        }
        return true;
    }
}
