/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.spi.dns.InetAddressResolver;
import com.mongodb.spi.dns.InetAddressResolverProvider;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks up hosts within a limit. The driver's own timeout covers everything but this: a connection that is opened while the
 * DNS hangs would make an operation hang as long. At most one thread waits for each host. Thread-safe.
 */
final class BoundedResolver implements InetAddressResolver {

    private final Map<String, CompletableFuture<List<InetAddress>>> pending = new ConcurrentHashMap<>();
    private final InetAddressResolver resolver;
    private final Duration limit;

    BoundedResolver(Duration limit) {
        this.resolver = ServiceLoader.load(InetAddressResolverProvider.class)
                .findFirst()
                .map(InetAddressResolverProvider::create)
                .orElse(host -> List.of(InetAddress.getAllByName(host)));
        this.limit = limit;
    }

    @Override
    public List<InetAddress> lookupByName(String host) throws UnknownHostException {
        CompletableFuture<List<InetAddress>> answer = pending.computeIfAbsent(
                host, name -> Background.start("lease-mongodb-dns", () -> lookupAndForget(name)));
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException slow) {
            throw unknown(host, "the DNS has not answered within " + limit.toMillis() + " ms", slow);
        } catch (ExecutionException failed) {
            throw unknown(host, "the DNS does not know it", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw unknown(host, "the look-up was interrupted", interrupted);
        }
    }

    private List<InetAddress> lookupAndForget(String host) throws UnknownHostException {
        try {
            return resolver.lookupByName(host);
        } finally {
            pending.remove(host);
        }
    }

    private static UnknownHostException unknown(String host, String reason, Exception cause) {
        UnknownHostException unknown = new UnknownHostException(host + ": " + reason);
        unknown.initCause(cause);
        return unknown;
    }
}
