/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A server that several runners share: whoever comes first starts it, and it ends by itself when nobody needs it any more.
 * Confined to one thread.
 */
final class SharedServer {

    private static final int CONNECT_MILLIS = 2000;

    private final Workspace workspace;
    private final String name;
    private final PrintStream out;

    SharedServer(Workspace workspace, String name, PrintStream out) {
        this.workspace = workspace;
        this.name = name;
        this.out = out;
    }

    /** How the server is reached that is there already, else a new one; the lock keeps two runners from starting one each. */
    String uri(ProcessBuilder command) throws IOException, InterruptedException {
        try (FileChannel lock = FileChannel.open(
                workspace.directory().resolve(name + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            lock.lock();
            if (!answers(workspace.uri(name))) {
                Files.deleteIfExists(workspace.uri(name));
                Cluster.awaitUri(workspace, new Child(name, command.start()));
            }
            return Files.readString(workspace.uri(name));
        }
    }

    private boolean answers(Path uriFile) throws IOException {
        if (!Files.exists(uriFile)) {
            return false;
        }
        URI uri = URI.create(Files.readString(uriFile));
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()), CONNECT_MILLIS);
            return true;
        } catch (IOException refused) {
            out.println("the " + name + " of an earlier run is gone (" + refused.getMessage() + "); starting another");
            return false;
        }
    }
}
