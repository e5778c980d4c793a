/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.DurationText;
import io.camellease.core.HolderId;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.core.LeaseStoreProvider;
import io.camellease.core.LeaseStores;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.quartz.SchedulerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the options of a plugin amount to.
 *
 * @param store the opened store
 * @param holder who this node is
 * @param settings the durations of its leases
 * @param jobs which jobs, and how
 * @param node what people call this node
 * @param warnings what is legal but unwise
 */
record PluginSetup(
        LeaseStore store,
        HolderId holder,
        LeaseSettings settings,
        SingletonJobs.Options jobs,
        String node,
        List<String> warnings) {

    private static final Logger LOG = LoggerFactory.getLogger(PluginSetup.class);

    /** The names that Quartz, and Spring Boot, give a scheduler that was given none. */
    private static final Set<String> DEFAULT_NAMES =
            Set.of("QuartzScheduler", "DefaultQuartzScheduler", "quartzScheduler");

    private static final Duration DEFAULT_TTL = Duration.ofSeconds(30);
    private static final int MAX_NOTE_CHARS = 250;

    /**
     * Reads and checks all options together.
     *
     * @throws SchedulerException if some are wrong; the message names all of them
     */
    static PluginSetup of(PluginTexts texts, String schedulerName, ClassLoader loader) throws SchedulerException {
        return new Reading(texts, loader).read(schedulerName);
    }

    /** A note for people who read the record. */
    String valueForPeople() {
        ProcessHandle self = ProcessHandle.current();
        String started = self.info()
                .startInstant()
                .map(at -> " started=" + at.truncatedTo(ChronoUnit.SECONDS))
                .orElse("");
        String note = "node=" + node + " pid=" + self.pid() + " application=" + jobs.application() + started;
        // at most four bytes each, so that it is never too long for a record
        return note.substring(0, Math.min(note.length(), MAX_NOTE_CHARS));
    }

    /** Reads the options, and collects what is wrong with them. Confined to one thread. */
    private static final class Reading {
        private final PluginTexts texts;
        private final ClassLoader loader;
        private final List<String> mistakes = new ArrayList<>();

        private Reading(PluginTexts texts, ClassLoader loader) {
            this.texts = texts;
            this.loader = loader;
        }

        private PluginSetup read(String schedulerName) throws SchedulerException {
            Optional<SingletonJobs.Options> jobs = jobs(schedulerName);
            Optional<LeaseStoreProvider> provider =
                    collect(() -> LeaseStores.forUri(storeOptions(DEFAULT_TTL), loader));
            Optional<LeaseSettings> settings = collect(
                    () -> settings(provider.map(LeaseStoreProvider::defaultTtl).orElse(DEFAULT_TTL)));
            String node = texts.get("node").orElseGet(Reading::hostName);
            Optional<HolderId> holder = collect(() -> HolderId.unique(node));
            collect(this::credentials);
            Optional<LeaseStore> store = mistakes.isEmpty()
                    ? collect(() -> provider.orElseThrow()
                            .open(storeOptions(settings.orElseThrow().storeTimeout())))
                    : Optional.empty();
            if (!mistakes.isEmpty()) {
                throw new SchedulerException(
                        "The lease of this scheduler's jobs cannot be set up: " + String.join("; ", mistakes));
            }
            return new PluginSetup(
                    store.orElseThrow(),
                    holder.orElseThrow(),
                    settings.orElseThrow(),
                    jobs.orElseThrow(),
                    node,
                    warnings(settings.orElseThrow(), provider.orElseThrow().failover()));
        }

        /** A ttl that nobody chose is a compromise of ours, which is no reason to warn everybody. */
        private List<String> warnings(LeaseSettings settings, Duration failover) {
            List<String> warnings = new ArrayList<>();
            texts.get("ttl").flatMap(chosen -> settings.warning(failover)).ifPresent(warnings::add);
            texts.get("store")
                    .filter(LeaseStoreOptions::hasPassword)
                    .ifPresent(uri -> warnings.add(texts.prefix()
                            + "store contains a password, and URIs get printed: take it out of the URI, and set "
                            + texts.prefix() + "username and " + texts.prefix() + "password instead"));
            return warnings;
        }

        private boolean credentials() {
            boolean isProvenOtherwise = texts.get("store").orElse("").contains("authMechanism=");
            boolean hasName = texts.get("username").isPresent();
            if (hasName != texts.get("password").isPresent() && !isProvenOtherwise) {
                throw new IllegalArgumentException(texts.prefix() + "username and " + texts.prefix()
                        + "password belong together, and " + texts.prefix() + (hasName ? "password" : "username")
                        + " is not set");
            }
            return true;
        }

        private <T> Optional<T> collect(Supplier<T> step) {
            try {
                return Optional.of(step.get());
            } catch (IllegalArgumentException mistake) {
                mistakes.add(String.valueOf(mistake.getMessage()));
                return Optional.empty();
            }
        }

        /** Empty if there is a mistake. */
        private Optional<SingletonJobs.Options> jobs(String schedulerName) {
            Optional<String> application = collect(() -> application(schedulerName));
            Optional<String> patterns = collect(this::patterns);
            Optional<SlotOptions> slots = collect(() -> SlotOptions.parse(
                    texts.prefix(),
                    texts.get("missedFires"),
                    texts.get("missedFireLimit"),
                    texts.get("recoverInFlight")));
            Optional<Boolean> interrupt = collect(this::interruptOnLoss);
            return mistakes.isEmpty()
                    ? Optional.of(new SingletonJobs.Options(
                            application.orElseThrow(),
                            patterns.orElseThrow(),
                            texts.get("lease"),
                            slots.orElseThrow(),
                            interrupt.orElseThrow()))
                    : Optional.empty();
        }

        private String patterns() {
            String patterns = texts.mandatory(
                    "jobs",
                    "name the jobs that are to run on one node, as patterns of group.name such as"
                            + " DEFAULT.report or billing.*; * alone means all");
            JobPatterns.parse(patterns);
            return patterns;
        }

        private String application(String schedulerName) {
            Optional<String> lease = texts.get("lease");
            lease.ifPresent(LeaseName::new);
            Optional<String> application = texts.get("application");
            if (lease.isEmpty() && application.isEmpty() && DEFAULT_NAMES.contains(schedulerName)) {
                throw new IllegalArgumentException(
                        texts.prefix() + "application is not set, and the scheduler has no name of its own:"
                                + " the leases of different applications would have the same names. Set it, or"
                                + " org.quartz.scheduler.instanceName");
            }
            return new LeaseName(application.orElse(schedulerName)).value();
        }

        private boolean interruptOnLoss() {
            return texts.get("interruptOnLoss")
                    .map(text -> SlotOptions.parseBoolean(texts.prefix() + "interruptOnLoss", text))
                    .orElse(false);
        }

        private LeaseSettings settings(Duration defaultTtl) {
            LeaseSettings.Builder builder =
                    LeaseSettings.builder(duration("ttl").orElse(defaultTtl));
            duration("drainTimeout").ifPresent(builder::drainTimeout);
            return builder.build();
        }

        private Optional<Duration> duration(String name) {
            return texts.get(name).map(text -> DurationText.parse(texts.prefix() + name, text));
        }

        private LeaseStoreOptions storeOptions(Duration timeout) {
            String store = texts.mandatory(
                    "store", "give the URI of the database that keeps the leases, for example mongodb://host/database");
            return new LeaseStoreOptions(
                    store,
                    timeout,
                    texts.get("username"),
                    texts.get("password"),
                    texts.some(List.of("database", "collection")));
        }

        private static String hostName() {
            try {
                return InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
            } catch (UnknownHostException nameless) {
                LOG.debug("This host does not know its own name", nameless);
                return "localhost";
            }
        }
    }
}
