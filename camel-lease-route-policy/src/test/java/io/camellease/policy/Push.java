/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Consumer;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.support.DefaultComponent;
import org.apache.camel.support.DefaultConsumer;
import org.apache.camel.support.DefaultEndpoint;

/** A component, {@code push:anything}, whose consumer is called by a thread of its own and cannot be suspended. */
final class Push extends DefaultComponent {

    private static final int PACE_MILLIS = 20;

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) {
        return new DefaultEndpoint(uri, this) {
            @Override
            public Producer createProducer() {
                throw new UnsupportedOperationException("nothing is sent to it");
            }

            @Override
            public Consumer createConsumer(Processor processor) {
                return new PushConsumer(this, processor);
            }
        };
    }

    private static final class PushConsumer extends DefaultConsumer {

        private ScheduledExecutorService thread;

        PushConsumer(Endpoint endpoint, Processor processor) {
            super(endpoint, processor);
        }

        @Override
        protected void doStart() throws Exception {
            super.doStart();
            thread = Executors.newSingleThreadScheduledExecutor();
            var unused = thread.scheduleWithFixedDelay(this::push, 0, PACE_MILLIS, TimeUnit.MILLISECONDS);
        }

        private void push() {
            Exchange exchange = createExchange(true);
            exchange.getIn().setBody("pushed");
            try {
                getProcessor().process(exchange);
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        }

        @Override
        protected void doStop() throws Exception {
            thread.shutdown();
            super.doStop();
        }
    }
}
