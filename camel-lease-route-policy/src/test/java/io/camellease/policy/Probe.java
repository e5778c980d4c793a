/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Consumer;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.support.DefaultComponent;
import org.apache.camel.support.DefaultEndpoint;
import org.apache.camel.support.ScheduledPollConsumer;

/**
 * A component, {@code probe:anything}, whose consumer polls messages that the test puts in, keeps those that fail, counts what
 * is done to it, and starts as slowly or badly as the test likes. Thread-safe.
 */
final class Probe extends DefaultComponent {

    private static final int DELAY_MILLIS = 20;

    final Queue<String> messages = new ConcurrentLinkedQueue<>();
    final AtomicInteger starts = new AtomicInteger();
    final AtomicInteger polls = new AtomicInteger();
    volatile Runnable onStart = () -> {};
    volatile Runnable onSuspend = () -> {};
    volatile Runnable afterMessage = () -> {};

    /** Adds one to a node. */
    static Probe in(Node node) {
        Probe probe = new Probe();
        node.context.addComponent("probe", probe);
        return probe;
    }

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) {
        parameters.remove("password");
        return new ProbeEndpoint(uri);
    }

    private final class ProbeEndpoint extends DefaultEndpoint {

        ProbeEndpoint(String uri) {
            super(uri, Probe.this);
        }

        @Override
        public Producer createProducer() {
            throw new UnsupportedOperationException("a probe produces nothing");
        }

        @Override
        public Consumer createConsumer(Processor processor) {
            ProbeConsumer consumer = new ProbeConsumer(this, processor);
            consumer.setInitialDelay(0);
            consumer.setDelay(DELAY_MILLIS);
            return consumer;
        }
    }

    private final class ProbeConsumer extends ScheduledPollConsumer {

        ProbeConsumer(ProbeEndpoint endpoint, Processor processor) {
            super(endpoint, processor);
        }

        @Override
        protected void doStart() throws Exception {
            starts.incrementAndGet();
            onStart.run();
            super.doStart();
        }

        @Override
        protected void doSuspend() throws Exception {
            onSuspend.run();
            super.doSuspend();
        }

        @Override
        protected int poll() throws Exception {
            polls.incrementAndGet();
            String message = messages.peek();
            if (message == null) {
                return 0;
            }
            Exchange exchange = createExchange(true);
            exchange.getIn().setBody(message);
            getProcessor().process(exchange);
            afterMessage.run();
            if (!exchange.isFailed()) {
                messages.remove(message);
            }
            return 1;
        }
    }
}
