/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class PictureTest {

    private static final Options OPTIONS = Options.parse(1);

    private static final String RUN = """
            runner launch A from=0ms now=1ms
            runner launch B from=0ms now=1ms
            A started pid=1 now=1000ms
            B started pid=2 now=1000ms
            A granted orders token=1 now=1100ms
            A begin orders/f1 token=1 checked=1200ms now=1201ms
            A done orders/f1 token=1 checked=1200ms now=1220ms
            runner freeze A from=2000ms now=2001ms
            runner freeze store from=2500ms now=2501ms
            runner thaw store from=3500ms now=3501ms
            B granted orders token=2 now=5000ms
            B begin orders/f2 token=2 checked=5001ms now=5002ms
            runner thaw A from=7000ms now=7001ms
            A lost orders token=1 reason=EXPIRED now=7100ms
            """;

    private static final String OVERLAP = "A begin orders/f3 token=1 checked=7050ms now=7051ms\n";

    private static final String END = "runner quiet now=8000ms\nrunner over now=20000ms\n";

    private static String draw(String log) {
        History history = LogText.history(log);
        return Picture.of(history, Result.of(history, OPTIONS, 0), OPTIONS);
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void itIsXmlAndNamesEverything() throws Exception {
        Document svg = parse(draw(RUN + END));

        assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(svg.getDocumentElement().getTextContent())
                .contains("orders", "node A", "node B", "store", "A#1, token 1", "B#1, token 2")
                .contains("A freeze, 2.0 to 7.0 s", "store freeze, 2.5 to 3.5 s", "no more harm");
    }

    @Test
    void whatIsWrongIsRed() {
        assertThat(draw(RUN + END)).doesNotContain("#f00");
        assertThat(draw(RUN + OVERLAP + END)).contains("#f00").contains("wrong: orders/f3 on A#1");
    }

    @Test
    void aFrozenNodeIsNotShownAsTheHolder() throws Exception {
        String svg = draw(RUN + END);

        assertThat(svg.split("fill-opacity=\"0.3\"", -1))
                .as("A before and after the freeze, and B")
                .hasSize(4);
    }

    @Test
    void aRunThatBrokeOffAtOnceCanBeDrawn() throws Exception {
        parse(draw("runner launch A from=0ms now=1ms"));
    }
}
