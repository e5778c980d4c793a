/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseStore;
import java.util.LinkedHashMap;
import java.util.Map;
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

    private final Map<String, String> texts = new LinkedHashMap<>();
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
        PluginSetup setup = PluginSetup.of(
                new PluginTexts("org.quartz.plugin." + name + ".", texts),
                scheduler.getSchedulerName(),
                loadHelper.getClassLoader());
        LeaseClient client = new LeaseClient(setup.store(), setup.holder(), setup.settings());
        running = new Running(
                setup.store(), client, new SingletonJobs(scheduler, client, setup.jobs(), setup::valueForPeople));
        LOG.info(
                "Leases are kept in {}; this node is {}, ttl {}",
                setup.store().description(),
                setup.holder(),
                setup.settings().ttl());
        setup.warnings().forEach(LOG::warn);
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
