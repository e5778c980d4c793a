/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultExchange;
import org.apache.camel.support.DefaultMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An exchange that cannot be checked does not begin, and is not counted as work in flight. */
@CaseTest
class UncheckedExchangeTest {

    @RegisterExtension
    final Cluster cluster = new Cluster();

    /** As a message whose headers are read only when somebody asks for one, and which is malformed. */
    private static Exchange malformed(Node node) {
        Exchange exchange = new DefaultExchange(node.context);
        exchange.setIn(new DefaultMessage(node.context) {
            @Override
            public void setHeader(String name, Object value) {
                throw new IllegalStateException("malformed");
            }
        });
        return exchange;
    }

    @Test
    void aMessageThatCannotBeStampedIsRefusedAndKeepsTheLeaseFromNothing() throws Exception {
        AtomicInteger worked = new AtomicInteger();
        Node a = cluster.node("A").routes(routes -> routes.from("direct:orders")
                .routeId("orders")
                .routePolicyRef("lease")
                .process(exchange -> worked.incrementAndGet()));
        a.start();
        soon().until(() -> a.holds("orders"));

        Exchange answer = a.context.createProducerTemplate().send("direct:orders", malformed(a));

        assertThat(answer.getException()).isInstanceOf(LeaseLostException.class);
        assertThat(worked).hasValue(0);
        a.leases.release(cluster.lease("orders"));
        soon().until(() -> a.events(LeaseEvent.Released.class).size() == 1);
    }
}
