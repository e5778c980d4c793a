/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster;

import io.camellease.examples.runner.WorkLogReader;
import io.camellease.examples.runner.Workspace;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Optional;

/** One run and what is said about it, from the empty directory to the last word. Confined to one thread. */
final class Session {

    private final Options options;
    private final PrintStream out;
    private final Workspace workspace;

    Session(Options options, PrintStream out) throws IOException {
        this.options = options;
        this.out = out;
        this.workspace = Workspace.temporary();
    }

    /**
     * Plays and judges. Whatever happens, no process is left afterwards.
     *
     * @throws InterruptedException if the user interrupts it; then no directory is left either
     */
    Verdict run() throws IOException, InterruptedException {
        try {
            Optional<String> givenUp = play();
            History history = History.of(WorkLogReader.all(workspace.workLog()));
            Verdict verdict = Verdict.of(history, options.ttl(), givenUp);
            tell(verdict);
            return verdict;
        } catch (InterruptedException interrupted) {
            if (!options.keep()) {
                workspace.delete();
            }
            throw interrupted;
        } catch (IOException | RuntimeException broken) {
            out.println("Kept: " + workspace.directory());
            throw broken;
        }
    }

    private Optional<String> play() throws IOException, InterruptedException {
        try {
            new FailoverRun(workspace, options, new Progress(out, System.nanoTime())).play();
            return Optional.empty();
        } catch (GivenUpException givenUp) {
            for (String node : Cluster.NODES) {
                workspace.lastComplaint(node).ifPresent(complaint -> out.println(node + " said:  " + complaint));
            }
            return Optional.of("given up: " + givenUp.getMessage());
        }
    }

    private void tell(Verdict verdict) throws IOException {
        verdict.complaints().forEach(complaint -> out.println("WRONG  " + complaint));
        if (options.keep() || !verdict.passed()) {
            out.println("Kept: " + workspace.directory());
        } else {
            workspace.delete();
        }
        out.println(verdict.line());
    }
}
