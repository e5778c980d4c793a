/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.core.LeaseStoreProvider;
import io.camellease.core.LeaseStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Serves {@code slow:FILE}: a store whose calls take longer than they would. The file holds the URI of the store behind it, and
 * how many milliseconds more a call takes at least and at most; it is read at each call.
 */
public final class SlowStoreProvider implements LeaseStoreProvider {

    private static final String SCHEME = "slow";

    /** What the file says. */
    private record Link(String uri, long least, long most) {
        static Link read(Path file) throws IOException {
            String[] words = Files.readString(file).split(" ");
            return new Link(words[0], Long.parseLong(words[1]), Long.parseLong(words[2]));
        }

        void pause() throws InterruptedException {
            Thread.sleep(ThreadLocalRandom.current().nextLong(least, most + 1));
        }
    }

    /** Sets how slow the store is that is opened by that file. */
    public static void write(Path file, String uri, long leastMillis, long mostMillis) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.writeString(next, uri + " " + leastMillis + " " + mostMillis);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public Set<String> schemes() {
        return Set.of(SCHEME);
    }

    @Override
    public String artifact() {
        return "the tests";
    }

    @Override
    public Duration defaultTtl() {
        return Duration.ofSeconds(30);
    }

    @Override
    public Duration failover() {
        return Duration.ZERO;
    }

    @Override
    public Optional<LeaseStore> open(Object client, LeaseStoreOptions options) {
        return Optional.empty();
    }

    @Override
    public LeaseStore open(LeaseStoreOptions options) {
        Path file = Path.of(options.uri().substring(SCHEME.length() + 1));
        try {
            LeaseStoreOptions behind = new LeaseStoreOptions(
                    Link.read(file).uri(), options.timeout(), Optional.empty(), Optional.empty(), Map.of());
            LeaseStore store = LeaseStores.forUri(behind, SlowStoreProvider.class.getClassLoader())
                    .open(behind);
            return (LeaseStore) Proxy.newProxyInstance(
                    SlowStoreProvider.class.getClassLoader(),
                    new Class<?>[] {LeaseStore.class},
                    (proxy, method, arguments) -> call(store, method, arguments, file));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Object call(LeaseStore store, Method method, Object[] arguments, Path file) throws Throwable {
        if (!method.getName().equals("close") && !method.getName().equals("description")) {
            Link.read(file).pause();
        }
        try {
            return method.invoke(store, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
