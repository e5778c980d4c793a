/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.servers;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/**
 * An ActiveMQ Artemis broker with one durable queue, kept on disk. What is handed in as a file becomes a message: see
 * {@link Intake}.
 */
final class MessageBroker {

    private static final String LOCAL = "127.0.0.1";
    private static final String QUEUE = "orders";
    private static final String DEAD_LETTERS = "dead-letters";
    private static final String TCP = "tcp";

    /** How often the broker looks for clients that have been silent for longer than they said they would be. */
    private static final long SILENCE_CHECK_MILLIS = 100;

    private MessageBroker() {}

    /** Serves until nobody needs it; the arguments are those of {@link Assignment#of}. */
    public static void main(String[] arguments) throws Exception {
        Assignment assignment = Assignment.of(arguments);
        EmbeddedActiveMQ broker = new EmbeddedActiveMQ().setConfiguration(configuration(assignment.data()));
        broker.start();
        ActiveMQServer server = broker.getActiveMQServer();
        int port = server.getRemotingService().getAcceptor(TCP).getActualPort();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker, assignment.workLog()), "stop"));
        assignment.publish("tcp://" + LOCAL + ":" + port);
        serve(assignment);
        // the broker's threads would keep this process alive; this runs the hook
        System.exit(0);
    }

    /** Notes how many messages are left. */
    private static void stop(EmbeddedActiveMQ broker, Path workLog) {
        try (ServerLog log = new ServerLog("broker", workLog)) {
            log.write("left count=" + (left(broker, QUEUE) + left(broker, DEAD_LETTERS)));
            broker.stop();
        } catch (Exception failed) {
            throw new IllegalStateException("the broker could not be stopped properly", failed);
        }
    }

    private static long left(EmbeddedActiveMQ broker, String queue) {
        return broker.getActiveMQServer().locateQueue(queue).getMessageCount();
    }

    private static void serve(Assignment assignment) throws IOException, InterruptedException, JMSException {
        try (Intake intake = new Intake(assignment.inbox(), QUEUE)) {
            Thread courier = new Thread(intake, "intake");
            courier.setDaemon(true);
            courier.setUncaughtExceptionHandler((thread, failure) -> {
                failure.printStackTrace();
                System.exit(1);
            });
            courier.start();
            assignment.awaitNoRunner();
        }
    }

    private static Configuration configuration(Path data) throws Exception {
        Configuration configuration = new ConfigurationImpl()
                .setPersistenceEnabled(true)
                .setJournalType(JournalType.NIO)
                .setJournalDirectory(data.resolve("journal").toString())
                .setBindingsDirectory(data.resolve("bindings").toString())
                .setPagingDirectory(data.resolve("paging").toString())
                .setLargeMessagesDirectory(data.resolve("large").toString())
                .setSecurityEnabled(false)
                .setJMXManagementEnabled(false)
                .setConnectionTtlCheckInterval(SILENCE_CHECK_MILLIS)
                // a disk that is nearly full of other things is no reason to take no messages in an example
                .setMaxDiskUsage(-1)
                .addAcceptorConfiguration(TCP, "tcp://" + LOCAL + ":0")
                .addAcceptorConfiguration("in-vm", Intake.BROKER)
                .addQueueConfiguration(queue(QUEUE))
                .addQueueConfiguration(queue(DEAD_LETTERS));
        return configuration.setAddressSettings(
                Map.of("#", new AddressSettings().setDeadLetterAddress(SimpleString.of(DEAD_LETTERS))));
    }

    private static QueueConfiguration queue(String name) {
        return QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST).setDurable(true);
    }
}
