/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit.elector;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.camellease.core.LeaseName;
import io.camellease.testkit.Fault;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** How much is written while the store is away. */
@Isolated("counts what is logged")
class OutageLogTest {

    private static final List<LeaseName> NAMES =
            IntStream.range(0, 20).mapToObj(i -> new LeaseName("lease-" + i)).toList();

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.camellease.core");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Cluster cluster = new Cluster();
    private final Cluster.Node a = cluster.node("A");

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
        logger.setAdditive(false);
    }

    @AfterEach
    void close() {
        logger.detachAppender(lines);
        logger.setAdditive(true);
    }

    @Test
    void anOutageOfTenMinutesWritesFewLinesAndNoTraceTwice() {
        NAMES.forEach(name -> a.elector(name).start());
        cluster.advance(15);
        assertThat(NAMES).allMatch(name -> a.elector(name).check().isPresent());
        lines.list.clear();

        a.wire.standing(Fault.lostRequest());
        cluster.advance(600);
        a.wire.heal();
        cluster.advance(35);

        assertThat(NAMES).allMatch(name -> a.elector(name).check().isPresent());
        List<ILoggingEvent> seen = lines.list.stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.INFO))
                .toList();
        assertThat(seen).as("lines").hasSizeBetween(3, 99);
        assertThat(seen).filteredOn(line -> line.getThrowableProxy() != null).isEmpty();
        assertThat(seen)
                .filteredOn(line -> line.getFormattedMessage().matches("Lease .lease-.* release.*"))
                .as("nobody is told of releases of leases that were over")
                .isEmpty();
        assertThat(seen)
                .filteredOn(line -> line.getFormattedMessage().contains("answers again"))
                .hasSize(1);
    }
}
