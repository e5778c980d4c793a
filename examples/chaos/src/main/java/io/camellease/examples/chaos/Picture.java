/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A drawing of a history as SVG: one row for each lease with who held it and when work was in flight, one for each node with
 * what was done to it, and one for the store. Used once; confined to one thread.
 */
final class Picture {

    private static final double PIXELS_PER_SECOND = 3;
    private static final int MIN_WIDTH = 900;
    private static final int MAX_WIDTH = 6000;
    private static final int LEFT = 90;
    private static final int TOP = 64;
    private static final int ROW = 30;
    private static final int BAR = 20;
    private static final int THIN = 5;
    private static final int LEGEND_WIDTH = 92;
    private static final double MIN_BOX = 1.5;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int[] AXIS_STEPS = {5, 10, 30, 60, 300, 600, 3600};
    private static final int MIN_AXIS_PIXELS = 60;

    private static final List<String> NODE_COLOURS =
            List.of("#1f77b4", "#ff7f0e", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#17becf", "#bcbd22", "#7f7f7f");

    private final History history;
    private final Canvas canvas = new Canvas();
    private final List<Work> wrong;
    private final double pixelsPerSecond;
    private final int width;
    private final int bottom;
    private final List<String> leases;
    private final List<String> nodes;

    private Picture(History history) {
        this.history = history;
        leases = List.copyOf(history.leases());
        nodes = history.lives().stream().map(Life::node).distinct().sorted().toList();
        double seconds = Math.max(1, history.span().nanos() / NANOS_PER_SECOND);
        int inner = (int) Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, seconds * PIXELS_PER_SECOND));
        pixelsPerSecond = inner / seconds;
        width = LEFT + inner + ROW;
        bottom = TOP + (leases.size() + nodes.size() + 1) * ROW;
        wrong = Verdict.of(history).wrong();
    }

    /** The drawing, with the figures of the run in its title. */
    static String of(History history, Outcome result, Options options) {
        return new Picture(history).draw(result, options);
    }

    private String draw(Outcome result, Options options) {
        canvas.text(
                4,
                16,
                "Who held which lease when: seed " + options.seed() + ", ttl "
                        + options.ttl().toMillis() + " ms, " + history.harms().size() + " faults, "
                        + (result.passed()
                                ? "nothing wrong"
                                : result.complaints().size() + " things wrong"));
        legend();
        outages();
        for (int row = 0; row < leases.size(); row++) {
            lease(leases.get(row), TOP + row * ROW);
        }
        for (int row = 0; row < nodes.size(); row++) {
            node(nodes.get(row), TOP + (leases.size() + row) * ROW);
        }
        store(bottom - ROW);
        axis();
        return canvas.svg(width, bottom + 2 * ROW);
    }

    private void legend() {
        int at = 4;
        for (String node : nodes) {
            canvas.box(at, 26, 12, 12, colour(node));
            canvas.text(at + 16, 36, "node " + node);
            at += LEGEND_WIDTH;
        }
        at = 4;
        for (Harm harm : Harm.values()) {
            canvas.box(at, 44, 12, 12, colour(harm));
            canvas.text(at + 16, 54, harm.word());
            at += LEGEND_WIDTH;
        }
    }

    /** Grey over all rows while the store is away. */
    private void outages() {
        history.harmsOfStore()
                .forEach(harm -> canvas.box(x(harm.span().from()), TOP, w(harm.span()), bottom - TOP, "#e4e4e4"));
        history.quietAt().ifPresent(quiet -> canvas.dashed(x(quiet), TOP - 4, bottom, "no more harm"));
    }

    /** Pale: held. Strong: work in flight. Red: something wrong. */
    private void lease(String lease, int y) {
        canvas.text(4, y + 15, lease);
        history.grants().stream().filter(grant -> grant.lease().equals(lease)).forEach(grant -> grant(grant, y));
        work(lease, y + BAR / 2);
        wrong.stream()
                .filter(work -> work.lease().equals(lease))
                .forEach(
                        work -> canvas.mark(x(work.checkedAt()), y, "wrong: " + work.item() + " on " + work.process()));
    }

    /** A frozen node is told of the end of its grant when it wakes; it is not shown as the holder until then. */
    private void grant(Held grant, int y) {
        String what = String.format(
                Locale.ROOT,
                "%s: %s, token %d, %s, %s",
                grant.lease(),
                grant.process(),
                grant.token(),
                fromTo(grant.span()),
                grant.ending().name().toLowerCase(Locale.ROOT));
        Spans.of(grant.span())
                .minus(history.frozen(grant.process()))
                .list()
                .forEach(
                        span -> canvas.paleBox(x(span.from()), y, w(span), BAR, colour(nodeOf(grant.process())), what));
    }

    private void work(String lease, int y) {
        Map<String, List<Span>> spans = new TreeMap<>();
        Map<String, Spans> frozen = new HashMap<>();
        long pixel = (long) (NANOS_PER_SECOND / pixelsPerSecond);
        for (Work work : history.works()) {
            if (work.lease().equals(lease)) {
                // a pixel longer, so that what cannot be told apart becomes one line
                Span inFlight = new Span(work.checkedAt(), work.lastSign() + pixel);
                spans.computeIfAbsent(nodeOf(work.process()), node -> new ArrayList<>())
                        .addAll(Spans.of(inFlight)
                                .minus(frozen.computeIfAbsent(work.process(), history::frozen))
                                .list());
            }
        }
        spans.forEach((node, all) -> canvas.dashes(
                Spans.of(all).list().stream()
                        .map(span -> new Canvas.Dash(x(span.from()), w(span)))
                        .toList(),
                y,
                colour(node)));
    }

    /** On the line: when it ran and what was done to the process. Below: what was done to its connection and its clock. */
    private void node(String node, int y) {
        canvas.text(4, y + 15, "node " + node);
        for (Life life : history.lives()) {
            if (life.node().equals(node)) {
                Span up = new Span(life.startedAt(), life.endedAt());
                canvas.box(x(life.launchedAt()), y + 2, w(new Span(life.launchedAt(), life.endedAt())), THIN, "#ddd");
                canvas.box(x(up.from()), y + 2, w(up), THIN, colour(node), life.process());
            }
        }
        for (Harmed harm : history.harms()) {
            if (harm.target().equals(node)) {
                switch (harm.harm()) {
                    case KILL, FREEZE, STOP -> box(harm, y, 9);
                    case CLOCK -> box(harm, y + 2 * THIN + 6, THIN);
                    default -> box(harm, y + THIN + 5, THIN);
                }
            }
        }
    }

    private void store(int y) {
        canvas.text(4, y + 15, "store");
        history.harmsOfStore().forEach(harm -> box(harm, y + 2, 10));
    }

    private void axis() {
        int step = AXIS_STEPS[AXIS_STEPS.length - 1];
        for (int i = AXIS_STEPS.length - 1; i >= 0; i--) {
            if (AXIS_STEPS[i] * pixelsPerSecond >= MIN_AXIS_PIXELS) {
                step = AXIS_STEPS[i];
            }
        }
        long last = Duration.ofNanos(history.span().nanos()).toSeconds();
        for (long second = 0; second <= last; second += step) {
            canvas.tick(LEFT + second * pixelsPerSecond, bottom, second + " s");
        }
    }

    private void box(Harmed harm, int y, int height) {
        String what = harm.target() + " " + harm.harm().word()
                + (harm.amount() == 0 ? "" : " " + harm.amount() + " ms")
                + (harm.forgot() ? ", came back empty" : "") + ", " + fromTo(harm.span());
        canvas.box(x(harm.span().from()), y, w(harm.span()), height, colour(harm.harm()), what);
    }

    private String fromTo(Span span) {
        return String.format(
                Locale.ROOT,
                "%.1f to %.1f s",
                seconds(span.from()),
                seconds(clipped(span).until()));
    }

    private double seconds(long nanos) {
        return (nanos - history.span().from()) / NANOS_PER_SECOND;
    }

    private double x(long nanos) {
        return LEFT + seconds(Math.min(nanos, history.span().until())) * pixelsPerSecond;
    }

    private double w(Span span) {
        Span shown = clipped(span);
        return shown.isEmpty() ? 0 : Math.max(MIN_BOX, shown.nanos() / NANOS_PER_SECOND * pixelsPerSecond);
    }

    private Span clipped(Span span) {
        return span.and(history.span());
    }

    private String colour(String node) {
        return NODE_COLOURS.get(Math.max(0, nodes.indexOf(node)) % NODE_COLOURS.size());
    }

    private static String colour(Harm harm) {
        return switch (harm) {
            case KILL -> "#000000";
            case FREEZE -> "#4d7fff";
            case STOP -> "#999999";
            case REFUSE -> "#d62728";
            case BLACKHOLE -> "#7b1f1f";
            case DELAY -> "#ff9d80";
            case HALF_OPEN -> "#c2378d";
            case DROP_REPLY -> "#ffd24d";
            case CLOCK -> "#00a08a";
        };
    }

    private static String nodeOf(String process) {
        return process.substring(0, process.indexOf('#'));
    }
}
