/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.DurationText;
import io.camellease.core.HolderId;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.core.LeaseStoreProvider;
import io.camellease.core.LeaseStores;
import io.camellease.core.Share;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link LeaseService} as they were written, and what they come to. Nothing is checked when an option is
 * set, so that all mistakes can be told in one message, and so that no framework prints a store URI with its password. Not
 * thread-safe.
 */
final class LeaseOptions {

    private static final Pattern WHOLE_FROM_ONE = Pattern.compile("0*[1-9][0-9]{0,8}");
    private static final Duration DEFAULT_TTL = Duration.ofSeconds(30);

    private static final List<LeaseOption> DURATIONS = List.of(
            LeaseOption.TTL,
            LeaseOption.RENEW_INTERVAL,
            LeaseOption.CLAIM_INTERVAL,
            LeaseOption.STORE_TIMEOUT,
            LeaseOption.SUSPEND_MARGIN,
            LeaseOption.CLOCK_BAND,
            LeaseOption.DRAIN_TIMEOUT);

    private final Map<LeaseOption, String> texts = new EnumMap<>(LeaseOption.class);
    private final Map<LeaseOption, Duration> defaults = new EnumMap<>(LeaseOption.class);

    void set(LeaseOption option, @Nullable String text) {
        if (text == null) {
            texts.remove(option);
        } else {
            texts.put(option, text.strip());
        }
    }

    /** Whether somebody set the option, to whatever. */
    boolean isSet(LeaseOption option) {
        return texts.containsKey(option);
    }

    /** What counts if nobody sets the option. */
    void setDefault(LeaseOption option, Duration value) {
        defaults.put(option, value);
    }

    void setIfAbsent(LeaseOption option, String text) {
        texts.putIfAbsent(option, text.strip());
    }

    Optional<String> get(LeaseOption option) {
        return Optional.ofNullable(texts.get(option)).filter(text -> !text.isEmpty());
    }

