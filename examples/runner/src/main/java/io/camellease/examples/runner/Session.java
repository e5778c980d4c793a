/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** One run and what is said about it, from the empty directory to the last word. Confined to one thread. */
public final class Session {

    private static final int MAX_COMPLAINTS = 40;

    /** What is run. */
    public interface Play {
        /** The nodes whose last words are told if they do not do what they must. */
        List<String> nodes();

        /**
         * Plays it; no process is left afterwards.
         *
         * @throws GivenUpException if something that must happen does not
         * @throws InterruptedException if the user interrupts it
         */
        void play(Workspace workspace) throws IOException, InterruptedException;

        /** What is to be said of the work log. */
        Outcome judge(Workspace workspace) throws IOException;

        /** Draws it, if it is one that is drawn; into the directory of the run only if that is kept. */
        default Optional<Path> draw(Workspace workspace, Outcome outcome, boolean isKept) throws IOException {
            return Optional.empty();
        }
    }

    private final Play play;
    private final boolean keeps;
    private final PrintStream out;
    private final Workspace workspace;

    /** @param keeps whether the directory of the run is kept even if nothing is wrong */
    public Session(Play play, boolean keeps, PrintStream out) throws IOException {
        this.play = play;
        this.keeps = keeps;
        this.out = out;
        this.workspace = Workspace.temporary();
    }

    /**
     * Plays and judges. Whatever happens, no process is left afterwards.
     *
     * @throws InterruptedException if the user interrupts it; then no directory is left either
     */
    public Outcome run() throws IOException, InterruptedException {
        try {
            List<String> givenUp = play();
            Outcome outcome = play.judge(workspace).with(givenUp);
            tell(outcome);
            return outcome;
        } catch (InterruptedException interrupted) {
            if (!keeps) {
                workspace.delete();
            }
            throw interrupted;
        } catch (IOException | RuntimeException broken) {
            out.println("Kept: " + workspace.directory());
            throw broken;
        }
    }

    private List<String> play() throws IOException, InterruptedException {
        try {
            play.play(workspace);
            return List.of();
        } catch (GivenUpException givenUp) {
            for (String node : play.nodes()) {
                workspace.lastComplaint(node).ifPresent(complaint -> out.println(node + " said:  " + complaint));
            }
            return List.of("given up: " + givenUp.getMessage());
        }
    }

    private void tell(Outcome outcome) throws IOException {
        List<String> complaints = outcome.complaints();
        complaints.stream().limit(MAX_COMPLAINTS).forEach(complaint -> out.println("WRONG  " + complaint));
        if (complaints.size() > MAX_COMPLAINTS) {
            out.println("WRONG  and " + (complaints.size() - MAX_COMPLAINTS) + " more");
        }
        boolean isKept = keeps || !outcome.passed();
        play.draw(workspace, outcome, isKept).ifPresent(picture -> out.println("Picture: " + picture));
        if (isKept) {
            out.println("Kept: " + workspace.directory());
        } else {
            workspace.delete();
        }
        out.println(outcome.line());
    }
}
