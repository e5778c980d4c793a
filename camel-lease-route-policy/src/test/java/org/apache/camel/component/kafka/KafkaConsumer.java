/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.apache.camel.component.kafka;

import org.apache.camel.Endpoint;
import org.apache.camel.Processor;
import org.apache.camel.support.DefaultConsumer;

/** Has the name of Camel's own, which is not on the class path of these tests: what is advised is told by the name. */
public class KafkaConsumer extends DefaultConsumer {

    /** A consumer that does nothing. */
    public KafkaConsumer(Endpoint endpoint, Processor processor) {
        super(endpoint, processor);
    }
}