    /**
     * Whether routes are leased at all.
     *
     * @throws IllegalArgumentException if the option is neither true nor false
     */
    boolean isEnabled() {
        String text = get(LeaseOption.ENABLED).orElse("true");
        if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
            return text.equalsIgnoreCase("true");
        }
        throw new IllegalArgumentException(LeaseOption.ENABLED.property() + "='" + text + "' must be true or false");
    }

    /** Whether the store's URI contains a password, which then is in logs and consoles of whoever prints the URI. */
    boolean hasPasswordInUri() {
        return get(LeaseOption.STORE).filter(LeaseStoreOptions::hasPassword).isPresent();
    }

    /**
     * The patterns of {@code camel.lease.routes}.
     *
     * @throws IllegalArgumentException if the option is set and contains none
     */
    List<String> routePatterns() {
        List<String> patterns = get(LeaseOption.ROUTES).stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .toList();
        if (patterns.isEmpty() && texts.containsKey(LeaseOption.ROUTES)) {
            throw new IllegalArgumentException(LeaseOption.ROUTES.property()
                    + " is set, but names no route: give route ids or patterns, or remove it");
        }
        return patterns;
    }

    /**
     * How many leases of routes this node may hold at once.
     *
     * @throws IllegalArgumentException if that is not a whole number of at least 1
     */
    int maxLeases() {
        if (!texts.containsKey(LeaseOption.MAX_LEASES)) {
            return Share.UNLIMITED;
        }
        String text = texts.getOrDefault(LeaseOption.MAX_LEASES, "");
        if (!WHOLE_FROM_ONE.matcher(text).matches()) {
            throw new IllegalArgumentException(LeaseOption.MAX_LEASES.property() + "='" + text
                    + "' must be a whole number from 1 to 999999999: set how many leases of routes this node may hold at once, or"
                    + " remove it for no limit");
        }
        return Integer.parseInt(text);
    }

    /**
     * Checks everything and opens the store.
     *
     * @param client a {@link LeaseStore}, or an object of the user to reach the database with, or null if the store is named by its URI
     * @param loader finds the store modules
     * @throws IllegalArgumentException with all mistakes in one message, none of them with a secret
     */
    Opened open(@Nullable Object client, ClassLoader loader) {
        Mistakes mistakes = new Mistakes();
        Checked checked = check(client, loader, mistakes);
        mistakes.throwIfAny();
        LeaseSettings settings = checked.settings();
        Optional<LeaseStore> store = mistakes.collect(
                () -> openStore(client, checked.provider(), storeOptions(settings.storeTimeout()), loader));
        mistakes.throwIfAny();
        return new Opened(
                store.orElseThrow(),
                !(client instanceof LeaseStore),
                settings,
                checked.provider().map(LeaseStoreProvider::failover).orElse(Duration.ZERO));
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

    /** What is known without the store. */
    private record Checked(Optional<LeaseStoreProvider> provider, LeaseSettings settings) {}

    private Checked check(@Nullable Object client, ClassLoader loader, Mistakes mistakes) {
        Optional<LeaseStoreProvider> provider = client == null ? provider(loader, mistakes) : Optional.empty();
        LeaseSettings settings =
                settings(provider.map(LeaseStoreProvider::defaultTtl).orElse(DEFAULT_TTL), mistakes);
        if (client == null) {
            checkCredentials(mistakes);
        }
        check(LeaseOption.NODE, HolderId::unique, mistakes);
        check(LeaseOption.APPLICATION, LeaseName::new, mistakes);
        Optional<Integer> unused = mistakes.collect(this::maxLeases);
        return new Checked(provider, settings);
    }

    private void checkCredentials(Mistakes mistakes) {
        boolean proven = get(LeaseOption.STORE).orElse("").contains("authMechanism=");
        if (get(LeaseOption.USERNAME).isPresent() != get(LeaseOption.PASSWORD).isPresent() && !proven) {
            mistakes.add(LeaseOption.USERNAME.property() + " and " + LeaseOption.PASSWORD.property()
                    + " belong together: only one of them is set");
        }
    }

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

    private Optional<LeaseStoreProvider> provider(ClassLoader loader, Mistakes mistakes) {
        if (get(LeaseOption.STORE).isEmpty()) {
            mistakes.add(
                    LeaseOption.STORE.property() + " is not set: give the URI of the database that keeps the leases, "
                            + "for example mongodb://host/database, or set camel.lease.enabled=false on a machine that runs alone");
            return Optional.empty();
        }
        return mistakes.collect(() -> LeaseStores.forUri(storeOptions(DEFAULT_TTL), loader));
    }

    private static LeaseStore openStore(
            @Nullable Object client,
            Optional<LeaseStoreProvider> provider,
            LeaseStoreOptions options,
            ClassLoader loader) {
        if (client instanceof LeaseStore store) {
            return store;
        }
        return client != null
                ? LeaseStores.forClient(client, options, loader)
                : provider.orElseThrow().open(options);
    }

    private LeaseStoreOptions storeOptions(Duration timeout) {
        Map<String, String> properties = new LinkedHashMap<>();
        for (LeaseOption option : List.of(LeaseOption.DATABASE, LeaseOption.COLLECTION)) {
            get(option).ifPresent(text -> properties.put(option.key(), text));
        }
        return new LeaseStoreOptions(
                get(LeaseOption.STORE).orElse(""),
                timeout,
                get(LeaseOption.USERNAME),
                get(LeaseOption.PASSWORD),
                properties);
    }

    private LeaseSettings settings(Duration defaultTtl, Mistakes mistakes) {
        Duration ttl = duration(LeaseOption.TTL, mistakes).orElse(defaultTtl);
        LeaseSettings.Builder builder = LeaseSettings.builder(ttl);
        apply(LeaseOption.RENEW_INTERVAL, builder::renewInterval, mistakes);
        apply(LeaseOption.CLAIM_INTERVAL, builder::claimInterval, mistakes);
        apply(LeaseOption.STORE_TIMEOUT, builder::storeTimeout, mistakes);
        apply(LeaseOption.SUSPEND_MARGIN, builder::suspendMargin, mistakes);
        apply(LeaseOption.CLOCK_BAND, builder::clockBand, mistakes);
        apply(LeaseOption.DRAIN_TIMEOUT, builder::drainTimeout, mistakes);
        return mistakes.collect(() -> build(builder)).orElseGet(() -> LeaseSettings.of(DEFAULT_TTL));
    }

    /** What is out of range is told in the words of whoever wrote it: 30 means 30 ms. */
    private LeaseSettings build(LeaseSettings.Builder builder) {
        try {
            return builder.build();
        } catch (IllegalArgumentException mistake) {
            String written = DURATIONS.stream()
                    .filter(texts::containsKey)
                    .map(option -> option.property() + "='" + texts.get(option) + "'")
                    .collect(Collectors.joining(", "));
            throw new IllegalArgumentException(
                    mistake.getMessage() + (written.isEmpty() ? "" : " (set: " + written + ")"), mistake);
        }
    }

    private void check(LeaseOption option, Function<String, ?> rule, Mistakes mistakes) {
        get(option).ifPresent(text -> {
            Optional<?> unused = mistakes.collect(() -> rule.apply(text), option.property() + ": ");
        });
    }

    private void apply(LeaseOption option, Consumer<Duration> setter, Mistakes mistakes) {
        duration(option, mistakes).ifPresent(setter);
    }

    private Optional<Duration> duration(LeaseOption option, Mistakes mistakes) {
        if (!texts.containsKey(option)) {
            return Optional.ofNullable(defaults.get(option));
        }
        return mistakes.collect(() -> DurationText.parse(option.property(), texts.getOrDefault(option, "")));
    }
}
