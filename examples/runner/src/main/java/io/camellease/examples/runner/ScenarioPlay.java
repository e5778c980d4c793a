/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** One run of a scenario, from the empty directory to the last word. Confined to one thread. */
final class ScenarioRun {

    private static final int MAX_COMPLAINTS = 20;

    private final Scenario scenario;
    private final Options options;
    private final PrintStream out;
    private final Workspace workspace;

    ScenarioRun(Scenario scenario, Options options, PrintStream out) throws IOException {
        this.scenario = scenario;
        this.options = options;
        this.out = out;
        this.workspace = Workspace.temporary();
    }

    /**
     * Plays and judges; true if nothing was wrong. Whatever happens, no process is left afterwards.
     *
     * @throws InterruptedException if the user interrupts it; then no directory is left either
     */
    boolean run() throws IOException, InterruptedException {
        try {
            boolean finished = play();
            Result result = scenario.judge(History.of(WorkLogReader.all(workspace.workLog())));
            boolean passed = finished && result.passed();
            print(result.complaints());
            cleanUp(passed && !options.keep());
            out.println(result.line());
            return passed;
        } catch (InterruptedException interrupted) {
            cleanUp(!options.keep());
            throw interrupted;
        } catch (IOException | RuntimeException broken) {
            cleanUp(false);
            throw broken;
        }
    }

    private boolean play() throws IOException, InterruptedException {
        try (RunnerLog log = new RunnerLog(workspace.workLog());
                Children children = new Children()) {
            scenario.play(stage(log, children));
            return true;
        } catch (WaitedTooLong tooLong) {
            out.println("GIVEN UP  " + tooLong.getMessage());
            for (String node : Stage.NODES) {
                workspace.lastComplaint(node).ifPresent(complaint -> out.println(node + " said:  " + complaint));
            }
            return false;
        }
    }

    private void print(List<String> complaints) {
        complaints.stream().limit(MAX_COMPLAINTS).forEach(complaint -> out.println("WRONG  " + complaint));
        if (complaints.size() > MAX_COMPLAINTS) {
            out.println("WRONG  and " + (complaints.size() - MAX_COMPLAINTS) + " more");
        }
    }

    private Stage stage(RunnerLog log, Children children) {
        Plan plan = scenario.plan();
        Cluster cluster = new Cluster(workspace, options, plan.limit(), children, log);
        Feeder feeder = new Feeder(workspace.inbox(), options.example(), options.items(), plan.expected(), log);
        Timeline timeline = new Timeline(out, options.example().items(), options.items(), System.nanoTime());
        Watch watch = new Watch(workspace, timeline, feeder, cluster);
        return new Stage(options, plan, cluster, feeder, watch, timeline);
    }

    private void cleanUp(boolean delete) throws IOException {
        if (delete) {
            workspace.delete();
        } else {
            out.println("Kept: " + workspace.directory());
        }
    }
}
