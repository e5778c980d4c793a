/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseLock;
import io.camellease.core.LeaseLocks;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LockRequest;
import io.camellease.core.LockResult;
import io.camellease.policy.ExchangeLeases;
import io.camellease.policy.LeaseLostException;
import io.camellease.policy.LeaseService;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
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
        if (leases.isDisabled()) {
            return CompletableFuture.completedFuture(unleased(operation));
        }
        return switch (operation) {
            case ACQUIRE -> acquire();
            case RENEW -> renew();
            case RELEASE -> release();
            case CHECK -> check();
            case GET -> get();
            case LIST -> list();
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
                case RENEW, CHECK -> message.removeHeader(LeaseHeaders.REMAINING);
            }
        };
    }

    private LeaseLocks locks() {
        return endpoint.component().locks();
    }

    // ---- acquire

    private CompletableFuture<Consumer<Exchange>> acquire() {
        if (leases.existing(name).isPresent()) {
            throw new IllegalStateException("lease '" + name + "' is that of a route, a lease: consumer or a cluster"
                    + " namespace of this context: a lock needs a name of its own");
        }
        LockRequest request = endpoint.request(name, leases.note());
        return locks().acquire(request).thenApply(result -> changed -> acquired(changed, request, result));
    }

    private void acquired(Exchange changed, LockRequest request, LockResult result) {
        if (result instanceof LockResult.Acquired granted) {
            LeaseLock lock = granted.lock();
            if (lock.isValid()) {
                ExchangeLeases.enter(
                        changed,
                        new ExchangeLeases.Under(
                                name.value(), lock.lease().token().value()));
                changed.getMessage().setHeader(LeaseHeaders.ACQUIRED, true);
                changed.getMessage()
                        .setHeader(LeaseHeaders.REMAINING, lock.remaining().toMillis());
                return;
            }
            CompletableFuture<Boolean> unused = locks().release(lock);
            throw new LeaseNotAcquiredException(
                    name.value(),
                    "lock '" + name
                            + "' was granted, but was over before this exchange got a thread to go on: raise its"
                            + " ttl, or callbackThreads of the component",
                    null);
        }
        notAcquired(changed, request, (LockResult.NotAcquired) result);
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
        Long given = exchange.getMessage().getHeader(LeaseHeaders.TOKEN, Long.class);
        String of = exchange.getMessage().getHeader(LeaseHeaders.NAME, String.class);
        if (given == null || (of != null && !of.equals(name.value()))) {
            throw lost("this exchange carries no token of it: acquire it first, or set the header CamelLeaseToken");
        }
        return given;
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
        return record().thenApply(record -> changed -> {
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

    // ---- get, list

    private CompletableFuture<LeaseRecord> record() {
        return locks().find(List.of(name)).thenApply(found -> {
            LeaseRecord record = found.records().get(name);
            if (record == null) {
                throw new LeaseStoreException(
                        LeaseStoreException.Problem.UNREADABLE,
                        found.unreadable().getOrDefault(name, "the store did not return lease '" + name + "'"),
                        null);
            }
            return record;
        });
    }

    private CompletableFuture<Consumer<Exchange>> get() {
        return record().thenApply(record -> changed -> {
            Message message = changed.getMessage();
            message.setHeader(LeaseHeaders.HELD, record.isHeld());
            message.setHeader(LeaseHeaders.HOLDER_TOKEN, record.token());
            message.setHeader(LeaseHeaders.REMAINING, record.remaining().toMillis());
            message.setHeader(LeaseHeaders.VALUE, record.value());
            message.removeHeader(LeaseHeaders.HOLDER);
            record.holder()
                    .filter(holder -> record.isHeld())
                    .ifPresent(holder -> message.setHeader(LeaseHeaders.HOLDER, holder.value()));
            message.setBody(describe(record));
        });
    }

    private CompletableFuture<Consumer<Exchange>> list() {
        List<LeaseName> names = Stream.concat(
                        leases.allElectors().stream().map(LeaseElector::name),
                        locks().held().stream().map(lock -> lock.lease().name()))
                .distinct()
                .sorted()
                .toList();
        return locks().find(names)
                .thenApply(found -> changed -> changed.getMessage()
                        .setBody(names.stream()
                                .map(found.records()::get)
                                .filter(Objects::nonNull)
                                .map(LeaseOperations::describe)
                                .toList()));
    }

    private static Map<String, Object> describe(LeaseRecord record) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", record.name().value());
        map.put("held", record.isHeld());
        map.put("holder", record.holder().map(HolderId::value).orElse(""));
        map.put("token", record.token());
        map.put("remaining", record.remaining().toMillis());
        map.put("ttl", record.ttl().toMillis());
        map.put("value", record.value());
        record.acquiredAt().ifPresent(at -> map.put("acquiredAt", at.toString()));
        return map;
    }
}
