/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.Outcome;
import io.camellease.examples.runner.Session;
import io.camellease.examples.runner.Workspace;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Chaos, and the picture of it. Confined to one thread. */
final class ChaosPlay implements Session.Play {

    private final Options options;
    private final PrintStream out;
    private long worstLookNanos;

    ChaosPlay(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    @Override
    public List<String> nodes() {
        return Site.names(options.nodes());
    }

    @Override
    public void play(Workspace workspace) throws IOException, InterruptedException {
        ChaosRun run = new ChaosRun(workspace, options, new Progress(out, System.nanoTime()));
        try {
            run.play();
        } finally {
            worstLookNanos = run.worstLookNanos();
        }
    }

    @Override
    public Outcome judge(Workspace workspace) throws IOException {
        return Result.of(HistoryReader.read(workspace.workLog()), options, worstLookNanos);
    }

    @Override
    public Optional<Path> draw(Workspace workspace, Outcome outcome, boolean isKept) throws IOException {
        if (!isKept && options.picture().isEmpty()) {
            return Optional.empty();
        }
        Path picture = options.picture().orElse(workspace.directory().resolve("chaos.svg"));
        Files.writeString(picture, Picture.of(HistoryReader.read(workspace.workLog()), outcome, options));
        return Optional.of(picture);
    }
}
