/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/** What is logged under io.camellease while it is open. Tests run side by side, so look for the names of one's own. */
final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();
    private final Logger logger = logback().getLogger("io.camellease");

    private Level levelBefore;

    private LogLines() {}

    /** Of all that is said, at every level; to be closed. */
    static LogLines openForAll() {
        LogLines log = open();
        log.levelBefore = log.logger.getLevel();
        log.logger.setLevel(Level.TRACE);
        return log;
    }

    static LogLines open() {
        LogLines log = new LogLines();
        log.start();
        log.logger.addAppender(log);
        return log;
    }

    /** While another thread is setting up the logging, SLF4J answers with a stand-in. */
    private static LoggerContext logback() {
        soon().until(() -> LoggerFactory.getILoggerFactory() instanceof LoggerContext);
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }

    @Override
    protected void append(ILoggingEvent line) {
        lines.add(line);
    }

    /** The messages of one level that contain all the given texts. */
    List<String> of(Level level, Object... texts) {
        return lines.stream()
                .filter(line -> line.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .filter(message -> List.of(texts).stream().allMatch(text -> message.contains(text.toString())))
                .toList();
    }

    /** Those lines of this level or above that contain all the given texts and come with a stack trace. */
    List<String> thrownOf(Level level, Object... texts) {
        return lines.stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(level) && line.getThrowableProxy() != null)
                .map(ILoggingEvent::getFormattedMessage)
                .filter(message -> List.of(texts).stream().allMatch(text -> message.contains(text.toString())))
                .toList();
    }

    /** All lines, with what was thrown. */
    String text() {
        return lines.stream()
                .map(line -> line.getLevel() + " " + line.getFormattedMessage() + "\n"
                        + (line.getThrowableProxy() == null
                                ? ""
                                : ThrowableProxyUtil.asString(line.getThrowableProxy())))
                .collect(Collectors.joining("\n"));
    }

    @Override
    public void close() {
        if (logger.getLevel() == Level.TRACE) {
            logger.setLevel(levelBefore);
        }
        logger.detachAppender(this);
        stop();
    }
}
