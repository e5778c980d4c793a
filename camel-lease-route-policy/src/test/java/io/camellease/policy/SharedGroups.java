/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.spi.RecoverableAggregationRepository;
import org.apache.camel.support.DefaultExchange;
import org.jspecify.annotations.Nullable;

/** What aggregations have collected, on whatever node: each node has one of these over the same contents. Thread-safe. */
final class SharedGroups implements RecoverableAggregationRepository {

    /** What all nodes see. */
    static final class Contents {

        private final Map<String, Group> open = new ConcurrentHashMap<>();
        private final Map<String, Group> completed = new ConcurrentHashMap<>();

        /** A group that a node has left behind. */
        void leaveOpen(String key, long timeoutMillis) {
            open.put(key, new Group("left-" + key, key, timeoutMillis));
        }

        boolean isOpen(String key) {
            return open.containsKey(key);
        }

        /** A group that a node has completed, and was working on when it died. */
        void leaveCompleted(String key) {
            completed.put("left-" + key, new Group("left-" + key, key, 0));
        }
    }

    private record Group(String exchangeId, Object body, long timeoutMillis) {

        Exchange in(CamelContext context) {
            Exchange exchange = new DefaultExchange(context);
            exchange.setExchangeId(exchangeId);
            exchange.getIn().setBody(body);
            exchange.setProperty(Exchange.AGGREGATED_TIMEOUT, timeoutMillis);
            exchange.setProperty(Exchange.AGGREGATED_COMPLETED_BY, "interval");
            return exchange;
        }

        static Group of(Exchange exchange) {
            return new Group(
                    exchange.getExchangeId(),
                    Objects.requireNonNull(exchange.getIn().getBody()),
                    exchange.getProperty(Exchange.AGGREGATED_TIMEOUT, 0L, Long.class));
        }
    }

    private final Contents contents;

    SharedGroups(Contents contents) {
        this.contents = contents;
    }

    private static @Nullable Exchange in(CamelContext context, @Nullable Group group) {
        return group == null ? null : group.in(context);
    }

    @Override
    public @Nullable Exchange add(CamelContext context, String key, Exchange exchange) {
        return in(context, contents.open.put(key, Group.of(exchange)));
    }

    @Override
    public @Nullable Exchange get(CamelContext context, String key) {
        return in(context, contents.open.get(key));
    }

    @Override
    public void remove(CamelContext context, String key, Exchange exchange) {
        contents.completed.put(exchange.getExchangeId(), Group.of(exchange));
        contents.open.remove(key);
    }

    @Override
    public void confirm(CamelContext context, String exchangeId) {
        contents.completed.remove(exchangeId);
    }

    @Override
    public Set<String> getKeys() {
        return Set.copyOf(contents.open.keySet());
    }

    @Override
    public Set<String> scan(CamelContext context) {
        return Set.copyOf(contents.completed.keySet());
    }

    @Override
    public @Nullable Exchange recover(CamelContext context, String exchangeId) {
        return in(context, contents.completed.get(exchangeId));
    }

    @Override
    public long getRecoveryInterval() {
        return 100;
    }

    @Override
    public boolean isUseRecovery() {
        return true;
    }

    @Override
    public @Nullable String getDeadLetterUri() {
        return null;
    }

    @Override
    public int getMaximumRedeliveries() {
        return 0;
    }

    @Override
    @SuppressWarnings("deprecation") // there is no class to extend that would do without it
    public void setRecoveryInterval(long interval, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setRecoveryInterval(long interval) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setUseRecovery(boolean useRecovery) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setDeadLetterUri(String uri) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setMaximumRedeliveries(int redeliveries) {
        throw new UnsupportedOperationException();
    }
}
