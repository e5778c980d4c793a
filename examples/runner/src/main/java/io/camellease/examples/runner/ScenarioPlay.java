/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** Puts a scenario on stage. Confined to one thread. */
final class ScenarioPlay implements Session.Play {

    private final Scenario scenario;
    private final Options options;
    private final PrintStream out;

    ScenarioPlay(Scenario scenario, Options options, PrintStream out) {
        this.scenario = scenario;
        this.options = options;
        this.out = out;
    }

    @Override
    public List<String> nodes() {
        return Stage.NODES;
    }

    @Override
    public void play(Workspace workspace) throws IOException, InterruptedException {
        try (RunnerLog log = new RunnerLog(workspace.workLog());
                Children children = new Children()) {
            scenario.play(stage(workspace, log, children));
        }
    }

    @Override
    public Outcome judge(Workspace workspace) throws IOException {
        return scenario.judge(History.of(WorkLogReader.all(workspace.workLog())));
    }

    private Stage stage(Workspace workspace, RunnerLog log, Children children) {
        Plan plan = scenario.plan();
        Cluster cluster = new Cluster(workspace, options, plan.limit(), children, log);
        Feeder feeder = new Feeder(workspace.inbox(), options.example(), options.items(), plan.expected(), log);
        Timeline timeline = new Timeline(out, options.example().items(), options.items(), System.nanoTime());
        Watch watch = new Watch(workspace, timeline, feeder, cluster);
        return new Stage(options, plan, cluster, feeder, watch, timeline);
    }
}
