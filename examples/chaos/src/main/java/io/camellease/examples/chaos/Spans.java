/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Stretches of time that neither touch nor overlap, in order. Immutable. */
final class Spans {

    private final List<Span> ordered;

    private Spans(List<Span> ordered) {
        this.ordered = List.copyOf(ordered);
    }

    /** All that at least one of the given ones contains. */
    static Spans of(Collection<Span> spans) {
        List<Span> sorted = spans.stream()
                .filter(span -> !span.isEmpty())
                .sorted(Comparator.comparingLong(Span::from))
                .toList();
        List<Span> merged = new ArrayList<>();
        for (Span span : sorted) {
            int last = merged.size() - 1;
            if (last >= 0 && span.from() <= merged.get(last).until()) {
                Span before = merged.get(last);
                merged.set(last, new Span(before.from(), Math.max(before.until(), span.until())));
            } else {
                merged.add(span);
            }
        }
        return new Spans(merged);
    }

    static Spans of(Span... spans) {
        return of(List.of(spans));
    }

    List<Span> list() {
        return ordered;
    }

    boolean covers(Span span) {
        return ordered.stream().anyMatch(one -> one.covers(span));
    }

    boolean meets(Span span) {
        return ordered.stream().anyMatch(span::meets);
    }

    /** How much of the span these contain, in nanoseconds. */
    long nanosWithin(Span span) {
        return and(of(span)).ordered.stream().mapToLong(Span::nanos).sum();
    }

    Spans or(Spans other) {
        return of(Stream.concat(ordered.stream(), other.ordered.stream()).toList());
    }

    /** What both contain. */
    Spans and(Spans other) {
        List<Span> common = new ArrayList<>();
        int mine = 0;
        int theirs = 0;
        while (mine < ordered.size() && theirs < other.ordered.size()) {
            Span a = ordered.get(mine);
            Span b = other.ordered.get(theirs);
            common.add(a.and(b));
            if (a.until() < b.until()) {
                mine++;
            } else {
                theirs++;
            }
        }
        return of(common);
    }

    /** What is in this and not in the other. */
    Spans minus(Spans other) {
        List<Span> gaps = new ArrayList<>();
        long from = Long.MIN_VALUE;
        for (Span span : other.ordered) {
            gaps.add(new Span(from, span.from()));
            from = span.until();
        }
        gaps.add(new Span(from, Span.OPEN));
        return and(new Spans(gaps));
    }

    /** The same time, in pieces that end and begin at the given instants. */
    List<Span> cutAt(Collection<Long> instants) {
        List<Span> pieces = new ArrayList<>();
        for (Span span : ordered) {
            long from = span.from();
            for (long cut : instants.stream().filter(span::contains).sorted().toList()) {
                pieces.add(new Span(from, cut));
                from = cut;
            }
            pieces.add(new Span(from, span.until()));
        }
        return pieces;
    }
}
