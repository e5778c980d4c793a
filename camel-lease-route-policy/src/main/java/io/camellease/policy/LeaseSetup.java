/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseListener;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseThreads;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.apache.camel.CamelContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What a {@link LeaseService} comes to in its context: the store it opens, who this node is, what its lease names begin with.
 *
 * @param configuration of the service
 * @param context that the service serves
 */
record LeaseSetup(LeaseConfiguration configuration, CamelContext context) {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseService.class);
    private static final String BEAN = "#bean:";
    private static final Duration AFTER_SHUTDOWN = Duration.ofSeconds(15);

    /**
     * Checks all that can be checked without opening the store.
     *
     * @param routeId of the route that is about to be leased
     * @param preferredNode what that route says
     * @throws IllegalArgumentException with all mistakes in one message
     */
    void check(String routeId, Optional<String> preferredNode) {
        new OptionRules(options()).check(givenClient(), loader(), routeId, preferredNode);
    }

    /**
     * Opens the store and says so in the log.
     *
     * @param threads makes what the client runs on
     * @param observers are told what happens to all leases, after their routes
     * @param news is told what happens to routes
     * @param membershipChanged is run when a lease has got or lost a route; must not block
     * @throws IllegalArgumentException with all mistakes in one message
     */
    RunningLeases open(
            Function<LeaseSettings, LeaseThreads> threads,
            ContextState state,
            LeaseListener observers,
            LeaseNews news,
            Runnable membershipChanged) {
        options().setDefault(LeaseOption.DRAIN_TIMEOUT, drainTimeout());
        OptionRules.Opened opened = new OptionRules(options()).open(givenClient(), loader());
        // once: a resolver may hang, and whoever claims must not wait for it
        String node = nodeLabel();
        String note = NodeNote.of(node, options().get(LeaseOption.APPLICATION).orElseGet(context::getName));
        HolderId holder = HolderId.unique(node);
        LeaseClient client = new LeaseClient(
                opened.store(), holder, opened.settings(), threads.apply(opened.settings()), () -> UUID.randomUUID()
                        .toString());
        tell(opened, holder);
        RouteThreads routes = new RouteThreads(context);
        return new RunningLeases(opened, client, routes, state, note, observers, news, membershipChanged, options());
    }

    /** As long as Camel waits for its routes, and a little; but no longer than may be. */
    private Duration drainTimeout() {
        var shutdown = context.getShutdownStrategy();
        long seconds = shutdown.getTimeUnit().toSeconds(shutdown.getTimeout());
        long most = LeaseSettings.MAX_TTL.minus(AFTER_SHUTDOWN).toSeconds();
        return Duration.ofSeconds(Math.min(seconds, most)).plus(AFTER_SHUTDOWN);
    }

    private void tell(OptionRules.Opened opened, HolderId holder) {
        LOG.info(
                "Leases are kept in {}; this node is {}, ttl {}",
                opened.store().description(),
                holder,
                opened.settings().ttl());
        // the default is a compromise of ours, which is no reason to warn everybody
        Level level = options().isSet(LeaseOption.TTL) ? Level.WARN : Level.INFO;
        opened.settings().warning(opened.failover()).ifPresent(warning -> LOG.atLevel(level)
                .log(warning));
        if (options().hasPasswordInUri()) {
            LOG.warn(
                    "{} contains a password, and URIs get printed: take it out of the URI, and set {} and {} instead, for"
                            + " example to a property placeholder",
                    LeaseOption.STORE.property(),
                    LeaseOption.USERNAME.property(),
                    LeaseOption.PASSWORD.property());
        }
    }

    private @Nullable Object givenClient() {
        Object client = configuration.client;
        Optional<String> reference = options().get(LeaseOption.STORE).filter(text -> text.startsWith(BEAN));
        if (client != null || reference.isEmpty()) {
            return client;
        }
        String name = reference.get().substring(BEAN.length());
        Object bean = context.getRegistry().lookupByName(name);
        if (bean == null) {
            throw new IllegalArgumentException(LeaseOption.STORE.property() + "=" + reference.get()
                    + ": there is no bean '" + name + "' in the registry");
        }
        return bean;
    }

    private ClassLoader loader() {
        ClassLoader application = context.getApplicationContextClassLoader();
        return application != null ? application : LeaseStore.class.getClassLoader();
    }

    /**
     * What lease names of this application begin with.
     *
     * @throws IllegalArgumentException if it was not set, and the context has no fixed name
     */
    String application() {
        return options().get(LeaseOption.APPLICATION).orElseGet(() -> {
            if (!context.getNameStrategy().isFixedName()) {
                throw new IllegalArgumentException(
                        LeaseOption.APPLICATION.property() + " is not set, and the CamelContext "
                                + "has no fixed name: without either, the leases of different applications would have the same "
                                + "names. Set one of them, or the leaseName of the policy");
            }
            return context.getName();
        });
    }

    private String nodeLabel() {
        return options().get(LeaseOption.NODE).orElseGet(LeaseSetup::hostName);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            LOG.debug("This host does not know its own name", nameless);
            return "localhost";
        }
    }

    private LeaseOptions options() {
        return configuration.options;
    }
}
