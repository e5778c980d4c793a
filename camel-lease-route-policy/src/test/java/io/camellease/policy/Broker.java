/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.testkit.TcpProxy;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.camel.component.jms.JmsComponent;

/** A message broker in the test's own process, reached through TCP, with a journal that outlives a restart. */
final class Broker implements AutoCloseable {

    private final Path journal;
    private final int port;
    private EmbeddedActiveMQ server;

    private Broker(Path journal, int port) {
        this.journal = journal;
        this.port = port;
    }

    static Broker start(Path journal) throws Exception {
        Broker broker = new Broker(journal, FreePort.any());
        broker.start();
        return broker;
    }

    void start() throws Exception {
        ConfigurationImpl configuration = new ConfigurationImpl();
        configuration.setName("broker-" + port);
        configuration.setSecurityEnabled(false);
        configuration.setJMXManagementEnabled(false);
        configuration.setJournalDirectory(journal.resolve("journal").toString());
        configuration.setBindingsDirectory(journal.resolve("bindings").toString());
        configuration.setLargeMessagesDirectory(journal.resolve("large").toString());
        configuration.setPagingDirectory(journal.resolve("paging").toString());
        configuration.setJournalSyncTransactional(false);
        configuration.setJournalSyncNonTransactional(false);
        configuration.setMaxDiskUsage(-1);
        configuration.setCriticalAnalyzer(false);
        configuration.addAcceptorConfiguration(new TransportConfiguration(
                NettyAcceptorFactory.class.getName(),
                Map.of(TransportConstants.HOST_PROP_NAME, "127.0.0.1", TransportConstants.PORT_PROP_NAME, port)));
        configuration.addAddressSetting(
                "#",
                new AddressSettings()
                        .setAutoCreateQueues(true)
                        .setAutoCreateAddresses(true)
                        .setAutoDeleteQueues(false)
                        .setDeadLetterAddress(SimpleString.of("dead"))
                        .setExpiryAddress(SimpleString.of("expired"))
                        .setMaxDeliveryAttempts(-1)
                        .setRedeliveryDelay(0));
        server = new EmbeddedActiveMQ();
        server.setConfiguration(configuration);
        server.start();
    }

    void stop() throws Exception {
        server.stop();
    }

    /** A call that the broker never answers ends in time for a test to see how the client goes on. */
    String url() {
        return "tcp://127.0.0.1:" + port + "?callTimeout=5000";
    }

    /** With the default prefetch. */
    ActiveMQConnectionFactory connectionFactory() {
        return new ActiveMQConnectionFactory(url());
    }

    TcpProxy proxy() throws IOException {
        return new TcpProxy(port);
    }

    /** Makes its queues known to a node as {@code jms:}. */
    Node serve(Node node) {
        return serve(node, connectionFactory());
    }

    /** Without prefetch, so that no consumer keeps a message from another. */
    Node serveOneByOne(Node node) {
        return serve(node, new ActiveMQConnectionFactory(url() + "&consumerWindowSize=0"));
    }

    Node serve(Node node, TcpProxy proxy) {
        return serve(node, new ActiveMQConnectionFactory("tcp://" + proxy.address() + "?callTimeout=5000"));
    }

    private static Node serve(Node node, ConnectionFactory factory) {
        JmsComponent component = new JmsComponent();
        component.setConnectionFactory(factory);
        node.context.addComponent("jms", component);
        return node;
    }

    /** Sends messages m(from) to m(to - 1), with their number as a property. */
    void send(String queue, int from, int to) {
        send(session -> session.createQueue(queue), from, to);
    }

    /** Publishes messages m(from) to m(to - 1). */
    void publish(String topic, int from, int to) {
        send(session -> session.createTopic(topic), from, to);
    }

    private void send(Function<JMSContext, Destination> destination, int from, int to) {
        try (ActiveMQConnectionFactory factory = connectionFactory();
                JMSContext session = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            JMSProducer producer = session.createProducer();
            for (int i = from; i < to; i++) {
                producer.setProperty("number", i).send(destination.apply(session), "m" + i);
            }
            session.commit();
        }
    }

    /** How many messages of a queue are with clients that have not acknowledged them. */
    int delivering(String queue) {
        return queue(queue).getDeliveringCount();
    }

    /** How many messages a queue has, wherever they are. */
    long messages(String queue) {
        return queue(queue).getMessageCount();
    }

    /** Whether a topic has a subscription. */
    boolean isSubscribed(String topic) throws Exception {
        return !server.getActiveMQServer()
                .bindingQuery(SimpleString.of(topic))
                .getQueueNames()
                .isEmpty();
    }

    int consumers(String queue) {
        return queue(queue).getConsumerCount();
    }

    private Queue queue(String name) {
        return server.getActiveMQServer().locateQueue(SimpleString.of(name));
    }

    @Override
    public void close() throws Exception {
        stop();
    }
}
