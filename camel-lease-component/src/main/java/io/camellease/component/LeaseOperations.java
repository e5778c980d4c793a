/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseLock;
import io.camellease.core.LeaseLocks;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseStoreException;
import io.camellease.policy.ExchangeLeases;
import io.camellease.policy.LeaseLostException;
import io.camellease.policy.LeaseService;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.TypeConversionException;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a producer on behalf of one exchange. Each begins at once, and says later what is to become of the
 * exchange: a step that changes it, or throws what it fails with. Not thread-safe.
 */
final class LeaseOperations {

    private final LeaseEndpoint endpoint;
    private final Exchange exchange;
    private final LeaseService leases;
    private final LeaseName name;

    LeaseOperations(LeaseEndpoint endpoint, Exchange exchange) {
        this.endpoint = endpoint;
        this.exchange = exchange;
        this.leases = endpoint.component().leases();
        this.name = leases.leaseName(endpoint.getName());
    }

    CompletableFuture<Consumer<Exchange>> begin(LeaseOperation operation) {
        operation.clear(exchange.getMessage());
        if (leases.isDisabled()) {
            return CompletableFuture.completedFuture(unleased(operation));
        }
        return switch (operation) {
            case ACQUIRE -> new LockAcquisition(endpoint, leases, name).begin(exchange);
            case RENEW -> renew();
            case RELEASE -> release();
            case CHECK -> check();
            case GET -> records().get(name);
            case LIST -> records().list(leases.allElectors());
        };
    }

    private static Consumer<Exchange> unleased(LeaseOperation operation) {
        return changed -> {
            Message message = changed.getMessage();
            switch (operation) {
                case ACQUIRE -> message.setHeader(LeaseHeaders.ACQUIRED, true);
                case RELEASE -> message.setHeader(LeaseHeaders.RELEASED, true);
                case GET -> message.setHeader(LeaseHeaders.HELD, false);
                case LIST -> message.setBody(List.of());
                case RENEW, CHECK -> {}
            }
        };
    }

    private LeaseLocks locks() {
        return endpoint.component().locks();
    }

    private RecordReader records() {
        return new RecordReader(locks());
    }

    // ---- renew, release

    private CompletableFuture<Consumer<Exchange>> renew() {
        LeaseLock lock = lock(token());
        String value = endpoint.getValue();
        CompletableFuture<Boolean> renewed = locks().renew(lock);
        if (value != null) {
            renewed = renewed.thenCompose(
                    held -> held ? locks().setValue(lock, value) : CompletableFuture.completedFuture(false));
        }
        return renewed.thenApply(held -> changed -> {
            if (!held) {
                throw lost("it was lost before it could be renewed");
            }
            changed.getMessage()
                    .setHeader(LeaseHeaders.REMAINING, lock.remaining().toMillis());
        });
    }

    private CompletableFuture<Consumer<Exchange>> release() {
        long token = token();
        ExchangeLeases.leave(exchange, new ExchangeLeases.Under(name.value(), token));
        return locks().release(lock(token)).handle((released, unknown) -> changed -> {
            if (unknown == null && !released) {
                throw lost("it was over before it was released, so what was done under it may have overlapped with the"
                        + " work of its next holder");
            }
            requireStoreTrouble(unknown);
            changed.getMessage().setHeader(LeaseHeaders.RELEASED, unknown == null);
        });
    }

    private static void requireStoreTrouble(@Nullable Throwable unknown) {
        if (unknown != null && !(unknown instanceof LeaseStoreException)) {
            throw new CompletionException(unknown);
        }
    }

    /** The token that the exchange got with the lock, or that whoever sent it wrote into the header. */
    private long token() {
        Optional<Long> own = ExchangeLeases.token(exchange, name.value());
        if (own.isPresent()) {
            return own.get();
        }
        Long given = givenToken();
        String of = exchange.getMessage().getHeader(LeaseHeaders.NAME, String.class);
        if (given == null || (of != null && !of.equals(name.value()))) {
            throw lost("this exchange carries no token of it: acquire it first, or set the header CamelLeaseToken");
        }
        return given;
    }

    private @Nullable Long givenToken() {
        try {
            return exchange.getMessage().getHeader(LeaseHeaders.TOKEN, Long.class);
        } catch (TypeConversionException noNumber) {
            throw new IllegalArgumentException(
                    "header CamelLeaseToken='" + exchange.getMessage().getHeader(LeaseHeaders.TOKEN)
                            + "' must be the token of lease '" + name + "', a whole number",
                    noNumber);
        }
    }

    private LeaseLock lock(long token) {
        return locks().held(name, token)
                .orElseThrow(() -> lost("it is not held as a lock by this process under token " + token
                        + ": it was released, or is over"));
    }

    private LeaseLostException lost(String why) {
        return new LeaseLostException("lease '" + name + "': " + why);
    }

    // ---- check

    private CompletableFuture<Consumer<Exchange>> check() {
        long token = token();
        requireHeld(token);
        if (!endpoint.isStrict()) {
            return CompletableFuture.completedFuture(changed -> {});
        }
        return records().find(name).thenApply(record -> changed -> {
            requireHeld(token);
            if (!isOurs(record, token)) {
                throw lost("the store says that token " + token + " does not hold it any more");
            }
        });
    }

    private void requireHeld(long token) {
        if (!leases.isHeld(name, token)) {
            throw lost("this process does not hold it under token " + token + " any more, or it is about to end");
        }
    }

    private boolean isOurs(LeaseRecord record, long token) {
        HolderId elected = leases.holder().orElseThrow();
        return record.isHeld()
                && record.token() == token
                && (record.isGrantOf(elected) || record.isGrantOf(locks().holder()));
    }
}
