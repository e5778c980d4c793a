/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.LeaseEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Date;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.quartz.CronScheduleBuilder;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** The application of a child of {@link Children}: one job of a plain scheduler and, if asked for, one route of the same times. */
final class ChildMain {

    private static final String LABEL = setting("label", "");
    private static final long WORK_MILLIS = Long.parseLong(setting("workMillis", "20"));
    private static final String CRON = setting("cron", "* * * * * ?");

    private ChildMain() {}

    private static String setting(String key, String otherwise) {
        return System.getProperty("child." + key, otherwise);
    }

    /** Runs until it is asked to end, or until whoever started it is gone. */
    public static void main(String[] arguments) throws Exception {
        Scheduler scheduler = new StdSchedulerFactory(properties()).getScheduler();
        scheduler.scheduleJob(
                JobBuilder.newJob(Noting.class).withIdentity("job").build(),
                TriggerBuilder.newTrigger()
                        .withIdentity("trigger")
                        .withSchedule(CronScheduleBuilder.cronSchedule(CRON))
                        .build());
        SingletonJobs.of(scheduler).orElseThrow().addListener(ChildMain::noteLoss);
        scheduler.start();
        DefaultCamelContext context = context();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(scheduler, context)));
        giveAwayEvery(Long.parseLong(setting("handOverMillis", "0")), scheduler);
        Files.createFile(Path.of(setting("up", "")));
        Runtime.getRuntime().halt(System.in.read());
    }

    private static Properties properties() {
        Properties properties = QuartzNode.properties("child", LABEL);
        for (String key : new String[] {"store", "ttl", "missedFires", "recoverInFlight"}) {
            String value = setting(key, "");
            if (!value.isEmpty()) {
                properties.setProperty("org.quartz.plugin.lease." + key, value);
            }
        }
        properties.setProperty("org.quartz.threadPool.makeThreadsDaemons", "false");
        return properties;
    }

    private static DefaultCamelContext context() throws Exception {
        DefaultCamelContext context = new DefaultCamelContext();
        if (Boolean.parseBoolean(setting("route", "false"))) {
            io.camellease.policy.LeaseService leases = new io.camellease.policy.LeaseService();
            leases.setStore(setting("store", ""));
            leases.setApplication("child");
            leases.setNode(LABEL);
            leases.setTtl(setting("ttl", "2s"));
            leases.setMissedFires(setting("missedFires", "once"));
            leases.addListener(ChildMain::noteLoss);
            context.getRegistry().bind("leaseService", leases);
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    from("quartz:route?cron=" + CRON.replace(' ', '+'))
                            .routeId("route")
                            .routePolicy(new io.camellease.policy.LeaseRoutePolicy())
                            .process(ChildMain::note);
                }
            });
        }
        context.start();
        return context;
    }

    /** A slot that is being reserved then may be lost. */
    private static void noteLoss(LeaseEvent event) {
        if (event instanceof LeaseEvent.Suspended || event instanceof LeaseEvent.Lost) {
            note(
                    Children.LOSS,
                    Date.from(Instant.now()),
                    ((LeaseEvent.OfGrant) event).lease().token().value(),
                    false);
        }
    }

    private static void note(Exchange exchange) {
        note(
                "route",
                exchange.getProperty("CamelLeaseScheduledTime", Date.class),
                exchange.getProperty("CamelLeaseToken", Long.class),
                exchange.getProperty("CamelLeaseRecovering") != null);
    }

    private static void note(String what, Date slot, long token, boolean recovering) {
        String line = String.join(
                        " ",
                        LABEL,
                        what,
                        Long.toString(slot.toInstant().toEpochMilli()),
                        Long.toString(token),
                        Boolean.toString(recovering),
                        Long.toString(System.currentTimeMillis()))
                + "\n";
        try (FileChannel journal = FileChannel.open(
                Path.of(setting("journal", "")), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            journal.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Hands over whatever it holds, again and again. */
    private static void giveAwayEvery(long millis, Scheduler scheduler) throws Exception {
        if (millis > 0) {
            SingletonJobs jobs = SingletonJobs.of(scheduler).orElseThrow();
            Object unused = Executors.newSingleThreadScheduledExecutor()
                    .scheduleWithFixedDelay(
                            () -> jobs.electors().stream()
                                    .filter(elector -> elector.check().isPresent())
                                    .forEach(io.camellease.core.LeaseElector::giveAway),
                            millis,
                            millis,
                            TimeUnit.MILLISECONDS);
        }
    }

    private static void end(Scheduler scheduler, DefaultCamelContext context) {
        try {
            context.stop();
            scheduler.shutdown(true);
        } catch (org.quartz.SchedulerException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Writes down what it is run for. */
    @DisallowConcurrentExecution
    public static final class Noting implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            note(
                    "job",
                    (Date) context.getMergedJobDataMap().get(LeaseJobData.SCHEDULED_TIME),
                    context.getMergedJobDataMap().getLong(LeaseJobData.LEASE_TOKEN),
                    context.getMergedJobDataMap().containsKey(LeaseJobData.RECOVERING));
            try {
                Thread.sleep(WORK_MILLIS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
