/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.LeaseLock;
import io.camellease.core.LeaseLocks;
import io.camellease.core.LeaseName;
import io.camellease.core.LockRequest;
import io.camellease.core.LockResult;
import io.camellease.policy.ExchangeLeases;
import io.camellease.policy.LeaseService;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.camel.Exchange;

/** Wants a lock for an exchange. Thread-safe. */
final class LockAcquisition {

    private final LeaseEndpoint endpoint;
    private final LeaseService leases;
    private final LeaseName name;

    LockAcquisition(LeaseEndpoint endpoint, LeaseService leases, LeaseName name) {
        this.endpoint = endpoint;
        this.leases = leases;
        this.name = name;
    }

    private LeaseLocks locks() {
        return endpoint.component().locks();
    }

    /**
     * Waits for the lock without a thread.
     *
     * @return what is to become of the exchange; whoever does not want to know any more cancels it, whereupon the lock is not
     *     kept
     * @throws IllegalStateException if the lease is not to be had as a lock
     */
    CompletableFuture<Consumer<Exchange>> begin(Exchange exchange) {
        if (leases.existing(name).isPresent()) {
            throw new IllegalStateException("lease '" + name + "' is that of a route, a lease: consumer or a cluster"
                    + " namespace of this context: a lock needs a name of its own");
        }
        LockRequest request = endpoint.request(name, leases.note());
        CompletableFuture<LockResult> answer = locks().acquire(request);
        endpoint.component().routeStops().watch(exchange, name, answer);
        CompletableFuture<Consumer<Exchange>> outcome =
                answer.thenApply(result -> changed -> answered(changed, request, result));
        var unused = outcome.whenComplete((step, failure) -> {
            if (outcome.isCancelled()) {
                giveUp(answer);
            }
        });
        return outcome;
    }

    private void giveUp(CompletableFuture<LockResult> answer) {
        if (answer.cancel(false) || answer.isCompletedExceptionally()) {
            return;
        }
        if (answer.join() instanceof LockResult.Acquired granted) {
            CompletableFuture<Boolean> unused = locks().release(granted.lock());
        }
    }

    private void answered(Exchange changed, LockRequest request, LockResult result) {
        if (result instanceof LockResult.Acquired granted) {
            acquired(changed, granted.lock());
        } else {
            notAcquired(changed, request, (LockResult.NotAcquired) result);
        }
    }

    private void acquired(Exchange changed, LeaseLock lock) {
        if (!lock.isValid()) {
            CompletableFuture<Boolean> unused = locks().release(lock);
            throw new LeaseNotAcquiredException(
                    name.value(),
                    "lock '" + name + "' was granted, but was over before this exchange could go on: raise its ttl",
                    null);
        }
        ExchangeLeases.enter(
                changed,
                new ExchangeLeases.Under(name.value(), lock.lease().token().value()));
        changed.getMessage().setHeader(LeaseHeaders.ACQUIRED, true);
        changed.getMessage().setHeader(LeaseHeaders.REMAINING, lock.remaining().toMillis());
    }

    private void notAcquired(Exchange changed, LockRequest request, LockResult.NotAcquired why) {
        boolean mustThrow = endpoint.throwsIfNotAcquired(request) || why.why() != LockResult.Why.TIMEOUT;
        if (mustThrow) {
            throw new LeaseNotAcquiredException(
                    name.value(),
                    NotAcquiredText.of(name, request, why),
                    why.trouble().orElse(null));
        }
        changed.getMessage().setHeader(LeaseHeaders.ACQUIRED, false);
    }
}
