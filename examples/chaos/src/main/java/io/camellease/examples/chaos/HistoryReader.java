/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.LogLine;
import io.camellease.examples.runner.WorkLogReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Puts a history together, line by line from the top of the log. Confined to one thread. */
final class HistoryReader {

    private final Map<String, Long> fed = new HashMap<>();
    private final Map<String, Work> works = new LinkedHashMap<>();
    private final Map<String, Held> grants = new LinkedHashMap<>();
    private final Map<String, Life> lives = new LinkedHashMap<>();
    private final Map<String, Integer> launches = new HashMap<>();
    private final List<Harmed> harms = new ArrayList<>();
    private final List<Sight> sights = new ArrayList<>();
    private final List<Stall> stalls = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private long firstAt = Span.OPEN;
    private long lastAt = Long.MIN_VALUE;
    private long overAt = Span.OPEN;
    private OptionalLong quietAt = OptionalLong.empty();

    /** The history in a log that nobody writes any more. */
    static History read(Path workLog) throws IOException {
        HistoryReader history = new HistoryReader();
        WorkLogReader reader = new WorkLogReader(workLog);
        List<LogLine> some = reader.readNew();
        while (!some.isEmpty()) {
            some.forEach(history::add);
            some = reader.readNew();
        }
        return history.history();
    }

    void add(LogLine line) {
        firstAt = Math.min(firstAt, line.now());
        lastAt = Math.max(lastAt, line.now());
        if (line.node().equals(LogLine.RUNNER)) {
            ofRunner(line);
        } else {
            ofNode(line);
        }
    }

    History history() {
        return new History(
                fed,
                List.copyOf(works.values()),
                List.copyOf(grants.values()),
                List.copyOf(lives.values()),
                harms,
                sights,
                stalls,
                failures,
                new Span(firstAt, Math.min(overAt, lastAt)),
                quietAt);
    }

    private void ofRunner(LogLine line) {
        switch (line.event()) {
            case "fed" -> fed.put(line.subject(), line.now());
            case "launch" -> launched(line);
            case "kill" -> {
                harmed(line, Harm.KILL);
                ended(line, true);
            }
            case "stop" -> {
                if (overAt == Span.OPEN) {
                    harmed(line, Harm.STOP);
                }
                lives.computeIfPresent(process(line.subject()), (process, life) -> life.asked(line.number("from")));
            }
            case "committed" ->
                works.computeIfPresent(
                        process(text(line, "node")) + " " + line.subject() + line.number("checked"),
                        (name, work) -> work.done(work.lastSign()));
            case "gone" -> ended(line, false);
            case "freeze" -> harmed(line, Harm.FREEZE);
            case "thaw" -> repaired(line, List.of(Harm.FREEZE));
            case "link" -> harmed(line, Harm.of(text(line, "harm")));
            case "heal" ->
                repaired(line, List.of(Harm.REFUSE, Harm.BLACKHOLE, Harm.DELAY, Harm.HALF_OPEN, Harm.DROP_REPLY));
            case "clock" -> clock(line);
            case "late" -> stalls.add(new Stall(Stall.RUNNER, new Span(line.number("from"), line.now())));
            case "quiet" -> quietAt = OptionalLong.of(line.now());
            case "over" -> overAt = line.now();
            case "overdue" -> failures.add(process(line.subject()) + " did not stop when it was asked to");
            default -> {
                // the rest is for people
            }
        }
    }

    private void ofNode(LogLine line) {
        String process = process(line.node());
        String key = process + " " + line.subject();
        switch (line.event()) {
            case "started" -> lives.computeIfPresent(process, (name, life) -> life.started(line.now()));
            case "begin" -> works.put(key + line.number("checked"), begun(process, line));
            case "end" -> works.computeIfPresent(key + line.number("checked"), (name, work) -> work.ended(line.now()));
            case "done" -> works.computeIfPresent(key + line.number("checked"), (name, work) -> work.done(line.now()));
            case "failed" ->
                works.computeIfPresent(key + line.number("checked"), (name, work) -> work.failed(line.now()));
            case "granted" ->
                grants.put(
                        key + line.token(),
                        new Held(
                                process,
                                line.subject(),
                                line.token(),
                                new Span(line.now(), Span.OPEN),
                                Held.Ending.OPEN));
            case "lost" -> over(key + line.token(), line.now(), Held.Ending.LOST);
            case "released" -> over(key + line.token(), line.now(), Held.Ending.RELEASED);
            case "late" -> stalls.add(new Stall(process, new Span(line.number("from"), line.now())));
            case "seen" -> sights.add(new Sight(line.subject(), text(line, "holder"), line.token(), line.now()));
            default -> {
                // at-risk, suspended and the like are for people
            }
        }
    }

    private String process(String node) {
        return node.equals(Schedule.STORE) ? node : node + "#" + launches.getOrDefault(node, 0);
    }

    private static String text(LogLine line, String key) {
        String value = line.values().get(key);
        if (value == null) {
            throw new IllegalArgumentException("no " + key + " in " + line);
        }
        return value;
    }

    // ---- what the runner did

    private void launched(LogLine line) {
        String target = line.subject();
        if (target.equals(Schedule.STORE)) {
            repaired(line, List.of(Harm.KILL));
            if (Boolean.parseBoolean(text(line, "empty"))) {
                forgot();
            }
            return;
        }
        repaired(line, List.of(Harm.KILL, Harm.STOP));
        launches.merge(target, 1, Integer::sum);
        String process = process(target);
        lives.put(process, new Life(process, target, line.number("from"), Span.OPEN, Span.OPEN, Span.OPEN, false));
    }

    private void harmed(LogLine line, Harm harm) {
        long amount = line.values().containsKey("amount") ? line.number("amount") : 0;
        harms.add(new Harmed(
                line.subject(),
                process(line.subject()),
                harm,
                amount,
                new Span(line.number("from"), Span.OPEN),
                false));
    }

    private void repaired(LogLine line, List<Harm> kinds) {
        harms.replaceAll(harm -> harm.target().equals(line.subject())
                        && kinds.contains(harm.harm())
                        && harm.span().until() == Span.OPEN
                ? harm.until(line.now())
                : harm);
    }

    private void forgot() {
        for (int i = harms.size() - 1; i >= 0; i--) {
            if (harms.get(i).isOfStore() && harms.get(i).harm() == Harm.KILL) {
                harms.set(i, harms.get(i).forgetting());
                return;
            }
        }
    }

    private void clock(LogLine line) {
        if (line.number("amount") == 0) {
            repaired(line, List.of(Harm.CLOCK));
        } else {
            harmed(line, Harm.CLOCK);
        }
    }

    // ---- what becomes of a process

    private void ended(LogLine line, boolean killed) {
        String process = process(line.subject());
        lives.computeIfPresent(
                process,
                (name, life) -> killed ? life.killed(line.number("from"), line.now()) : life.ended(line.now()));
        grants.replaceAll((key, grant) -> grant.process().equals(process) && grant.ending() == Held.Ending.OPEN
                ? grant.over(line.now(), Held.Ending.CRASHED)
                : grant);
    }

    // ---- exchanges and grants

    private static Work begun(String process, LogLine line) {
        return new Work(
                process,
                line.subject(),
                line.token(),
                line.number("checked"),
                line.now(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    private void over(String key, long at, Held.Ending ending) {
        grants.computeIfPresent(key, (name, grant) -> grant.over(at, ending));
    }
}
