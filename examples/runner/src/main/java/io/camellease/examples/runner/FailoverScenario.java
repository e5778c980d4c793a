/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.time.Duration;

/** The holder is killed and started again; the next holder is frozen for three ttl; the one after it is asked to stop. */
final class FailoverScenario implements Scenario {

    private static final int FREEZE_TTLS = 3;

    /** After the kill and after the freeze nobody works for about one ttl each; the rest of the freeze is work for the successor. */
    private static final int EXPECTED_TTLS = 1 + FREEZE_TTLS;

    private final Options options;

    FailoverScenario(Options options) {
        this.options = options;
    }

    @Override
    public Plan plan() {
        return Plan.of(options.files(), options.ttl(), options.ttl().multipliedBy(EXPECTED_TTLS));
    }

    @Override
    public void play(Stage stage) throws IOException, InterruptedException {
        String first = stage.begin();
        stage.steady();
        String second = kill(stage, first);
        stage.steady();
        restart(stage, first);
        stage.steady();
        String third = freeze(stage, second);
        stage.steady();
        stop(stage, third);
        stage.finish();
    }

    @Override
    public Result judge(History history) {
        return Result.ofFailover(history);
    }

    static String kill(Stage stage, String holder) throws IOException, InterruptedException {
        stage.midWork(holder);
        int position = stage.position();
        stage.cluster().kill(holder);
        return stage.takeoverFrom(holder, position);
    }

    private static void restart(Stage stage, String node) throws IOException, InterruptedException {
        int position = stage.position();
        stage.cluster().start(node);
        stage.watch()
                .until(
                        node + " is up again",
                        position,
                        line -> line.is("started") && line.node().equals(node),
                        stage.plan().patience());
    }

    private static String freeze(Stage stage, String holder) throws IOException, InterruptedException {
        stage.midWork(holder);
        int position = stage.position();
        long begun = System.nanoTime();
        stage.cluster().freeze(holder);
        String successor = stage.takeoverFrom(holder, position);
        Duration all = stage.options().ttl().multipliedBy(FREEZE_TTLS);
        stage.watch().rest(all.minusNanos(System.nanoTime() - begun));
        stage.cluster().thaw(holder);
        return successor;
    }

    /** The feeder's last files make sure that there is work at the handover, however slow the machine was so far. */
    static void stop(Stage stage, String holder) throws IOException, InterruptedException {
        stage.feeder().last(System.nanoTime());
        stage.midWork(holder);
        int position = stage.position();
        stage.cluster().stop(holder);
        stage.takeoverFrom(holder, position);
    }
}
