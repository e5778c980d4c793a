/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles and loads Java text. */
final class JavaSource {

    private JavaSource() {}

    /** Compiles one class into the directory, where classes compiled before are found. */
    static Class<?> compile(Path directory, String className, String text) throws Exception {
        Path source = Files.writeString(directory.resolve(className + ".java"), text);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String classPath = System.getProperty("java.class.path") + File.pathSeparator + directory;
        int status = compiler.run(null, null, null, "-proc:none", "-cp", classPath, source.toString());
        assertThat(status).as("exit status of the compiler").isZero();
        URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()});
        return loader.loadClass(className);
    }
}
