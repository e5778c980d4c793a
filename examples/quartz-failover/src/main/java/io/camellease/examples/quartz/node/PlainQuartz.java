/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz.node;

import io.camellease.examples.worklog.ContextBean;
import io.camellease.quartz.LeaseJobData;
import io.camellease.quartz.SingletonJobs;
import java.io.IOException;
import java.io.InputStream;
import java.util.Date;
import java.util.Objects;
import java.util.Properties;
import org.apache.camel.CamelContext;
import org.jspecify.annotations.Nullable;
import org.quartz.CronScheduleBuilder;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/**
 * A scheduler that knows nothing of Camel, with one job every two seconds. It is started and stopped with the Camel context only
 * because that is what this process runs.
 */
public final class PlainQuartz extends ContextBean {

    private static final String PREFIX = "org.quartz.plugin.lease.";
    private static final String FIRE_LOG = "fireLog";

    private @Nullable FireLog fireLog;
    private @Nullable Scheduler scheduler;
    private String properties = "";

    /** For Camel. */
    public PlainQuartz() {}

    /** Where the job writes down what it does. */
    public void setFireLog(FireLog fireLog) {
        this.fireLog = fireLog;
    }

    /** The file of the scheduler's properties, on the class path. */
    public void setProperties(String properties) {
        this.properties = properties;
    }

    @Override
    public void onContextStarted(CamelContext context) {
        try {
            Scheduler made = new StdSchedulerFactory(load(context)).getScheduler();
            scheduler = made;
            FireLog log = Objects.requireNonNull(fireLog, FIRE_LOG);
            made.getContext().put(FIRE_LOG, log);
            SingletonJobs.of(made).orElseThrow().addListener(log);
            made.scheduleJob(
                    JobBuilder.newJob(Plain.class).withIdentity("plain").build(),
                    TriggerBuilder.newTrigger()
                            .withIdentity("plain")
                            .withSchedule(CronScheduleBuilder.cronSchedule("0/2 * * * * ?"))
                            .build());
            made.start();
        } catch (SchedulerException | IOException failed) {
            throw new IllegalStateException("the plain scheduler cannot be started", failed);
        }
    }

    private Properties load(CamelContext context) throws IOException {
        Properties loaded = new Properties();
        try (InputStream file = Objects.requireNonNull(
                context.getClassResolver().loadResourceAsStream(properties), "no " + properties)) {
            loaded.load(file);
        }
        for (String key : new String[] {"store", "ttl", "node", "missedFires", "recoverInFlight"}) {
            loaded.setProperty(PREFIX + key, context.resolvePropertyPlaceholders("{{camel.lease." + key + "}}"));
        }
        return loaded;
    }

    @Override
    public void onContextStopping(CamelContext context) {
        Scheduler made = scheduler;
        if (made != null) {
            try {
                made.shutdown(true);
            } catch (SchedulerException failed) {
                throw new IllegalStateException("the plain scheduler cannot be stopped", failed);
            }
        }
    }

    /** The job. */
    public static final class Plain implements Job {

        /** For Quartz. */
        public Plain() {}

        @Override
        public void execute(JobExecutionContext context) throws JobExecutionException {
            JobDataMap data = context.getMergedJobDataMap();
            try {
                FireLog log = (FireLog) Objects.requireNonNull(
                        context.getScheduler().getContext().get(FIRE_LOG), FIRE_LOG);
                log.plain(
                        (Date) Objects.requireNonNull(
                                data.get(LeaseJobData.SCHEDULED_TIME), LeaseJobData.SCHEDULED_TIME),
                        data.getLong(LeaseJobData.LEASE_TOKEN),
                        data.containsKey(LeaseJobData.RECOVERING));
            } catch (SchedulerException failed) {
                throw new JobExecutionException(failed);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
