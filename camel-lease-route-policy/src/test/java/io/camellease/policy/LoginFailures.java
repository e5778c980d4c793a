/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.spi.ExceptionHandler;
import org.apache.camel.support.DefaultConsumer;

/** Counts the polls of a node's route that failed, such as for want of a login. Thread-safe. */
final class LoginFailures implements ExceptionHandler {

    private final AtomicInteger count = new AtomicInteger();

    private LoginFailures() {}

    /** To be set on a node whose route has not been started. */
    static LoginFailures of(Node node) {
        LoginFailures failures = new LoginFailures();
        ((DefaultConsumer) node.consumer("orders")).setExceptionHandler(failures);
        return failures;
    }

    int count() {
        return count.get();
    }

    @Override
    public void handleException(Throwable exception) {
        count.incrementAndGet();
    }

    @Override
    public void handleException(String message, Throwable exception) {
        count.incrementAndGet();
    }

    @Override
    public void handleException(String message, Exchange exchange, Throwable exception) {
        count.incrementAndGet();
    }
}
