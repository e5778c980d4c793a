/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Lets the runner start an example, and its server, on their own class paths as their build left them. All of them on one class
 * path would be one application with the routes of all. For one test at a time.
 */
final class BuiltExample implements AutoCloseable {

    BuiltExample(Example example) throws IOException {
        System.setProperty(Commands.NODE_CLASS_PATH, classPath(example.title()));
        System.setProperty(Commands.SERVER_CLASS_PATH, classPath("servers"));
    }

    private static String classPath(String module) throws IOException {
        Path target = Path.of("..", module, "target").toAbsolutePath();
        return target.resolve("classes") + File.pathSeparator + Files.readString(target.resolve("classpath"));
    }

    @Override
    public void close() {
        System.clearProperty(Commands.NODE_CLASS_PATH);
        System.clearProperty(Commands.SERVER_CLASS_PATH);
    }
}
