/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.Workspace;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One run and what is said about it, from the empty directory to the last word. Confined to one thread. */
final class Session {

    private static final int MAX_COMPLAINTS = 40;

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
    Result run() throws IOException, InterruptedException {
        try {
            ChaosRun run = new ChaosRun(workspace, options, new Progress(out, System.nanoTime()));
            List<String> givenUp = play(run);
            History history = HistoryReader.read(workspace.workLog());
            Result result = Result.of(history, options, run.worstLookNanos(), givenUp);
            tell(result, history);
            return result;
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

    private List<String> play(ChaosRun run) throws IOException, InterruptedException {
        try {
            run.play();
            return List.of();
        } catch (GivenUpException givenUp) {
            for (String node : Site.names(options.nodes())) {
                workspace.lastComplaint(node).ifPresent(complaint -> out.println(node + " said:  " + complaint));
            }
            return List.of("given up: " + givenUp.getMessage());
        }
    }

    private void tell(Result result, History history) throws IOException {
        result.complaints().stream().limit(MAX_COMPLAINTS).forEach(complaint -> out.println("WRONG  " + complaint));
        if (result.complaints().size() > MAX_COMPLAINTS) {
            out.println("WRONG  and " + (result.complaints().size() - MAX_COMPLAINTS) + " more");
        }
        boolean kept = options.keep() || !result.passed();
        Path picture = options.picture().orElse(workspace.directory().resolve("chaos.svg"));
        if (kept || options.picture().isPresent()) {
            Files.writeString(picture, Picture.of(history, result, options));
            out.println("Picture: " + picture);
        }
        if (kept) {
            out.println("Kept: " + workspace.directory());
        } else {
            workspace.delete();
        }
        out.println(result.line());
    }
}
