/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.PropertiesComponent;

/** Reads {@code camel.lease.*} wherever Camel finds properties: files, environment, system properties, Spring's Environment. */
final class LeaseProperties {

    private LeaseProperties() {}

    /**
     * Sets every option that is not set yet.
     *
     * @throws IllegalArgumentException if there is a property below {@code camel.lease.} that is no option; it names all of
     *     them
     */
    static void apply(CamelContext context, LeaseOptions options) {
        PropertiesComponent properties = context.getPropertiesComponent();
        refuseUnknown(context);
        for (LeaseOption option : LeaseOption.values()) {
            find(properties, option).ifPresent(text -> options.setIfAbsent(option, text));
        }
    }

    private static Optional<String> find(PropertiesComponent properties, LeaseOption option) {
        return properties
                .resolveProperty(option.property())
                .or(() -> properties.resolveProperty(option.dashedProperty()))
                .or(() -> Optional.ofNullable(System.getenv(option.variable())));
    }

    private static void refuseUnknown(CamelContext context) {
        Set<String> unknown = new TreeSet<>();
        Set<String> names = new TreeSet<>(SpringPropertyNames.of(context));
        names.addAll(context.getPropertiesComponent()
                .loadProperties(LeaseOption::isMeant)
                .stringPropertyNames());
        names.addAll(System.getProperties().stringPropertyNames());
        names.addAll(System.getenv().keySet());
        for (String name : names) {
            if (LeaseOption.isMeant(name) && LeaseOption.named(name).isEmpty()) {
                unknown.add(name);
            }
        }
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "unknown lease option " + String.join(", ", unknown) + ": the options are "
                            + String.join(
                                    ", ",
                                    Arrays.stream(LeaseOption.values())
                                            .map(LeaseOption::property)
                                            .toList()));
        }
    }
}
