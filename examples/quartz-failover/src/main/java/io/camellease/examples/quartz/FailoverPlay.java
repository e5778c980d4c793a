/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import io.camellease.examples.runner.Nodes;
import io.camellease.examples.runner.Outcome;
import io.camellease.examples.runner.Session;
import io.camellease.examples.runner.WorkLogReader;
import io.camellease.examples.runner.Workspace;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Nodes with schedules, and harm. Confined to one thread. */
final class FailoverPlay implements Session.Play {

    private final Options options;
    private final PrintStream out;

    FailoverPlay(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    @Override
    public List<String> nodes() {
        return Nodes.NAMES;
    }

    @Override
    public void play(Workspace workspace) throws IOException, InterruptedException {
        new FailoverRun(workspace, options, new Progress(out, System.nanoTime())).play();
    }

    @Override
    public Outcome judge(Workspace workspace) throws IOException {
        History history = History.of(WorkLogReader.all(workspace.workLog()));
        Outcome outcome = Verdict.of(history, options.missedFires(), options.recover(), options.longestPause());
        return new Outcome(outcome.line() + settings(), outcome.complaints());
    }

    private String settings() {
        return " missedFires=" + options.missedFires().name().toLowerCase(Locale.ROOT) + " recover=" + options.recover()
                + " seed=" + options.seed();
    }
}
