/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.LogLine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The files whose work has ended on a node that has not said yet that it has deleted them. A node that is killed right then never
 * says so, and nobody does a file again that is not there. Confined to one thread.
 */
final class Uncommitted {

    private final Path inbox;

    /** The end of the work, by file: the last node that began it counts. */
    private final Map<String, LogLine> ends = new HashMap<>();

    Uncommitted(Path inbox) {
        this.inbox = inbox;
    }

    void add(LogLine line) {
        if (line.is("end")) {
            ends.put(line.subject(), line);
        } else if (line.is("begin") || line.is("done")) {
            ends.remove(line.subject());
        }
    }

    /** The ends of those that a node had deleted when it was killed. */
    List<LogLine> deletedBy(String killed) {
        List<LogLine> itsOwn =
                ends.values().stream().filter(end -> end.node().equals(killed)).toList();
        itsOwn.forEach(end -> ends.remove(end.subject()));
        return itsOwn.stream()
                .filter(end -> Optional.ofNullable(inbox.resolve(end.subject()).getParent())
                        .filter(Files::isDirectory)
                        .isPresent())
                .filter(end -> !Files.exists(inbox.resolve(end.subject())))
                .toList();
    }
}
