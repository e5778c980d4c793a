/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.quartz.InterruptableJob;
import org.quartz.Job;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;
import org.quartz.SchedulerException;

/** What the jobs of all nodes of one test did. */
public final class Runs {

    private static final Map<String, Runs> ALL = new ConcurrentHashMap<>();

    /** One run of a job. */
    public record Run(String node, Instant slot, long token, boolean recovering, Instant begunAt) {}

    private final List<Run> begun = new CopyOnWriteArrayList<>();
    private final List<Run> ended = new CopyOnWriteArrayList<>();
    private final List<Run> interrupted = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch hold = new CountDownLatch(0);

    /** Those of one test, which is the name of its scheduler's application. */
    public static Runs of(String test) {
        return ALL.computeIfAbsent(test, name -> new Runs());
    }

    /** From now on runs do not end until they are let go. */
    public void hold() {
        hold = new CountDownLatch(1);
    }

    /** Lets all runs end. */
    public void letGo() {
        hold.countDown();
    }

    public List<Run> begun() {
        return begun;
    }

    public List<Run> ended() {
        return ended;
    }

    public List<Run> interrupted() {
        return interrupted;
    }

    public List<Run> begunOn(String node) {
        return begun.stream().filter(run -> run.node().equals(node)).toList();
    }

    /** Slots that were begun more than once, repeats that are marked apart. */
    public List<Instant> doubled() {
        return begun.stream()
                .filter(run -> !run.recovering())
                .collect(groupingBy(Run::slot, counting()))
                .entrySet()
                .stream()
                .filter(entry -> entry.getValue() > 1)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** The slots that were begun, in order. */
    public NavigableSet<Instant> slots() {
        TreeSet<Instant> slots = new TreeSet<>();
        begun.forEach(run -> slots.add(run.slot()));
        return slots;
    }

    public void add(Run run) {
        begun.add(run);
    }

    /** Writes down that it runs. Needs job data {@code test}. */
    public static final class Recorder implements InterruptableJob {

        private volatile Thread thread;

        @Override
        public void execute(JobExecutionContext context) {
            thread = Thread.currentThread();
            JobDataMap data = context.getMergedJobDataMap();
            Runs runs = of(data.getString("test"));
            Run run = new Run(
                    node(context),
                    data.get(LeaseJobData.SCHEDULED_TIME) instanceof Date slot ? slot.toInstant() : Instant.EPOCH,
                    data.get(LeaseJobData.LEASE_TOKEN) instanceof Long token ? token : -1,
                    Boolean.TRUE.equals(data.get(LeaseJobData.RECOVERING)),
                    Instant.now());
            runs.begun.add(run);
            try {
                boolean unused = runs.hold.await(60, TimeUnit.SECONDS);
                runs.ended.add(run);
            } catch (InterruptedException interrupted) {
                runs.interrupted.add(run);
            }
        }

        @Override
        public void interrupt() {
            thread.interrupt();
        }

        private static String node(JobExecutionContext context) {
            try {
                return context.getScheduler().getSchedulerInstanceId();
            } catch (SchedulerException failed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    /** As {@link Recorder}; to interrupt it takes until all are let go. */
    public static final class Stubborn implements InterruptableJob {
        private volatile String test = "";

        @Override
        public void execute(JobExecutionContext context) {
            test = context.getMergedJobDataMap().getString("test");
            new Recorder().execute(context);
        }

        @Override
        public void interrupt() {
            try {
                boolean unused = of(test).hold.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** As {@link Recorder}, never two at a time. */
    @org.quartz.DisallowConcurrentExecution
    public static final class OneAtATime implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            new Recorder().execute(context);
        }
    }
}
