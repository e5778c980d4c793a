/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.PropertiesComponent;
import org.jspecify.annotations.Nullable;

/** Reads {@code camel.lease.*} wherever Camel finds properties: files, environment, system properties, Spring's Environment. */
final class LeaseProperties {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{.*?}}");

    /** What Camel says of a placeholder that nothing defines. */
    private static final Pattern MISSING_KEY = Pattern.compile("key \\[(.*?)]");

    private LeaseProperties() {}

    /**
     * Sets every option that is not set yet.
     *
     * @throws IllegalArgumentException if there is a property below {@code camel.lease.} that is no option, or a placeholder that
     *     nothing defines; it names all of them, and what else is wrong
     */
    static void apply(CamelContext context, LeaseOptions options) {
        PropertiesComponent properties = context.getPropertiesComponent();
        Mistakes mistakes = new Mistakes();
        addUnknown(context, mistakes);
        for (LeaseOption option : LeaseOption.values()) {
            find(properties, option, System::getenv).ifPresent(text -> options.setIfAbsent(option, text));
            options.get(option)
                    .ifPresent(text -> options.set(
                            option,
                            mistakes.collect(() -> resolve(context, option.property(), text))
                                    .orElse(null)));
        }
        addUnresolved(context, options, mistakes);
        if (!mistakes.areNone()) {
            new OptionRules(options).checkValues(mistakes);
            mistakes.throwIfAny();
        }
    }

    /**
     * Replaces placeholders, which an option that was set in code may contain as well.
     *
     * @param what is called so in the message
     * @throws IllegalArgumentException if there is one that nothing defines
     */
    static String resolve(CamelContext context, String what, String text) {
        if (!PLACEHOLDER.matcher(text).find()) {
            return text;
        }
        try {
            return context.resolvePropertyPlaceholders(text);
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException(unresolved(what, text), unknown);
        }
    }

    /** Camel takes a property whose placeholder nothing defines for one that is not there. */
    private static void addUnresolved(CamelContext context, LeaseOptions options, Mistakes mistakes) {
        Arrays.stream(LeaseOption.values())
                .filter(option -> !options.isSet(option))
                .flatMap(option -> Stream.of(option.property(), option.dashedProperty()))
                .distinct()
                .forEach(name -> addIfUnresolved(context, name, mistakes));
    }

    private static void addIfUnresolved(CamelContext context, String name, Mistakes mistakes) {
        try {
            context.resolvePropertyPlaceholders("{{" + name + ":}}");
        } catch (IllegalArgumentException unknown) {
            // its message has the whole text, the rest of which may be a secret
            Matcher key = MISSING_KEY.matcher(String.valueOf(unknown.getMessage()));
            mistakes.add(undefined(name, key.find() ? "{{" + key.group(1) + "}}" : "a placeholder"));
        }
    }

    private static String unresolved(String what, String text) {
        return undefined(
                what,
                PLACEHOLDER.matcher(text).results().map(MatchResult::group).collect(Collectors.joining(", ")));
    }

    private static String undefined(String what, String placeholders) {
        return what + " contains " + placeholders
                + ", and there is no such property or variable: define it, or give a default as in {{name:value}}";
    }

    /** Variables come first, as in Camel, which knows them without a break in the name only. */
    static Optional<String> find(
            PropertiesComponent properties, LeaseOption option, UnaryOperator<@Nullable String> environment) {
        return Optional.ofNullable(environment.apply(option.variable()))
                .filter(text -> !text.isEmpty())
                .or(() -> properties.resolveProperty(option.property()))
                .or(() -> properties.resolveProperty(option.dashedProperty()));
    }

    /** What Kubernetes sets in every pod for each service of its namespace, however that is called. */
    static final Pattern OF_A_SERVICE =
            Pattern.compile(".*_(SERVICE_(HOST|PORT(_.*)?)|PORT(_\\d+_(TCP|UDP|SCTP)(_.*)?)?)");

    private static void addUnknown(CamelContext context, Mistakes mistakes) {
        Set<String> unknown = new TreeSet<>();
        Set<String> names = new TreeSet<>(SpringPropertyNames.of(context));
        names.addAll(context.getPropertiesComponent()
                .loadProperties(LeaseOption::isMeant)
                .stringPropertyNames());
        names.addAll(System.getProperties().stringPropertyNames());
        System.getenv().keySet().stream()
                .filter(name -> !OF_A_SERVICE.matcher(name).matches())
                .forEach(names::add);
        for (String name : names) {
            if (LeaseOption.isMeant(name) && LeaseOption.named(name).isEmpty()) {
                unknown.add(name);
            }
        }
        if (!unknown.isEmpty()) {
            mistakes.add("unknown lease option " + String.join(", ", unknown) + ": the options are "
                    + String.join(
                            ", ",
                            Arrays.stream(LeaseOption.values())
                                    .map(LeaseOption::property)
                                    .toList()));
        }
    }
}
