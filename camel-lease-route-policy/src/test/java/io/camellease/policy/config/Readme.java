/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The examples of a document, word for word but for what cannot be the same in a test: directory and database. */
final class Readme {

    private static final Pattern DATABASE = Pattern.compile("mongodb://[^\\s\"]*");

    private final Path directory;
    private final String text;

    Readme(Path directory) {
        this(directory, "README.md");
    }

    /** A document other than the README, by its path in the project. */
    Readme(Path directory, String document) {
        this.directory = directory;
        this.text = read(Path.of("..", document));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The first block of the language after the heading. */
    String block(String heading, String language) {
        Matcher matcher = Pattern.compile(
                        "^#+ " + Pattern.quote(heading) + "$.*?^```" + language + "\\n(.*?)^```$",
                        Pattern.DOTALL | Pattern.MULTILINE)
                .matcher(text);
        if (!matcher.find()) {
            throw new AssertionError("README: no " + language + " block below '" + heading + "'");
        }
        String block = matcher.group(1);
        return DATABASE.matcher(block).replaceAll("memory:readme").replace("/srv/orders", directory.toString());
    }

    /** A YAML block in the words of the Camel version under test: 4.22 renamed one attribute. */
    String yaml(String heading) {
        boolean old = System.getProperty("camel.version", "").startsWith("4.18");
        return block(heading, "yaml").replaceAll("routePolicy(Ref)?: ", old ? "routePolicy: " : "routePolicyRef: ");
    }
}
