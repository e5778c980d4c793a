/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The options of a plugin as they were written.
 *
 * @param prefix what the names of the options begin with, for messages
 * @param byName the options that were set
 */
record PluginTexts(String prefix, Map<String, String> byName) {

    PluginTexts {
        // no Map.copyOf: Quartz sets an option that is empty in the file to null
        byName = new HashMap<>(byName);
    }

    /** What an option was set to; empty if it was not, or to nothing. */
    Optional<String> get(String name) {
        return Optional.ofNullable(byName.get(name)).map(String::strip).filter(text -> !text.isEmpty());
    }

    /**
     * As {@link #get}, of an option that must be set.
     *
     * @param remedy what is to be done if it is not, for the message
     * @throws IllegalArgumentException if it is not set
     */
    String mandatory(String name, String remedy) {
        return get(name).orElseThrow(() -> new IllegalArgumentException(prefix + name + " is not set: " + remedy));
    }

    /** Those of some options that were set. */
    Map<String, String> some(List<String> names) {
        Map<String, String> some = new LinkedHashMap<>();
        names.forEach(name -> get(name).ifPresent(text -> some.put(name, text)));
        return some;
    }
}
