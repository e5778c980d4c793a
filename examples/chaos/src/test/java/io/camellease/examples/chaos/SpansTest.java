/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpansTest {

    @Test
    void whatTouchesOrOverlapsIsOne() {
        assertThat(Spans.of(new Span(5, 7), new Span(1, 3), new Span(3, 4), new Span(6, 9), new Span(20, 20))
                        .list())
                .containsExactly(new Span(1, 4), new Span(5, 9));
    }

    @Test
    void andOrAndMinus() {
        Spans a = Spans.of(new Span(0, 10), new Span(20, 30));
        Spans b = Spans.of(new Span(5, 22), new Span(25, 26));

        assertThat(a.and(b).list()).containsExactly(new Span(5, 10), new Span(20, 22), new Span(25, 26));
        assertThat(a.or(b).list()).containsExactly(new Span(0, 30));
        assertThat(a.minus(b).list()).containsExactly(new Span(0, 5), new Span(22, 25), new Span(26, 30));
        assertThat(b.minus(a).list()).containsExactly(new Span(10, 20));
        assertThat(a.minus(Spans.of())).extracting(Spans::list).isEqualTo(a.list());
    }

    @Test
    void aClockBelowZeroAndAnOpenEndAreNoProblem() {
        Spans open = Spans.of(new Span(-50, Span.OPEN));

        assertThat(open.minus(Spans.of(new Span(-60, -40), new Span(0, 1))).list())
                .containsExactly(new Span(-40, 0), new Span(1, Span.OPEN));
    }

    @Test
    void piecesEndAndBeginAtTheCuts() {
        assertThat(Spans.of(new Span(0, 10), new Span(20, 30)).cutAt(List.of(25L, 5L, 15L, 30L)))
                .containsExactly(new Span(0, 5), new Span(5, 10), new Span(20, 25), new Span(25, 30));
    }

    @Test
    void coversAndMeets() {
        Spans spans = Spans.of(new Span(0, 10), new Span(20, 30));

        assertThat(spans.covers(new Span(1, 10))).isTrue();
        assertThat(spans.covers(new Span(1, 21))).isFalse();
        assertThat(spans.meets(new Span(10, 15))).isTrue();
        assertThat(spans.meets(new Span(11, 19))).isFalse();
    }
}
