/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What is logged under io.camellease while it is open. Tests run side by side, so look for the names of one's own. */
public final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();

    public static LogLines open() {
        LogLines log = new LogLines();
        log.start();
        logger().addAppender(log);
        return log;
    }

    /** While another thread is setting up the logging, SLF4J answers with a stand-in. */
    private static Logger logger() {
        Waiting.soon().until(() -> LoggerFactory.getILoggerFactory() instanceof LoggerContext);
        return ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger("io.camellease");
    }

    @Override
    protected void append(ILoggingEvent line) {
        lines.add(line);
    }

    /** The messages of one level that contain all the given texts. */
    public List<String> of(Level level, String... texts) {
        return lines.stream()
                .filter(line -> line.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .filter(message -> List.of(texts).stream().allMatch(message::contains))
                .toList();
    }

    @Override
    public void close() {
        logger().detachAppender(this);
        stop();
    }
}
