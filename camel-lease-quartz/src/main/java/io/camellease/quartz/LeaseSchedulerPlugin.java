/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.DurationText;
import io.camellease.core.HolderId;
import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.core.LeaseStoreProvider;
import io.camellease.core.LeaseStores;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.spi.ClassLoadHelper;
import org.quartz.spi.SchedulerPlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes jobs singletons by quartz.properties alone:
 *
 * <pre>{@code
 * org.quartz.plugin.lease.class = io.camellease.quartz.LeaseSchedulerPlugin
 * org.quartz.plugin.lease.store = mongodb://db.example.com/app
 * org.quartz.plugin.lease.application = billing
 * org.quartz.plugin.lease.jobs = DEFAULT.report, billing.*
 * }</pre>
 *
 * <p>All options are checked together when the scheduler is made; if one is wrong, there is no scheduler. Durations are written
 * as {@code 30s}, {@code 500ms}, {@code 2m}, {@code PT30S} or a whole number of milliseconds. For the thread that makes the
 * scheduler.
 */
public final class LeaseSchedulerPlugin implements SchedulerPlugin {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseSchedulerPlugin.class);

    /** The names Quartz gives a scheduler that was given none. */
    private static final Set<String> DEFAULT_NAMES = Set.of("QuartzScheduler", "DefaultQuartzScheduler");

    private static final String PREFIX = "org.quartz.plugin.";
    private static final Duration DEFAULT_TTL = Duration.ofSeconds(30);

    private final Map<String, String> texts = new LinkedHashMap<>();
    private String prefix = PREFIX + "lease.";
    private @Nullable Running running;

    /** What there is while the scheduler lives. */
    private record Running(LeaseStore store, LeaseClient client, SingletonJobs jobs) {}

    /** The URI of the database that keeps the leases, such as {@code mongodb://host/database}. */
    public void setStore(String store) {
        texts.put("store", store);
    }

    /** The user name, instead of one in the URI. */
    public void setUsername(String username) {
        texts.put("username", username);
    }

    /** The password, instead of one in the URI. */
    public void setPassword(String password) {
        texts.put("password", password);
    }

    /** The database, where the store has such. */
    public void setDatabase(String database) {
        texts.put("database", database);
    }

    /** The collection of the records, where the store has such. */
    public void setCollection(String collection) {
        texts.put("collection", collection);
    }

    /** What lease names begin with; default the name of the scheduler, if it was given one. The same on all nodes. */
    public void setApplication(String application) {
        texts.put("application", application);
    }

    /** What people call this node; default the host name. */
    public void setNode(String node) {
        texts.put("node", node);
    }

    /** Patterns of {@code group.name}, separated by commas; {@code *} stands for any text. */
    public void setJobs(String jobs) {
        texts.put("jobs", jobs);
    }

    /** One lease of that name for all jobs; default one for each job. */
    public void setLease(String lease) {
        texts.put("lease", lease);
    }

    /** How long a lease lasts without a renewal; default that of the store. */
    public void setTtl(String ttl) {
        texts.put("ttl", ttl);
    }

    /** How long running jobs are waited for when a lease is given back; default 60 s. */
    public void setDrainTimeout(String drainTimeout) {
        texts.put("drainTimeout", drainTimeout);
    }

    /** {@code once} (default), {@code all} or {@code skip}. */
    public void setMissedFires(String missedFires) {
        texts.put("missedFires", missedFires);
    }

    /** How old a missed slot may be to be run; default 1 h. */
    public void setMissedFireLimit(String missedFireLimit) {
        texts.put("missedFireLimit", missedFireLimit);
    }

    /** Whether slots whose run was cut off are run again; default false. */
    public void setRecoverInFlight(String recoverInFlight) {
        texts.put("recoverInFlight", recoverInFlight);
    }

    /** Whether running jobs that can be are interrupted when the lease is lost; default false. */
    public void setInterruptOnLoss(String interruptOnLoss) {
        texts.put("interruptOnLoss", interruptOnLoss);
    }

    @Override
    public void initialize(String name, Scheduler scheduler, ClassLoadHelper loadHelper) throws SchedulerException {
        prefix = PREFIX + name + ".";
        List<String> mistakes = new ArrayList<>();
        String schedulerName = scheduler.getSchedulerName();
        Optional<String> application = collect(mistakes, () -> application(schedulerName));
        Optional<String> jobs = collect(mistakes, this::jobs);
        Optional<SlotOptions> slots = collect(
                mistakes,
                () -> SlotOptions.parse(prefix, get("missedFires"), get("missedFireLimit"), get("recoverInFlight")));
        Optional<Boolean> interrupt = collect(mistakes, this::interruptOnLoss);
        Optional<LeaseStoreProvider> provider =
                collect(mistakes, () -> LeaseStores.forUri(storeOptions(DEFAULT_TTL), loadHelper.getClassLoader()));
        Optional<LeaseSettings> settings = collect(
                mistakes,
                () -> settings(provider.map(LeaseStoreProvider::defaultTtl).orElse(DEFAULT_TTL)));
        Optional<HolderId> holder =
                collect(mistakes, () -> HolderId.unique(get("node").orElseGet(LeaseSchedulerPlugin::hostName)));
        Optional<LeaseStore> store = mistakes.isEmpty()
                ? collect(mistakes, () -> provider.orElseThrow()
                        .open(storeOptions(settings.orElseThrow().storeTimeout())))
                : Optional.empty();
        if (!mistakes.isEmpty()) {
            throw new SchedulerException(
                    "The lease of this scheduler's jobs cannot be set up: " + String.join("; ", mistakes));
        }
        SingletonJobs.Options options = new SingletonJobs.Options(
                application.orElseThrow(),
                jobs.orElseThrow(),
                get("lease"),
                slots.orElseThrow(),
                interrupt.orElseThrow());
        run(scheduler, store.orElseThrow(), holder.orElseThrow(), settings.orElseThrow(), options);
    }

    private void run(
            Scheduler scheduler,
            LeaseStore store,
            HolderId holder,
            LeaseSettings settings,
            SingletonJobs.Options options)
            throws SchedulerException {
        LeaseClient client = new LeaseClient(store, holder, settings);
        String value = "node=" + get("node").orElseGet(LeaseSchedulerPlugin::hostName) + " pid="
                + ProcessHandle.current().pid();
        running = new Running(store, client, new SingletonJobs(scheduler, client, options, () -> value));
        LOG.info("Leases are kept in {}; this node is {}, ttl {}", store.description(), holder, settings.ttl());
    }

    private String jobs() {
        String jobs = get("jobs")
                .orElseThrow(() -> new IllegalArgumentException(prefix
                        + "jobs is not set: name the jobs that are to run on one node, as patterns of group.name such as"
                        + " DEFAULT.report or billing.*; * alone means all"));
        JobPatterns.parse(jobs);
        return jobs;
    }

    private String application(String schedulerName) {
        Optional<String> lease = get("lease");
        lease.ifPresent(LeaseName::new);
        if (lease.isEmpty() && get("application").isEmpty() && DEFAULT_NAMES.contains(schedulerName)) {
            throw new IllegalArgumentException(
                    prefix + "application is not set, and the scheduler has no name of its own:"
                            + " the leases of different applications would have the same names. Set it, or"
                            + " org.quartz.scheduler.instanceName");
        }
        return new LeaseName(get("application").orElse(schedulerName)).value();
    }

    private boolean interruptOnLoss() {
        return get("interruptOnLoss")
                .map(text -> SlotOptions.parseBoolean(prefix + "interruptOnLoss", text))
                .orElse(false);
    }

    private LeaseSettings settings(Duration defaultTtl) {
        LeaseSettings.Builder builder = LeaseSettings.builder(
                get("ttl").map(text -> DurationText.parse(prefix + "ttl", text)).orElse(defaultTtl));
        get("drainTimeout").ifPresent(text -> builder.drainTimeout(DurationText.parse(prefix + "drainTimeout", text)));
        return builder.build();
    }

    private LeaseStoreOptions storeOptions(Duration timeout) {
        Map<String, String> properties = new LinkedHashMap<>();
        for (String key : List.of("database", "collection")) {
            get(key).ifPresent(text -> properties.put(key, text));
        }
        String store = get("store")
                .orElseThrow(() -> new IllegalArgumentException(prefix
                        + "store is not set: give the URI of the database that keeps the leases, for example"
                        + " mongodb://host/database"));
        return new LeaseStoreOptions(store, timeout, get("username"), get("password"), properties);
    }

    private Optional<String> get(String key) {
        return Optional.ofNullable(texts.get(key)).map(String::strip).filter(text -> !text.isEmpty());
    }

    private static <T> Optional<T> collect(List<String> mistakes, Supplier<T> step) {
        try {
            return Optional.of(step.get());
        } catch (IllegalArgumentException mistake) {
            mistakes.add(String.valueOf(mistake.getMessage()));
            return Optional.empty();
        }
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
        } catch (UnknownHostException nameless) {
            LOG.debug("This host does not know its own name", nameless);
            return "localhost";
        }
    }

    @Override
    public void start() {
        LOG.debug("The scheduler starts; its listener makes this node a candidate");
    }

    /**
     * Gives the leases back. Quartz calls this when its threads have ended, if it was told to wait for the jobs; otherwise the
     * leases are renewed until the jobs have ended, on a thread that does not keep the JVM alive.
     */
    @Override
    public void shutdown() {
        Running ends = running;
        running = null;
        if (ends != null) {
            new Closing(ends.store(), ends.client(), ends.jobs()).begin();
        }
    }
}
