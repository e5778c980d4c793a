/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The options of {@link LeaseService}, as they are called after {@code camel.lease.}. */
enum LeaseOption {
    ENABLED("enabled"),
    STORE("store"),
    USERNAME("username"),
    PASSWORD("password"),
    DATABASE("database"),
    COLLECTION("collection"),
    APPLICATION("application"),
    NODE("node"),
    ROUTES("routes"),
    TTL("ttl"),
    RENEW_INTERVAL("renewInterval"),
    CLAIM_INTERVAL("claimInterval"),
    STORE_TIMEOUT("storeTimeout"),
    SUSPEND_MARGIN("suspendMargin"),
    CLOCK_BAND("clockBand"),
    DRAIN_TIMEOUT("drainTimeout"),
    MAX_LEASES("maxLeases"),
    MISSED_FIRES("missedFires"),
    MISSED_FIRE_LIMIT("missedFireLimit"),
    RECOVER_IN_FLIGHT("recoverInFlight");

    static final String PREFIX = "camel.lease.";

    private final String key;

    LeaseOption(String key) {
        this.key = key;
    }

    /** The name without prefix, in camel case. */
    String key() {
        return key;
    }

    /** The name with prefix, in camel case. */
    String property() {
        return PREFIX + key;
    }

    /** The name with prefix, in the dashed form that Spring Boot prefers. */
    String dashedProperty() {
        return PREFIX + key.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** The name as an environment variable. */
    String variable() {
        return dashedProperty().replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    private boolean isCalled(String name) {
        String withoutDashes = property().replace('.', '_').toUpperCase(Locale.ROOT);
        return property().equals(name)
                || dashedProperty().equals(name)
                || variable().equals(name)
                || withoutDashes.equals(name);
    }

    /** Whether a property or variable was meant for leases, however it is misspelt. */
    static boolean isMeant(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "").startsWith("camellease");
    }

    /** The option of a property or variable name, in any of the forms. */
    static Optional<LeaseOption> named(String name) {
        return Arrays.stream(values()).filter(option -> option.isCalled(name)).findFirst();
    }
}
