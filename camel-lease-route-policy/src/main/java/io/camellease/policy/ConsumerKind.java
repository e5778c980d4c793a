/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.Set;
import org.apache.camel.Consumer;
import org.apache.camel.support.ScheduledPollConsumer;

/**
 * What it takes to hold a consumer back. Told by the names of its class and of those above it, so that no component has to be
 * on the class path.
 */
enum ConsumerKind {
    /** Suspends in an instant, and keeps nothing that another node waits for: file, scheduler, SQL, mail. */
    POLLS,
    /** The same, but stays logged in: FTP and SFTP, whose server may let in one client only. */
    POLLS_LOGGED_IN,
    /** Suspends in an instant, and has nothing that could be kept from another node: timer, quartz, seda, direct. */
    TICKS,
    /**
     * Has messages pushed to it, and keeps a share of them while it is suspended: JMS, Kafka, and whatever is not known.
     * Suspending may wait for a network.
     */
    IS_PUSHED;

    private static final Set<String> LOGGED_IN = Set.of("org.apache.camel.component.file.remote.RemoteFileConsumer");

    private static final Set<String> TICKING = Set.of(
            "org.apache.camel.component.timer.TimerConsumer",
            "org.apache.camel.component.quartz.QuartzConsumer",
            "org.apache.camel.component.seda.SedaConsumer",
            "org.apache.camel.component.direct.DirectConsumer");

    private static final Set<String> JMS =
            Set.of("org.apache.camel.component.jms.JmsConsumer", "org.apache.camel.component.sjms.SjmsConsumer");

    private static final Set<String> KAFKA = Set.of("org.apache.camel.component.kafka.KafkaConsumer");

    private static final Set<String> FILE = Set.of("org.apache.camel.component.file.GenericFileConsumer");

    private static final Set<String> LOCAL_FILE = Set.of("org.apache.camel.component.file.FileConsumer");

    static boolean isJms(Consumer consumer) {
        return isA(consumer, JMS);
    }

    static boolean isKafka(Consumer consumer) {
        return isA(consumer, KAFKA);
    }

    static boolean isFile(Consumer consumer) {
        return isA(consumer, FILE);
    }

    static boolean isLocalFile(Consumer consumer) {
        return isA(consumer, LOCAL_FILE);
    }

    /** Whether what a consumer has not begun yet, or has begun and not finished, is still where it came from. */
    static boolean leavesWorkAtSource(Consumer consumer) {
        return consumer instanceof ScheduledPollConsumer || isJms(consumer);
    }

    static ConsumerKind of(Consumer consumer) {
        if (consumer instanceof ScheduledPollConsumer) {
            return isA(consumer, LOGGED_IN) ? POLLS_LOGGED_IN : POLLS;
        }
        return isA(consumer, TICKING) ? TICKS : IS_PUSHED;
    }

    private static boolean isA(Consumer consumer, Set<String> classNames) {
        for (Class<?> type = consumer.getClass(); type != Object.class; type = type.getSuperclass()) {
            if (classNames.contains(type.getName())) {
                return true;
            }
        }
        return false;
    }

    boolean suspendsAtOnce() {
        return this != IS_PUSHED;
    }

    /** Whether something is kept from other nodes until the consumer is stopped. */
    boolean keepsSomething() {
        return this == POLLS_LOGGED_IN || this == IS_PUSHED;
    }

    boolean polls() {
        return this == POLLS || this == POLLS_LOGGED_IN;
    }
}
