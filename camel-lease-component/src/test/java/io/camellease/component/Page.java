/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** A page of the documentation: its examples, word for word, and its tables. */
final class Page {

    private final String name;
    private final String text;

    /** @param name path in the project */
    Page(String name) {
        this.name = name;
        try {
            text = Files.readString(Path.of("..", name));
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
            throw new AssertionError(name + ": no " + language + " block below '" + heading + "'");
        }
        return matcher.group(1);
    }

    /** The names in the first column of the first table after the heading. */
    List<String> firstColumn(String heading) {
        Matcher section = Pattern.compile("^#+ " + Pattern.quote(heading) + "\\n\\n((?:\\|.*\\n)+)", Pattern.MULTILINE)
                .matcher(text);
        if (!section.find()) {
            throw new AssertionError(name + ": no table below '" + heading + "'");
        }
        List<String> names = new ArrayList<>();
        section.group(1).lines().skip(2).forEach(row -> {
            Matcher cell = Pattern.compile("`([^`]+)`").matcher(row.split("\\|", -1)[1]);
            while (cell.find()) {
                names.add(cell.group(1));
            }
        });
        return names;
    }

    /** Compiles the Java block below a heading into the directory, and loads it. */
    Class<?> compile(Path directory, String heading, String className) throws Exception {
        Path source = Files.writeString(directory.resolve(className + ".java"), block(heading, "java"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String classPath = System.getProperty("java.class.path") + File.pathSeparator + directory;
        int status = compiler.run(null, null, null, "-proc:none", "-cp", classPath, source.toString());
        assertThat(status).as("exit status of the compiler").isZero();
        URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()});
        return loader.loadClass(className);
    }
}
