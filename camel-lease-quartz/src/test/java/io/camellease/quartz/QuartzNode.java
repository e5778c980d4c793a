/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseName;
import io.camellease.testkit.InMemoryLeaseStore;
import io.camellease.testkit.MemoryLeaseStoreProvider;
import java.util.Properties;
import org.quartz.CronScheduleBuilder;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobKey;
import org.quartz.ScheduleBuilder;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** One node: a scheduler that is configured by properties alone. */
final class QuartzNode implements AutoCloseable {

    private static final java.util.concurrent.atomic.AtomicInteger COUNT =
            new java.util.concurrent.atomic.AtomicInteger();

    final String test;
    final String name;
    final Scheduler scheduler;

    /** A node that is not started. */
    QuartzNode(String test, String name, String... options) throws SchedulerException {
        this.test = test;
        this.name = name;
        Properties properties = properties(test, name);
        for (String option : options) {
            String[] parts = option.split("=", 2);
            String prefix = parts[0].startsWith("org.quartz.") ? "" : "org.quartz.plugin.lease.";
            properties.setProperty(prefix + parts[0], parts[1]);
        }
        this.scheduler = new StdSchedulerFactory(properties).getScheduler();
    }

    static Properties properties(String test, String name) {
        Properties properties = new Properties();
        properties.setProperty("org.quartz.scheduler.instanceName", test + "-" + name + COUNT.incrementAndGet());
        properties.setProperty("org.quartz.scheduler.instanceId", name);
        properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        properties.setProperty("org.quartz.scheduler.idleWaitTime", "1000");
        properties.setProperty("org.quartz.threadPool.threadCount", "4");
        properties.setProperty("org.quartz.threadPool.makeThreadsDaemons", "true");
        properties.setProperty("org.quartz.plugin.lease.class", LeaseSchedulerPlugin.class.getName());
        properties.setProperty("org.quartz.plugin.lease.store", "memory:" + test);
        properties.setProperty("org.quartz.plugin.lease.application", test);
        properties.setProperty("org.quartz.plugin.lease.node", name);
        properties.setProperty("org.quartz.plugin.lease.jobs", "DEFAULT.*");
        properties.setProperty("org.quartz.plugin.lease.ttl", "2s");
        return properties;
    }

    static InMemoryLeaseStore store(String test) {
        return MemoryLeaseStoreProvider.named(test);
    }

    static LeaseName lease(String test) {
        return new LeaseName(test + "/DEFAULT.job");
    }

    QuartzNode cron(String expression) throws SchedulerException {
        return job(Runs.Recorder.class, CronScheduleBuilder.cronSchedule(expression));
    }

    QuartzNode job(Class<? extends Job> type, ScheduleBuilder<?> schedule) throws SchedulerException {
        return job(
                type,
                TriggerBuilder.newTrigger()
                        .withIdentity("trigger")
                        .withSchedule(schedule)
                        .build());
    }

    QuartzNode job(Class<? extends Job> type, Trigger trigger) throws SchedulerException {
        scheduler.scheduleJob(
                JobBuilder.newJob(type)
                        .withIdentity("job")
                        .usingJobData("test", test)
                        .build(),
                trigger);
        return this;
    }

    QuartzNode start() throws SchedulerException {
        scheduler.start();
        return this;
    }

    SingletonJobs jobs() throws SchedulerException {
        return SingletonJobs.of(scheduler).orElseThrow();
    }

    LeaseElector elector() throws SchedulerException {
        return jobs().electors().iterator().next();
    }

    boolean holds() throws SchedulerException {
        return jobs().electors().stream().anyMatch(elector -> elector.check().isPresent());
    }

    static JobKey job() {
        return new JobKey("job");
    }

    /** Stops without giving anything back, as a process that is killed. */
    void kill() throws SchedulerException {
        // the client goes silent first, so that what Quartz does on its way down reaches no store
        jobs().electors().forEach(jobs().client()::remove);
        scheduler.shutdown(false);
    }

    @Override
    public void close() throws SchedulerException {
        scheduler.shutdown(true);
    }
}
