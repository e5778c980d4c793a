/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the documents point at is there. */
class DocumentsTest {

    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("(?s)^```.*?^```", Pattern.MULTILINE);
    private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);
    private static final Pattern JAVA_NAME = Pattern.compile("`([A-Z][A-Za-z0-9]+)(?:#([a-z][A-Za-z0-9_]*))?`");

    private static final List<Path> pages = new ArrayList<>();
    private static final Map<String, Path> sources = new HashMap<>();

    @BeforeAll
    static void findFiles() throws IOException {
        Files.walkFileTree(PROJECT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                boolean skipped = Set.of("target", ".git", ".mvn")
                        .contains(directory.getFileName().toString());
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                if (name.endsWith(".md")) {
                    pages.add(file);
                } else if (name.endsWith(".java")) {
                    sources.put(name.substring(0, name.length() - ".java".length()), file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @Test
    void linksLeadToFilesAndHeadings() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages) {
            String text = CODE.matcher(Files.readString(page)).replaceAll("");
            for (MatchResult link : LINK.matcher(text).results().toList()) {
                if (!link.group(1).contains("://") && !leadsSomewhere(page, link.group(1))) {
                    broken.add(PROJECT.relativize(page) + ": " + link.group(1));
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    private static boolean leadsSomewhere(Path page, String link) throws IOException {
        String[] parts = link.split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        return Files.exists(file)
                && (parts.length == 1 || anchors(Files.readString(file)).contains(parts[1]));
    }

    /** As GitHub makes them of headings. */
    private static Set<String> anchors(String text) {
        return HEADING.matcher(CODE.matcher(text).replaceAll(""))
                .results()
                .map(heading -> heading.group(1)
                        .trim()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @Test
    void whatMeetsARequirementExists() throws IOException {
        List<String> missing = new ArrayList<>();
        String page = Files.readString(PROJECT.resolve("docs/requirements.md"));
        for (MatchResult name : JAVA_NAME.matcher(page).results().toList()) {
            Path source = sources.get(name.group(1));
            boolean there = source != null
                    && (name.group(2) == null || Files.readString(source).contains("void " + name.group(2) + "("));
            if (!there) {
                missing.add(name.group());
            }
        }
        assertThat(missing).isEmpty();
    }
}
