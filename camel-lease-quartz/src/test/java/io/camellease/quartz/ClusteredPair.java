/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseName;
import java.time.Duration;
import java.time.Instant;
import java.util.Properties;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.SchedulerRepository;
import org.quartz.impl.StdSchedulerFactory;

/** Two nodes that share a clustered job store, and one lease for all jobs. */
record ClusteredPair(String test, SharedDatabase database, Scheduler a, Scheduler b) implements AutoCloseable {

    static final TriggerKey TRIGGER = new TriggerKey("trigger");

    /** Each has threads enough for the given number of jobs. */
    static ClusteredPair of(String test, int threads) throws Exception {
        SharedDatabase database = new SharedDatabase(test);
        return new ClusteredPair(
                test, database, scheduler(database, test, "A", threads), scheduler(database, test, "B", threads));
    }

    private static Scheduler scheduler(SharedDatabase database, String test, String node, int threads)
            throws SchedulerException {
        Properties properties = database.into(QuartzNode.properties(test, node), test);
        properties.setProperty("org.quartz.plugin.lease.missedFires", "all");
        properties.setProperty("org.quartz.plugin.lease.lease", test);
        properties.setProperty("org.quartz.threadPool.threadCount", String.valueOf(threads));
        // two schedulers of one JVM cannot both be looked up by one name
        SchedulerRepository.getInstance().remove(test);
        return new StdSchedulerFactory(properties).getScheduler();
    }

    static Trigger everyNow(String cron) {
        return TriggerBuilder.newTrigger()
                .withIdentity(TRIGGER)
                .withSchedule(CronScheduleBuilder.cronSchedule(cron))
                .build();
    }

    JobDetail job(String name) {
        return JobBuilder.newJob(Runs.Recorder.class)
                .withIdentity(name)
                .usingJobData("test", test)
                .build();
    }

    Scheduler node(String name) {
        return name.equals("A") ? a : b;
    }

    Runs runs() {
        return Runs.of(test);
    }

    /** Starts both, and returns when the first one holds the lease and has run the job twice. */
    ClusteredPair started(String cron) throws SchedulerException {
        a.scheduleJob(job("job"), everyNow(cron));
        a.start();
        Waiting.soon().until(() -> runs().begun().size() >= 2);
        b.start();
        return this;
    }

    static boolean holds(Scheduler node) throws SchedulerException {
        return SingletonJobs.of(node).orElseThrow().electors().stream()
                .anyMatch(elector -> elector.check().isPresent());
    }

    /** Whether the next holder will know since when it owes the slots of that trigger. */
    boolean isNoted(String trigger) {
        return QuartzNode.store(test).raw(new LeaseName(test)).contains("DEFAULT/" + trigger + "#since:");
    }

    /** The triggers that node A knows of. */
    Backlog backlogOfA() throws SchedulerException {
        return SingletonJobs.of(a).orElseThrow().all().iterator().next().backlog();
    }

    /** Ends node A as a process that is killed; nobody has the lease before that time. */
    void killAndHoldUntil(Instant time) throws SchedulerException {
        QuartzNode.store(test).steal(new LeaseName(test), new HolderId("X"), Duration.between(Instant.now(), time));
        SingletonJobs jobs = SingletonJobs.of(a).orElseThrow();
        jobs.electors().forEach(jobs.client()::remove);
        a.shutdown(false);
    }

    @Override
    public void close() throws SchedulerException {
        runs().letGo();
        if (!a.isShutdown()) {
            a.shutdown(true);
        }
        b.shutdown(true);
    }
}
