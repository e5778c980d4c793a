/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a {@link LeaseStoreProvider} needs to open a store.
 *
 * @param uri where the store is; may contain a password, which no message repeats; empty if a client object is given instead
 * @param timeout how long one operation may take (rule S9); positive
 * @param username instead of one in the URI
 * @param password instead of one in the URI
 * @param properties options of the kind of store, such as {@code database}, {@code collection} or {@code table}
 */
public record LeaseStoreOptions(
        String uri,
        Duration timeout,
        Optional<String> username,
        Optional<String> password,
        Map<String, String> properties) {

    private static final Pattern PASSWORD_IN_URI = Pattern.compile("://[^/@:]*:[^/@]+@");

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public LeaseStoreOptions {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("store timeout " + timeout + " is not positive");
        }
        properties = Map.copyOf(properties);
    }

    /** Options without user name, password and properties. */
    public static LeaseStoreOptions of(String uri, Duration timeout) {
        return new LeaseStoreOptions(uri, timeout, Optional.empty(), Optional.empty(), Map.of());
    }

    /** Whether a URI contains a password, which then is in logs and consoles of whoever prints the URI. */
    public static boolean hasPassword(String uri) {
        return PASSWORD_IN_URI.matcher(uri).find();
    }

    /** The scheme of the URI in lower case; empty if there is none. */
    public Optional<String> scheme() {
        int colon = uri.indexOf(':');
        return colon < 1
                ? Optional.empty()
                : Optional.of(uri.substring(0, colon).toLowerCase(Locale.ROOT));
    }

    /** Names the scheme, the timeout and the property names only: URI and password may be secret. */
    @Override
    public String toString() {
        return "LeaseStoreOptions[scheme=" + scheme().orElse("none") + ", timeout=" + timeout + ", properties="
                + properties.keySet() + "]";
    }
}
