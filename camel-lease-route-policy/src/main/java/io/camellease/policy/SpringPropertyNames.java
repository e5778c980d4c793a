/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.apache.camel.CamelContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

/**
 * The names of all properties in Spring's Environment. Camel resolves those properties but cannot list them, and a misspelt
 * option must not go unnoticed. Loaded only where Spring is.
 */
final class SpringPropertyNames {

    private static final String SPRING = "org.springframework.core.env.ConfigurableEnvironment";

    private SpringPropertyNames() {}

    /** All names, or none where there is no Spring. */
    static Set<String> of(CamelContext context) {
        return context.getClassResolver().resolveClass(SPRING) == null ? Set.of() : names(context);
    }

    private static Set<String> names(CamelContext context) {
        Set<String> names = new TreeSet<>();
        for (ConfigurableEnvironment environment : context.getRegistry().findByType(ConfigurableEnvironment.class)) {
            for (PropertySource<?> source : environment.getPropertySources()) {
                if (source instanceof EnumerablePropertySource<?> enumerable) {
                    Collections.addAll(names, enumerable.getPropertyNames());
                }
            }
        }
        return names;
    }
}
