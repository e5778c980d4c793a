/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.io.File;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What people read in the record of a lease about the process that holds it. Stateless. */
final class NodeNote {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseService.class);
    private static final int MAX_CHARS = 250;
    private static final String JAR = ".jar";

    /** Main classes of others, whose version is not that of the application. */
    private static final List<String> LAUNCHERS = List.of("org.apache.camel.", "org.springframework.boot.loader.");

    private NodeNote() {}

    /**
     * Node, process id, application, its version if that is known, and when the process was started.
     *
     * @param node what people call the node
     * @param application what lease names begin with
     */
    static String of(String node, String application) {
        ProcessHandle self = ProcessHandle.current();
        StringBuilder note = new StringBuilder();
        note.append("node=").append(node).append(" pid=").append(self.pid());
        note.append(" application=").append(application);
        version(System.getProperty("sun.java.command", ""))
                .ifPresent(version -> note.append(" version=").append(version));
        self.info().startInstant().map(NodeNote::text).ifPresent(at -> note.append(" started=")
                .append(at));
        // at most four bytes each, so that it is never too long for a record
        return note.substring(0, Math.min(note.length(), MAX_CHARS));
    }

    private static String text(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /**
     * The {@code Implementation-Version} of what the JVM runs, unless that is a main class of Camel's or Spring Boot's own.
     *
     * @param command the main class, or the jar of {@code java -jar}, and its arguments
     */
    static Optional<String> version(String command) {
        String main = command.split(" ", -1)[0];
        if (LAUNCHERS.stream().anyMatch(main::startsWith)) {
            return Optional.empty();
        }
        return main.endsWith(JAR) ? ofJar(new File(main)) : ofClass(main);
    }

    private static Optional<String> ofJar(File file) {
        try (JarFile jar = new JarFile(file)) {
            Manifest manifest = jar.getManifest();
            return Optional.ofNullable(manifest)
                    .map(known -> known.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION));
        } catch (IOException unreadable) {
            LOG.debug("The version of the application is not known", unreadable);
            return Optional.empty();
        }
    }

    private static Optional<String> ofClass(String name) {
        try {
            ClassLoader loader = Objects.requireNonNullElseGet(
                    Thread.currentThread().getContextClassLoader(), ClassLoader::getSystemClassLoader);
            Package of = Class.forName(name, false, loader).getPackage();
            return Optional.ofNullable(of).map(Package::getImplementationVersion);
        } catch (ClassNotFoundException | LinkageError unknown) {
            LOG.debug("The version of the application is not known", unknown);
            return Optional.empty();
        }
    }
}
