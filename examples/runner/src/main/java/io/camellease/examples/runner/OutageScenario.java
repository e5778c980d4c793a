/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.time.Duration;

/**
 * The store is frozen for longer than a lease lasts. Nobody may work when the lease has ended, and both nodes must come back by
 * themselves: the one that works afterwards is asked to stop, so that the other one has to.
 */
final class OutageScenario implements Scenario {

    private static final Duration MIN_OUTAGE = Duration.ofSeconds(10);
    private static final int OUTAGE_TTLS = 2;

    /** One before the outage, two after it, and one for the rest at the end. */
    private static final int STEADY_PARTS = 4;

    private final Options options;
    private final Duration outage;

    OutageScenario(Options options) {
        this.options = options;
        Duration twice = options.ttl().multipliedBy(OUTAGE_TTLS);
        this.outage = twice.compareTo(MIN_OUTAGE) > 0 ? twice : MIN_OUTAGE;
    }

    @Override
    public Plan plan() {
        return Plan.of(options.items(), options.ttl(), STEADY_PARTS, outage);
    }

    @Override
    public void play(Stage stage) throws IOException, InterruptedException {
        stage.begin();
        stage.steady();
        stage.cluster().freezeStore();
        stage.watch().rest(outage);
        int position = stage.position();
        stage.cluster().thawStore();
        stage.watch()
                .until(
                        "work goes on",
                        position,
                        line -> line.is("begin"),
                        stage.plan().patience());
        stage.steady();
        stage.steady();
        FailoverScenario.stopHolder(stage);
        stage.finish();
    }

    @Override
    public Outcome judge(History history) {
        return Result.ofOutage(options.example(), history, options.ttl());
    }
}
