/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

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

    private static final Map<Harm, String> HARM_COLOURS = Map.of(
            Harm.KILL, "#000000",
            Harm.FREEZE, "#4d7fff",
            Harm.STOP, "#999999",
            Harm.REFUSE, "#d62728",
            Harm.BLACKHOLE, "#7b1f1f",
            Harm.DELAY, "#ff9d80",
            Harm.HALF_OPEN, "#c2378d",
            Harm.DROP_REPLY, "#ffd24d",
            Harm.CLOCK, "#00a08a");

    private final History history;
    private final StringBuilder svg = new StringBuilder();
    private final double pixelsPerSecond;
    private final int width;
    private final int height;
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
        height = TOP + (leases.size() + nodes.size() + 1) * ROW + 2 * ROW;
    }

    /** The drawing, with the figures of the run in its title. */
    static String of(History history, Result result, Options options) {
        return new Picture(history).draw(result, options);
    }

    private String draw(Result result, Options options) {
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n",
                width,
                height,
                width,
                height));
        text(
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
        store(TOP + (leases.size() + nodes.size()) * ROW);
        axis(TOP + (leases.size() + nodes.size() + 1) * ROW);
        return svg.append("</svg>\n").toString();
    }

    private void legend() {
        int at = 4;
        for (String node : nodes) {
            box(at, 26, 12, 12, colour(node), "");
            text(at + 16, 36, "node " + node);
            at += LEGEND_WIDTH;
        }
        at = 4;
        for (Harm harm : Harm.values()) {
            box(at, 44, 12, 12, HARM_COLOURS.getOrDefault(harm, "#000"), "");
            text(at + 16, 54, harm.word());
            at += LEGEND_WIDTH;
        }
    }

    /** Grey over all rows while the store is away. */
    private void outages() {
        for (Harmed harm : history.harmsOfStore()) {
            box(x(harm.span().from()), TOP, w(harm.span()), (leases.size() + nodes.size() + 1) * ROW, "#e4e4e4", "");
        }
        history.quietAt()
                .ifPresent(quiet -> svg.append(String.format(
                        Locale.ROOT,
                        "<path d=\"M%.1f %dV%d\" stroke=\"#2ca02c\" stroke-dasharray=\"4 3\"><title>no more harm</title></path>%n",
                        x(quiet),
                        TOP - 4,
                        TOP + (leases.size() + nodes.size() + 1) * ROW)));
    }

    /** Pale: held. Strong: work in flight. Red: something wrong. */
    private void lease(String lease, int y) {
        text(4, y + 15, lease);
        for (Held grant : history.grants()) {
            if (grant.lease().equals(lease)) {
                String what = String.format(
                        Locale.ROOT,
                        "%s: %s, token %d, %.1f to %.1f s, %s",
                        lease,
                        grant.process(),
                        grant.token(),
                        seconds(grant.span().from()),
                        seconds(clipped(grant.span()).until()),
                        grant.ending().name().toLowerCase(Locale.ROOT));
                // a frozen node is told of the end of its grant when it wakes; it is not shown as the holder until then
                for (Span span : Spans.of(grant.span())
                        .minus(history.frozen(grant.process()))
                        .list()) {
                    box(
                            x(span.from()),
                            y,
                            w(span),
                            BAR,
                            colour(nodeOf(grant.process())) + "\" fill-opacity=\"0.3",
                            what);
                }
            }
        }
        work(lease, y + BAR / 2);
        wrong(lease, y);
    }

    private void work(String lease, int y) {
        Map<String, List<Span>> spans = new TreeMap<>();
        long pixel = (long) (NANOS_PER_SECOND / pixelsPerSecond);
        for (Work work : history.works()) {
            if (work.lease().equals(lease)) {
                // a pixel longer, so that what cannot be told apart becomes one line
                spans.computeIfAbsent(nodeOf(work.process()), node -> new ArrayList<>())
                        .add(new Span(work.checkedAt(), work.lastSign() + pixel));
            }
        }
        spans.forEach((node, all) -> svg.append(String.format(
                Locale.ROOT,
                "<path d=\"%s\" stroke=\"%s\" stroke-width=\"8\"/>%n",
                Spans.of(all).list().stream()
                        .map(span -> String.format(Locale.ROOT, "M%.1f %dh%.1f", x(span.from()), y, w(span)))
                        .collect(Collectors.joining()),
                colour(node))));
    }

    private void wrong(String lease, int y) {
        Verdict verdict = Verdict.of(history);
        List<Work> wrong = new ArrayList<>(verdict.overlaps());
        wrong.addAll(verdict.afterEnd());
        wrong.addAll(verdict.releasedEarly());
        wrong.addAll(verdict.notExcused());
        for (Work work : wrong) {
            if (work.lease().equals(lease)) {
                svg.append(String.format(
                        Locale.ROOT,
                        "<path d=\"M%.1f %dl5 -9h-10z\" fill=\"#f00\"><title>wrong: %s on %s</title></path>%n",
                        x(work.checkedAt()),
                        y,
                        work.item(),
                        work.process()));
            }
        }
    }

    /** Above: when it ran and what was done to the process. Below: what was done to its connection and its clock. */
    private void node(String node, int y) {
        text(4, y + 15, "node " + node);
        for (Life life : history.lives()) {
            if (life.node().equals(node)) {
                Span up = new Span(life.startedAt(), life.endedAt());
                box(x(life.launchedAt()), y + 2, w(new Span(life.launchedAt(), life.endedAt())), THIN, "#ddd", "");
                box(x(up.from()), y + 2, w(up), THIN, colour(node), life.process());
            }
        }
        for (Harmed harm : history.harms()) {
            if (harm.target().equals(node)) {
                boolean ofProcess = harm.harm() == Harm.KILL || harm.harm() == Harm.FREEZE || harm.harm() == Harm.STOP;
                int below = harm.harm() == Harm.CLOCK ? 2 * THIN + 6 : THIN + 5;
                box(x(harm.span().from()), ofProcess ? y : y + below, w(harm.span()), ofProcess ? 9 : THIN, harm);
            }
        }
    }

    private void store(int y) {
        text(4, y + 15, "store");
        history.harmsOfStore().forEach(harm -> box(x(harm.span().from()), y + 2, w(harm.span()), 10, harm));
    }

    private void axis(int y) {
        int step = AXIS_STEPS[AXIS_STEPS.length - 1];
        for (int i = AXIS_STEPS.length - 1; i >= 0; i--) {
            if (AXIS_STEPS[i] * pixelsPerSecond >= MIN_AXIS_PIXELS) {
                step = AXIS_STEPS[i];
            }
        }
        long last = Duration.ofNanos(history.span().nanos()).toSeconds();
        for (long second = 0; second <= last; second += step) {
            double at = LEFT + second * pixelsPerSecond;
            svg.append(String.format(Locale.ROOT, "<path d=\"M%.1f %dv5\" stroke=\"#000\"/>", at, y));
            text(at - 8, y + 18, second + " s");
        }
    }

    private void box(double x, int y, double boxWidth, int boxHeight, Harmed harm) {
        String what = String.format(
                Locale.ROOT,
                "%s %s%s%s, %.1f to %.1f s",
                harm.target(),
                harm.harm().word(),
                harm.amount() == 0 ? "" : " " + harm.amount() + " ms",
                harm.forgot() ? ", came back empty" : "",
                seconds(harm.span().from()),
                seconds(clipped(harm.span()).until()));
        box(x, y, boxWidth, boxHeight, HARM_COLOURS.getOrDefault(harm.harm(), "#000"), what);
    }

    private void box(double x, int y, double boxWidth, int boxHeight, String fill, String title) {
        svg.append(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"%s%n",
                x,
                y,
                Math.max(0, boxWidth),
                boxHeight,
                fill,
                title.isEmpty() ? "/>" : "><title>" + title + "</title></rect>"));
    }

    private void text(double x, int y, String words) {
        svg.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%d\">%s</text>%n", x, y, words));
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
        int index = Math.max(0, nodes.indexOf(node));
        return NODE_COLOURS.get(index % NODE_COLOURS.size());
    }

    private static String nodeOf(String process) {
        return process.substring(0, process.indexOf('#'));
    }
}
