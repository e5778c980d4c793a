/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.policy.ExchangeLeases;
import io.camellease.policy.LeaseService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultAsyncProducer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out one operation for each exchange. An exchange that waits, for a lock or for the store, needs no thread, unless it
 * is transacted, as a transaction belongs to its thread, or is at work under the lease of a route: a consumer that polls would begin all that it
 * has found, and none of that ends with the lease. Thread-safe.
 */
final class LeaseProducer extends DefaultAsyncProducer {

    private final LeaseEndpoint endpoint;
    private final LeaseOperation operation;

    LeaseProducer(LeaseEndpoint endpoint, LeaseOperation operation) {
        super(endpoint);
        this.endpoint = endpoint;
        this.operation = operation;
    }

    /** Refuses at the start what can never work with the store's durations. */
    @Override
    protected void doStart() throws Exception {
        super.doStart();
        endpoint.component().useLeases();
        LeaseService leases = endpoint.component().leases();
        if (operation == LeaseOperation.ACQUIRE && leases.isRunning()) {
            endpoint.component()
                    .locks()
                    .requireTtl(endpoint.request(leases.leaseName(endpoint.getName()), "")
                            .ttl());
        }
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        CompletableFuture<Consumer<Exchange>> outcome;
        try {
            outcome = new LeaseOperations(endpoint, exchange).begin(operation);
        } catch (Throwable failed) {
            exchange.setException(failed);
            callback.done(true);
            return true;
        }
        if (outcome.isDone() || exchange.isTransacted() || ExchangeLeases.isAtWork(exchange)) {
            await(exchange, outcome);
            callback.done(true);
            return true;
        }
        var unused = outcome.whenComplete((answer, failure) -> goOn(exchange, callback, answer, failure));
        return false;
    }

    private static void await(Exchange exchange, CompletableFuture<Consumer<Exchange>> outcome) {
        try {
            finish(exchange, outcome.get(), null);
        } catch (InterruptedException interrupted) {
            outcome.cancel(false);
            Thread.currentThread().interrupt();
            exchange.setException(interrupted);
        } catch (ExecutionException failed) {
            finish(exchange, null, failed.getCause());
        }
    }

    /** On the thread that brings the answer, which must not run the rest of the route. */
    private void goOn(
            Exchange exchange,
            AsyncCallback callback,
            @Nullable Consumer<Exchange> answer,
            @Nullable Throwable failure) {
        try {
            endpoint.component().callbacks().execute(() -> {
                finish(exchange, answer, failure);
                callback.done(false);
            });
        } catch (Throwable noThread) {
            // so that it knows what it holds, and can give it back
            finish(exchange, answer, failure);
            exchange.setException(noThread);
            callback.done(false);
        }
    }

    private static void finish(Exchange exchange, @Nullable Consumer<Exchange> answer, @Nullable Throwable failure) {
        try {
            if (answer != null) {
                answer.accept(exchange);
            } else {
                exchange.setException(failure instanceof CompletionException wrapped ? wrapped.getCause() : failure);
            }
        } catch (Throwable failed) {
            exchange.setException(failed);
        }
    }
}
