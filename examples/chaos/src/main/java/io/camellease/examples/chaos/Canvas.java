/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Draws SVG; everything with a title says it when a reader points at it. Confined to one thread. */
final class Canvas {

    private static final String PALE = " fill-opacity=\"0.3\"";

    private final StringBuilder body = new StringBuilder();

    /** A line of a {@link #dashes} drawing. */
    record Dash(double x, double width) {}

    /** The drawing. */
    String svg(int width, int height) {
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                                + " font-family=\"sans-serif\" font-size=\"12\">%n"
                                + "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n",
                        width,
                        height,
                        width,
                        height)
                + body
                + "</svg>\n";
    }

    void text(double x, int y, String words) {
        add("<text x=\"%.1f\" y=\"%d\">%s</text>", x, y, escaped(words));
    }

    void box(double x, int y, double width, int height, String colour) {
        add("<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>", x, y, width, height, colour);
    }

    void box(double x, int y, double width, int height, String colour, String title) {
        titled(x, y, width, height, colour, "", title);
    }

    void paleBox(double x, int y, double width, int height, String colour, String title) {
        titled(x, y, width, height, colour, PALE, title);
    }

    private void titled(double x, int y, double width, int height, String colour, String more, String title) {
        add(
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"%s><title>%s</title></rect>",
                x, y, width, height, colour, more, escaped(title));
    }

    /** Many strong lines of one colour at one height, in few bytes. */
    void dashes(List<Dash> dashes, int y, String colour) {
        String path = dashes.stream()
                .map(dash -> String.format(Locale.ROOT, "M%.1f %dh%.1f", dash.x, y, dash.width))
                .collect(Collectors.joining());
        add("<path d=\"%s\" stroke=\"%s\" stroke-width=\"8\"/>", path, colour);
    }

    /** A red arrow that points down to a place. */
    void mark(double x, int y, String title) {
        add("<path d=\"M%.1f %dl5 -9h-10z\" fill=\"#f00\"><title>%s</title></path>", x, y, escaped(title));
    }

    /** A dashed line from top to bottom. */
    void dashed(double x, int top, int bottom, String title) {
        add(
                "<path d=\"M%.1f %dV%d\" stroke=\"#2ca02c\" stroke-dasharray=\"4 3\"><title>%s</title></path>",
                x, top, bottom, escaped(title));
    }

    /** A stroke of an axis with its words below. */
    void tick(double x, int y, String words) {
        add("<path d=\"M%.1f %dv5\" stroke=\"#000\"/>", x, y);
        text(x - 8, y + 18, words);
    }

    private void add(String format, Object... values) {
        body.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escaped(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
