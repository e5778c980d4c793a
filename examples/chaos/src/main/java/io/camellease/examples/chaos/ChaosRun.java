/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.Children;
import io.camellease.examples.runner.GivenUpException;
import io.camellease.examples.runner.LogLine;
import io.camellease.examples.runner.RunnerLog;
import io.camellease.examples.runner.WorkLogReader;
import io.camellease.examples.runner.Workspace;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Starts everything, harms it, and lets it come back. Confined to one thread. */
final class ChaosRun {

    private static final long LOOK_MILLIS = 10;
    private static final Duration STARTS = Duration.ofSeconds(90);
    private static final Duration STOPS = Duration.ofMinutes(2);
    private static final Duration LAST_LINES = Duration.ofMillis(100);
    private static final Duration QUICK_FEED = Duration.ofMillis(300);
    private static final int SLOW_FEED_TTLS = 4;
    private static final int QUIET_TTLS = 4;

    private final Workspace workspace;
    private final Options options;
    private final Progress progress;
    private final WorkLogReader reader;
    private final Uncommitted uncommitted;
    private final List<Feed> feeds = new ArrayList<>();
    private List<Lane> lanes = List.of();
    private boolean isFeeding;
    private long worstLookNanos;

    ChaosRun(Workspace workspace, Options options, Progress progress) {
        this.workspace = workspace;
        this.options = options;
        this.progress = progress;
        this.reader = new WorkLogReader(workspace.workLog());
        this.uncommitted = new Uncommitted(workspace.inbox());
    }

    /** By how much this thread was late at worst, in nanoseconds: how loaded the machine was. */
    long worstLookNanos() {
        return worstLookNanos;
    }

    /**
     * Plays it; no process is left afterwards.
     *
     * @throws GivenUpException if something that must happen does not
     */
    void play() throws IOException, InterruptedException {
        try (RunnerLog log = new RunnerLog(workspace.workLog());
                Children children = new Children();
                Site site = new Site(workspace, options, log, children)) {
            begin(site, log);
            harm(site, log);
            quiet(site, log);
            end(site, log);
        }
    }

    private void begin(Site site, RunnerLog log) throws IOException, InterruptedException {
        site.start(options.length().plus(STARTS).plus(patience(0)).plus(STOPS));
        progress.say("store " + site.store().description() + ", " + options.nodes() + " nodes, ttl "
                + options.ttl().toMillis() + " ms, seed " + options.seed());
        progress.say(
                site.clockNode().isEmpty()
                        ? "no libfaketime here: the clocks stay right"
                        : "the clock of " + site.clockNode() + " can be shifted");
        long now = System.nanoTime();
        for (String route : Site.QUICK) {
            feeds.add(new Feed(workspace.inbox(), route, QUICK_FEED, now, log));
        }
        feeds.add(new Feed(workspace.inbox(), Site.SLOW, options.ttl().multipliedBy(SLOW_FEED_TTLS), now, log));
        isFeeding = true;
        until(site, log, "all nodes are up and work is done under every lease", STARTS, this::isAtWork);
    }

    private boolean isAtWork() {
        return progress.allUp() && progress.begun().containsAll(Site.leases());
    }

    private void harm(Site site, RunnerLog log) throws IOException, InterruptedException {
        List<PlannedHarm> harms = Schedule.of(
                options.seed(),
                options.ttl(),
                options.length(),
                Site.names(options.nodes()),
                site.clockNode(),
                site.store().harms(),
                site.store().forgets());
        lanes = site.lanes(harms);
        progress.say(harms.size() + " harms within " + options.length().toSeconds() + " s");
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < options.length().toNanos()) {
            tick(Duration.ofNanos(System.nanoTime() - begun));
            look(site, log);
        }
    }

    /** All is made good; then everything must come back. Feeding goes on for a while, so that there is work. */
    private void quiet(Site site, RunnerLog log) throws IOException, InterruptedException {
        lanes.forEach(Lane::calm);
        log.write("quiet now=" + System.nanoTime());
        until(site, log, "everything is made good", STOPS, this::isWhole);
        progress.forgetBegun();
        long begun = System.nanoTime();
        long quiet = options.ttl().multipliedBy(QUIET_TTLS).toNanos();
        until(site, log, "feeding ends", STOPS, () -> System.nanoTime() - begun > quiet);
        isFeeding = false;
        until(
                site,
                log,
                "all nodes are up, all files are done and work goes on under every lease",
                patience(progress.waiting()),
                () -> isAtWork() && progress.waiting() == 0);
    }

    private boolean isWhole() {
        return lanes.stream().allMatch(Lane::isWhole);
    }

    /** How long the files may take that wait when feeding ends: as if all of them were slow, if they are few. */
    private Duration patience(int waiting) {
        long slowFiles =
                Math.min(waiting, options.length().dividedBy(options.ttl().multipliedBy(SLOW_FEED_TTLS)) + 2);
        return STARTS.plus(Site.slow(options.ttl()).plusSeconds(1).multipliedBy(slowFiles));
    }

    private void end(Site site, RunnerLog log) throws IOException, InterruptedException {
        log.write("over now=" + System.nanoTime());
        site.stopAll();
        Set<NodeProcess> gone = new HashSet<>();
        long begun = System.nanoTime();
        while (gone.size() < site.processes().size()) {
            if (System.nanoTime() - begun > STOPS.toNanos()) {
                throw new GivenUpException("a node did not stop");
            }
            for (NodeProcess process : site.processes()) {
                if (!gone.contains(process) && process.isGone()) {
                    gone.add(process);
                }
            }
            look(site, log);
        }
        Thread.sleep(LAST_LINES.toMillis());
        read(log);
    }

    private void until(Site site, RunnerLog log, String what, Duration patience, BooleanSupplier reached)
            throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (!reached.getAsBoolean()) {
            if (System.nanoTime() - begun > patience.toNanos()) {
                throw new GivenUpException("waited " + patience.toSeconds() + " s in vain for this: " + what);
            }
            tick(options.length());
            look(site, log);
        }
    }

    private void tick(Duration elapsed) throws IOException, InterruptedException {
        for (Lane lane : lanes) {
            lane.tick(elapsed);
        }
    }

    private void look(Site site, RunnerLog log) throws IOException, InterruptedException {
        long before = System.nanoTime();
        Thread.sleep(LOOK_MILLIS);
        long now = System.nanoTime();
        long late = now - before - Duration.ofMillis(LOOK_MILLIS).toNanos();
        worstLookNanos = Math.max(worstLookNanos, late);
        if (late > Site.late(options.ttl()).toNanos()) {
            log.write("late " + Stall.RUNNER + " from=" + before + " now=" + now);
        }
        if (isFeeding) {
            for (Feed feed : feeds) {
                feed.tick(now);
            }
        }
        read(log);
        progress.tick(now);
        site.checkAlive();
    }

    private void read(RunnerLog log) throws IOException {
        for (LogLine line : reader.readNew()) {
            progress.add(line);
            uncommitted.add(line);
            if (line.is("kill")) {
                for (LogLine end : uncommitted.deletedBy(line.subject())) {
                    log.write("committed " + end.subject() + " node=" + end.node() + " checked=" + end.number("checked")
                            + " now=" + System.nanoTime());
                }
            }
        }
    }
}
