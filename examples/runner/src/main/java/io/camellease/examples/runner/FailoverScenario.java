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

    private static final int HARM_TTLS = 1 + FREEZE_TTLS;

    /** One before each of the three kinds of harm, one between kill and start, and one for the rest at the end. */
    private static final int STEADY_PARTS = 5;

    private final Options options;

    FailoverScenario(Options options) {
        this.options = options;
    }

    @Override
    public Plan plan() {
        return Plan.of(
                options.items(), options.ttl(), STEADY_PARTS, options.ttl().multipliedBy(HARM_TTLS));
    }

    @Override
    public void play(Stage stage) throws IOException, InterruptedException {
        stage.begin();
        stage.steady();
        String killed = killHolder(stage);
        stage.steady();
        restart(stage, killed);
        stage.steady();
        freezeHolder(stage);
        stage.steady();
        stopHolder(stage);
        stage.finish();
    }

    @Override
    public Outcome judge(History history) {
        return Result.ofFailover(options.example(), history, options.ttl());
    }

    static String killHolder(Stage stage) throws IOException, InterruptedException {
        String holder = stage.holder();
        stage.midWork(holder);
        int position = stage.position();
        stage.cluster().kill(holder);
        stage.takeoverFrom(holder, position);
        return holder;
    }

    private static void restart(Stage stage, String node) throws IOException, InterruptedException {
        int position = stage.position();
        stage.cluster().start(node);
        stage.up(node, position);
    }

    /**
     * Freezes the node that works for three ttl, and gives back its name. What the feeder kept for it makes sure that there is work,
     * however slow the machine was so far.
     */
    static String freezeHolder(Stage stage) throws IOException, InterruptedException {
        String holder = stage.holder();
        stage.feeder().more(System.nanoTime());
        stage.midWork(holder);
        int position = stage.position();
        long begun = System.nanoTime();
        stage.cluster().freeze(holder);
        stage.takeoverFrom(holder, position);
        Duration all = stage.options().ttl().multipliedBy(FREEZE_TTLS);
        stage.watch().rest(all.minusNanos(System.nanoTime() - begun));
        stage.cluster().thaw(holder);
        return holder;
    }

    /** As for the freeze, there is work at the handover. */
    static void stopHolder(Stage stage) throws IOException, InterruptedException {
        String holder = stage.holder();
        stage.feeder().last(System.nanoTime());
        stage.midWork(holder);
        int position = stage.position();
        stage.cluster().stop(holder);
        stage.takeoverFrom(holder, position);
    }
}
