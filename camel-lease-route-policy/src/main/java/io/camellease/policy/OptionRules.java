/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.core.LeaseStoreProvider;
import io.camellease.core.LeaseStores;
import io.camellease.core.Share;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the options of a {@link LeaseService} must satisfy, and what they come to. All mistakes are told together, none of them with a
 * secret. Not thread-safe.
 *
 * @param options as they were written
 */
record OptionRules(LeaseOptions options) {

    private static final Duration DEFAULT_TTL = Duration.ofSeconds(30);
    private static final Set<String> MISSED_FIRES = Set.of("once", "all", "skip");

    private static final List<LeaseOption> DURATIONS = List.of(
            LeaseOption.TTL,
            LeaseOption.RENEW_INTERVAL,
            LeaseOption.CLAIM_INTERVAL,
            LeaseOption.STORE_TIMEOUT,
            LeaseOption.SUSPEND_MARGIN,
            LeaseOption.CLOCK_BAND,
            LeaseOption.DRAIN_TIMEOUT);

    /**
     * What the options come to.
     *
     * @param store open; its database may be unreachable
     * @param isOurs whether the store is to be closed with the service
     * @param failover how long the database takes to fail over; zero if unknown
     */
    record Opened(LeaseStore store, boolean isOurs, LeaseSettings settings, Duration failover) {
        void close() {
            if (isOurs) {
                store.close();
            }
        }
    }

    /** What is known without the store. */
    private record Checked(Optional<LeaseStoreProvider> provider, LeaseSettings settings) {}

    /**
     * Checks everything and opens the store.
     *
     * @param client a {@link LeaseStore}, or an object of the user to reach the database with, or null if the store is named by its URI
     * @param loader finds the store modules
     * @throws IllegalArgumentException with all mistakes in one message
     */
    Opened open(@Nullable Object client, ClassLoader loader) {
        Mistakes mistakes = new Mistakes();
        Checked checked = check(client, loader, mistakes);
        mistakes.throwIfAny();
        LeaseSettings settings = checked.settings();
        LeaseStoreOptions forStore = options.forStore(settings.storeTimeout());
        Optional<LeaseStore> store = client == null
                ? mistakes.collect(
                        () -> checked.provider().orElseThrow().open(forStore), LeaseOption.STORE.property() + ": ")
                : mistakes.collect(() -> over(client, forStore, loader));
        mistakes.throwIfAny();
        return new Opened(
                store.orElseThrow(),
                !(client instanceof LeaseStore),
                settings,
                checked.provider().map(LeaseStoreProvider::failover).orElse(Duration.ZERO));
    }

    private static LeaseStore over(Object client, LeaseStoreOptions forStore, ClassLoader loader) {
        return client instanceof LeaseStore store ? store : LeaseStores.forClient(client, forStore, loader);
    }

    /**
     * Checks all that can be checked without opening the store.
     *
     * @param routeId of the route that is about to be leased
     * @param preferredNode what that route says
     * @throws IllegalArgumentException as {@link #open}
     */
    void check(@Nullable Object client, ClassLoader loader, String routeId, Optional<String> preferredNode) {
        Mistakes mistakes = new Mistakes();
        var unused = check(client, loader, mistakes);
        preferredNode.ifPresent(label -> checkPreferredNode(routeId, label, mistakes));
        mistakes.throwIfAny();
    }

    /**
     * Checks the node that a route prefers.
     *
     * @throws IllegalArgumentException if no node can be called so
     */
    static void checkPreferredNode(String routeId, String label) {
        Mistakes mistakes = new Mistakes();
        checkPreferredNode(routeId, label, mistakes);
        mistakes.throwIfAny();
    }

    private static void checkPreferredNode(String routeId, String label, Mistakes mistakes) {
        Optional<Share> unused = mistakes.collect(
                () -> new Share(Share.UNLIMITED, Optional.of(label)),
                "preferredNode='" + label + "' of route '" + routeId + "' must be what " + LeaseOption.NODE.property()
                        + " of one node is, or be removed: ");
    }

    private Checked check(@Nullable Object client, ClassLoader loader, Mistakes mistakes) {
        Optional<LeaseStoreProvider> provider = client == null ? provider(loader, mistakes) : Optional.empty();
        LeaseSettings settings =
                checkValues(provider.map(LeaseStoreProvider::defaultTtl).orElse(DEFAULT_TTL), mistakes);
        if (client == null) {
            checkCredentials(mistakes);
        }
        return new Checked(provider, settings);
    }

