/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What one logger says while a test runs, instead of the console. Not thread-safe. */
final class LogLines implements AutoCloseable {

    private final Logger logger;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final Level levelBefore;

    LogLines(Class<?> source) {
        this(source, Level.INFO);
    }

    LogLines(Class<?> source, Level lowest) {
        logger = (Logger) LoggerFactory.getLogger(source);
        levelBefore = logger.getLevel();
        logger.setLevel(lowest);
        logger.setAdditive(false);
        appender.start();
        logger.addAppender(appender);
    }

    /** All lines so far, with their level in front. */
    List<String> all() {
        return appender.list.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(levelBefore);
    }
}
