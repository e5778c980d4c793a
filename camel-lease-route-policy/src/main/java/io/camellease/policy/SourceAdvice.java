/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.camel.BatchConsumer;
import org.apache.camel.Consumer;
import org.apache.camel.Endpoint;
import org.apache.camel.Route;
import org.apache.camel.processor.DelayProcessorSupport;
import org.apache.camel.processor.ThreadsProcessor;
import org.apache.camel.spi.BeanIntrospection;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of endpoint options with which a source cannot keep what it has handed out, or cannot be taken over completely. Told by
 * the names of classes and options, so that no component has to be on the class path.
 */
final class SourceAdvice {

    private static final Logger LOG = LoggerFactory.getLogger(SourceAdvice.class);
    private static final int CLIENT_ACKNOWLEDGE = 2;
    private static final Object NONE = new Object();

    private SourceAdvice() {}

    /** Looks at a route that is about to start. */
    static void give(Route route, Consumer consumer) {
        BeanIntrospection beans = PluginHelper.getBeanIntrospection(route.getCamelContext());
        Endpoint endpoint = route.getEndpoint();
        Object configuration = beans.getOrElseProperty(endpoint, "configuration", endpoint, false);
        Options options = option -> {
            Object own = beans.getOrElseProperty(endpoint, option, NONE, false);
            Object value =
                    own != null && own != NONE ? own : beans.getOrElseProperty(configuration, option, NONE, false);
            return value != NONE ? value : null;
        };
        List<String> advice = new ArrayList<>(of(consumer, options));
        boolean isBatch = consumer instanceof BatchConsumer && !Objects.equals(options.get("maxMessagesPerPoll"), 1);
        if (isBatch && answersLater(route)) {
            advice.add(
                    "a step of it, delay() or threads(), goes on on another thread, so that all that a poll has listed"
                            + " begins at once: it goes on after the lease has ended, and the next holder begins it again when"
                            + " this node is killed. Set asyncDelayed=false on the step, leave threads() out, or set"
                            + " maxMessagesPerPoll=1 on the endpoint");
        }
        advice.forEach(text -> LOG.warn("Route '{}': {}", route.getRouteId(), text));
    }

    private static boolean answersLater(Route route) {
        return !RouteSteps.of(route, ThreadsProcessor.class).isEmpty()
                || RouteSteps.of(route, DelayProcessorSupport.class).stream()
                        .anyMatch(DelayProcessorSupport::isAsyncDelayed);
    }

    /** Reads an option of an endpoint. */
    interface Options {

        /** The value, or null if there is no such option or it is not set. */
        @Nullable
        Object get(String option);

        default boolean is(String option) {
            return Boolean.parseBoolean(String.valueOf(get(option)));
        }
    }

    /** What is to be said about a consumer with these options. */
    static List<String> of(Consumer consumer, Options options) {
        if (ConsumerKind.isJms(consumer)) {
            return ofJms(options);
        }
        if (ConsumerKind.isKafka(consumer)) {
            return ofKafka(options);
        }
        return ConsumerKind.isFile(consumer) ? ofFiles(options) : ofFailures(options);
    }

    private static List<String> ofJms(Options options) {
        List<String> advice = new ArrayList<>();
        if (!options.is("transacted") && !acknowledgesAfterwards(options)) {
            advice.add(
                    "its messages are acknowledged before the route has done its work, so that the message in hand is lost"
                            + " when this node loses its lease or is killed. Set transacted=true on the endpoint");
        }
        if (String.valueOf(options.get("consumerType")).equals("Simple")) {
            advice.add(
                    "a listener of consumerType=Simple does not let go cleanly of what it was handed: messages are doubled"
                            + " whenever it is held back or stopped. Leave consumerType at Default");
        }
        return advice;
    }

    private static List<String> ofKafka(Options options) {
        return options.is("breakOnFirstError")
                ? List.of()
                : List.of(
                        "a record that is refused because the lease is over counts as consumed, so that the rest of a poll"
                                + " is lost when this node loses its lease. Set breakOnFirstError=true");
    }

    private static boolean acknowledgesAfterwards(Options options) {
        Object mode = options.get("acknowledgementMode");
        if (mode instanceof Integer number && number >= 0) {
            return number == CLIENT_ACKNOWLEDGE;
        }
        return Objects.equals(options.get("acknowledgementModeName"), "CLIENT_ACKNOWLEDGE");
    }

    private static List<String> ofFailures(Options options) {
        return options.get("onConsumeFailed") == null
                ? List.of()
                : List.of(
                        "onConsumeFailed is also run for what is refused when this node loses its lease. Let it leave the row to"
                                + " be consumed again");
    }

    private static List<String> ofFiles(Options options) {
        List<String> advice = new ArrayList<>();
        if (options.get("preMove") != null) {
            advice.add(
                    "preMove leaves the file in work in another directory when this node is killed, where no node looks for"
                            + " it; and also when it is refused, unless moveFailed moves it back. A lease makes preMove needless");
        }
        if (String.valueOf(options.get("readLock")).startsWith("idempotent")) {
            advice.add(
                    "readLock=" + options.get("readLock")
                            + " leaves the key of the file in work in the repository when this"
                            + " node is killed, so that no node takes it again until the key is removed. A lease makes it needless");
        }
        boolean remembers = options.is("noop") || options.is("idempotent");
        Object repository = options.get("idempotentRepository");
        boolean inMemory = repository == null || repository instanceof MemoryIdempotentRepository;
        if (remembers && inMemory) {
            advice.add(
                    "what was consumed is remembered in the memory of this node, so that the next holder of the lease"
                            + " consumes it again. Set an idempotentRepository that all nodes share");
        } else if (remembers && options.is("idempotentEager")) {
            advice.add(
                    "when this node is killed, all files that it had listed count as consumed, and no node takes them."
                            + " Set idempotentEager=false");
        }
        return advice;
    }
}