    private Optional<LeaseStoreProvider> provider(ClassLoader loader, Mistakes mistakes) {
        if (options.get(LeaseOption.STORE).isEmpty()) {
            mistakes.add(
                    LeaseOption.STORE.property() + " is not set: give the URI of the database that keeps the leases, "
                            + "for example mongodb://host/database, or set camel.lease.enabled=false on a machine that runs alone");
            return Optional.empty();
        }
        return mistakes.collect(
                () -> LeaseStores.forUri(options.forStore(DEFAULT_TTL), loader), LeaseOption.STORE.property() + ": ");
    }

    private void checkCredentials(Mistakes mistakes) {
        boolean proven = options.get(LeaseOption.STORE).orElse("").contains("authMechanism=");
        boolean hasName = options.get(LeaseOption.USERNAME).isPresent();
        if (hasName != options.get(LeaseOption.PASSWORD).isPresent() && !proven) {
            String missing = (hasName ? LeaseOption.PASSWORD : LeaseOption.USERNAME).property();
            mistakes.add(LeaseOption.USERNAME.property() + " and " + LeaseOption.PASSWORD.property()
                    + " belong together, and " + missing + " is not set");
        }
    }

    /** Checks what is wrong whatever the store is. */
    void checkValues(Mistakes mistakes) {
        var unused = checkValues(DEFAULT_TTL, mistakes);
    }

    private LeaseSettings checkValues(Duration defaultTtl, Mistakes mistakes) {
        check(LeaseOption.NODE, HolderId::unique, mistakes);
        check(LeaseOption.APPLICATION, LeaseName::new, mistakes);
        mistakes.check(options::maxLeases);
        mistakes.check(options::isEnabled);
        mistakes.check(options::routePatterns);
        checkFires(mistakes);
        return settings(defaultTtl, mistakes);
    }

    private void check(LeaseOption option, Function<String, ?> rule, Mistakes mistakes) {
        options.get(option).ifPresent(text -> {
            Optional<?> unused = mistakes.collect(() -> rule.apply(text), option.property() + ": ");
        });
    }

    /** Where there is no scheduled route nobody else would. */
    private void checkFires(Mistakes mistakes) {
        options.get(LeaseOption.MISSED_FIRES)
                .filter(text -> !MISSED_FIRES.contains(text.toLowerCase(Locale.ROOT)))
                .ifPresent(text -> mistakes.add(
                        LeaseOption.MISSED_FIRES.property() + "='" + text + "' must be once, all or skip"));
        mistakes.check(() -> options.duration(LeaseOption.MISSED_FIRE_LIMIT));
        mistakes.check(options::isRecovering);
    }

    private LeaseSettings settings(Duration defaultTtl, Mistakes mistakes) {
        Optional<Duration> ttl = duration(LeaseOption.TTL, mistakes);
        LeaseSettings.Builder builder = LeaseSettings.builder(ttl.orElse(defaultTtl));
        apply(LeaseOption.RENEW_INTERVAL, builder::renewInterval, mistakes);
        apply(LeaseOption.CLAIM_INTERVAL, builder::claimInterval, mistakes);
        apply(LeaseOption.STORE_TIMEOUT, builder::storeTimeout, mistakes);
        apply(LeaseOption.SUSPEND_MARGIN, builder::suspendMargin, mistakes);
        apply(LeaseOption.CLOCK_BAND, builder::clockBand, mistakes);
        apply(LeaseOption.DRAIN_TIMEOUT, builder::drainTimeout, mistakes);
        boolean isTtlWrong = ttl.isEmpty() && options.isSet(LeaseOption.TTL);
        // against the default ttl the others would break rules that nobody wrote
        Optional<LeaseSettings> settings = isTtlWrong ? Optional.empty() : mistakes.collect(() -> build(builder));
        return settings.orElseGet(() -> LeaseSettings.of(DEFAULT_TTL));
    }

    /** What is out of range is told in the words of whoever wrote it: 30 means 30 ms. */
    private LeaseSettings build(LeaseSettings.Builder builder) {
        try {
            return builder.build();
        } catch (IllegalArgumentException mistake) {
            String written = options.written(DURATIONS);
            throw new IllegalArgumentException(
                    mistake.getMessage() + (written.isEmpty() ? "" : " (set: " + written + ")"), mistake);
        }
    }

    private void apply(LeaseOption option, Consumer<Duration> setter, Mistakes mistakes) {
        duration(option, mistakes).ifPresent(setter);
    }

    private Optional<Duration> duration(LeaseOption option, Mistakes mistakes) {
        return mistakes.collect(() -> options.duration(option)).flatMap(duration -> duration);
    }
}
