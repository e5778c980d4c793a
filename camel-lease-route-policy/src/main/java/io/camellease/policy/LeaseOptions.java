/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.DurationText;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.core.Share;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link LeaseService} as they were written. Nothing is checked when an option is set, so that all mistakes can be
 * told in one message, and so that no framework prints a store URI with its password: see {@link OptionRules}. Not thread-safe.
 */
final class LeaseOptions {

    private static final Pattern WHOLE_FROM_ONE = Pattern.compile("0*[1-9][0-9]{0,8}");

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

    /** What the option was set to, or empty if it was not set, or to nothing. */
    Optional<String> get(LeaseOption option) {
        return Optional.ofNullable(texts.get(option)).filter(text -> !text.isEmpty());
    }

    /**
     * Whether routes are leased at all.
     *
     * @throws IllegalArgumentException if the option is neither true nor false
     */
    boolean isEnabled() {
        return isTrue(LeaseOption.ENABLED, true);
    }

    /**
     * Whether fires that were cut off are run again.
     *
     * @throws IllegalArgumentException if the option is neither true nor false
     */
    boolean isRecovering() {
        return isTrue(LeaseOption.RECOVER_IN_FLIGHT, false);
    }

    private boolean isTrue(LeaseOption option, boolean otherwise) {
        String text = get(option).orElse(Boolean.toString(otherwise));
        if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
            return text.equalsIgnoreCase("true");
        }
        throw new IllegalArgumentException(option.property() + "='" + text + "' must be true or false");
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
     * The duration that the option was set to, or its default, or empty if it has none.
     *
     * @throws IllegalArgumentException if what it was set to is no duration
     */
    Optional<Duration> duration(LeaseOption option) {
        return texts.containsKey(option)
                ? Optional.of(DurationText.parse(option.property(), texts.getOrDefault(option, "")))
                : Optional.ofNullable(defaults.get(option));
    }

    /** Those of the options that were set, as they were written. */
    String written(List<LeaseOption> of) {
        return of.stream()
                .filter(texts::containsKey)
                .map(option -> option.property() + "='" + texts.get(option) + "'")
                .collect(Collectors.joining(", "));
    }

    /** What is handed to the store. */
    LeaseStoreOptions forStore(Duration timeout) {
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
}
