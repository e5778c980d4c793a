/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.servers;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/**
 * Turns the files of a directory into messages, in the order of their names: a person with a shell, and a runner without a JMS
 * client, can hand in messages that way. A file is deleted when the broker has its message on disk; should the broker die in
 * between, the same file comes again with the same duplicate id, and the broker drops its message. Runs in one thread.
 */
final class Intake implements Runnable, AutoCloseable {

    /** The broker, from inside its own process. */
    static final String BROKER = "vm://0";

    private static final long LOOK_MILLIS = 10;
    private static final String DUPLICATE_ID = "_AMQ_DUPL_ID";

    private final Path inbox;
    private final ActiveMQConnectionFactory factory;
    private final Connection connection;
    private final Session session;
    private final MessageProducer producer;

    Intake(Path inbox, String queue) throws JMSException {
        this.inbox = inbox;
        this.factory = new ActiveMQConnectionFactory(BROKER);
        this.connection = factory.createConnection();
        this.session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        this.producer = session.createProducer(session.createQueue(queue));
    }

    /** Until the thread is interrupted or the process ends. */
    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                for (Path file : files()) {
                    send(file);
                    Files.delete(file);
                }
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IOException | JMSException failed) {
            throw new IllegalStateException("messages are not taken in any more", failed);
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(inbox)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    private void send(Path file) throws IOException, JMSException {
        String name = file.getFileName().toString();
        TextMessage message = session.createTextMessage(Files.readString(file));
        message.setStringProperty("order", name);
        message.setStringProperty(DUPLICATE_ID, name + " " + Files.getLastModifiedTime(file));
        producer.send(message);
    }

    @Override
    public void close() throws JMSException {
        connection.close();
        factory.close();
    }
}
