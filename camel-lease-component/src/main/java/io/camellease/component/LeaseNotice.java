/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.policy.ExchangeLeases;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer tells its route.
 *
 * @param kind what happened
 * @param token of the grant it happened to
 * @param reason why, as {@link LeaseHeaders#REASON} lists it
 * @param holder who holds the lease now, or null if that is unknown or nobody
 * @param previousHolder who held it before, or null if that is unknown or nobody
 */
record LeaseNotice(
        LeaseEventKind kind,
        long token,
        String reason,
        @Nullable String holder,
        @Nullable String previousHolder) {

    /**
     * Writes it into an exchange, which is under the grant if that begins.
     *
     * @param name the whole name of the lease
     * @param missed how many notices right before this one were dropped
     */
    void describe(Exchange exchange, String name, int missed) {
        Message message = exchange.getMessage();
        message.setHeader(LeaseHeaders.NAME, name);
        message.setHeader(LeaseHeaders.TOKEN, token);
        message.setHeader(LeaseHeaders.EVENT, kind.text());
        message.setHeader(LeaseHeaders.REASON, reason);
        setIfKnown(message, LeaseHeaders.HOLDER, holder);
        setIfKnown(message, LeaseHeaders.PREVIOUS_HOLDER, previousHolder);
        if (missed > 0) {
            message.setHeader(LeaseHeaders.MISSED_EVENTS, missed);
        }
        message.setBody(kind.text());
        if (kind == LeaseEventKind.ACQUIRED) {
            ExchangeLeases.enter(exchange, new ExchangeLeases.Under(name, token));
        }
    }

    private static void setIfKnown(Message message, String header, @Nullable String value) {
        if (value != null) {
            message.setHeader(header, value);
        }
    }
}
