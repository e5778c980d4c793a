/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.chaos.Passage.Mode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Stands between a client and a server that speaks MongoDB's protocol, and can spoil what passes. What was sent before the
 * client gave up is still delivered, as a network would. Thread-safe.
 */
final class TcpProxy implements AutoCloseable {

    private static final int BACKLOG = 100;
    private static final int CHUNK_BYTES = 16 * 1024;
    private static final long REBIND_MILLIS = 50;
    private static final int REBIND_TRIES = 100;
    private static final int CONNECT_MILLIS = 2000;

    /** Message header, flags, kind of section, length of the document, type of its first field: then follows its name. */
    private static final int COMMAND_NAME_AT = 16 + 4 + 1 + 4 + 1;

    private static final List<byte[]> WRITES = List.of(
            "update\0".getBytes(StandardCharsets.US_ASCII), "findAndModify\0".getBytes(StandardCharsets.US_ASCII));

    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean dropsNextReply = new AtomicBoolean();
    private final Passage passage = new Passage();
    private final int port;
    private final Runnable onDropped;

    private volatile Thread acceptor;
    private volatile ServerSocket listener;
    private volatile InetSocketAddress target;

    /**
     * A proxy at a free port of the loopback interface.
     *
     * @param onDropped is run, on a thread of the proxy, when the reply to a write was dropped
     */
    TcpProxy(InetSocketAddress target, Runnable onDropped) throws IOException {
        this.target = target;
        this.onDropped = onDropped;
        listener = listen(0);
        port = listener.getLocalPort();
        acceptor = acceptAll(listener);
    }

    /** Host and port. */
    String address() {
        return "127.0.0.1:" + port;
    }

    /** From now on new connections go there. */
    void target(InetSocketAddress newTarget) {
        target = newTarget;
    }

    void refuse() throws IOException, InterruptedException {
        listener.close();
        // until the thread has left its system call, the kernel goes on accepting
        acceptor.join(REBIND_TRIES * REBIND_MILLIS);
        cutAll();
    }

    void blackhole() {
        passage.set(Mode.SHUT);
    }

    void delay(Duration delay) {
        passage.late(delay);
    }

    void dropReplies() {
        passage.set(Mode.NO_REPLIES);
    }

    void dropReplyToNextWrite() {
        dropsNextReply.set(true);
    }

    /** Lets everything pass again. */
    void heal() throws IOException, InterruptedException {
        dropsNextReply.set(false);
        if (listener.isClosed()) {
            listener = listenAgain();
            acceptor = acceptAll(listener);
        }
        connections.stream().filter(connection -> connection.lacksReplies).forEach(Connection::cut);
        passage.set(Mode.OPEN);
    }

    /** Resets all connections there are. */
    void cutAll() {
        connections.forEach(Connection::cut);
    }

    @Override
    public void close() throws IOException {
        passage.set(Mode.ENDED);
        listener.close();
        cutAll();
    }

    private static ServerSocket listen(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        return socket;
    }

    private ServerSocket listenAgain() throws IOException, InterruptedException {
        for (int i = 1; i < REBIND_TRIES; i++) {
            try {
                return listen(port);
            } catch (IOException taken) {
                Thread.sleep(REBIND_MILLIS);
            }
        }
        return listen(port);
    }

    private Thread acceptAll(ServerSocket socket) {
        return start(() -> {
            while (true) {
                new Connection(socket.accept()).begin();
            }
        });
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private static Thread start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException closed) {
                        // One side closed the connection, or the run the proxy: this pair is done.
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                },
                "tcp-proxy");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Two sockets and what passes between them. */
    private final class Connection {
        private final Socket client;
        private final Socket server = new Socket();
        private volatile boolean lacksReplies;
        private volatile boolean dropsReply;

        private Connection(Socket client) {
            this.client = client;
        }

        private void begin() throws IOException {
            connections.add(this);
            start(() -> {
                try {
                    client.setTcpNoDelay(true);
                    server.setTcpNoDelay(true);
                    server.connect(target, CONNECT_MILLIS);
                    start(() -> pumpAll(server, client, true));
                } catch (IOException unreachable) {
                    cut();
                    return;
                }
                pumpAll(client, server, false);
            });
        }

        private void pumpAll(Socket from, Socket to, boolean isReply) throws IOException, InterruptedException {
            try {
                pump(from.getInputStream(), to.getOutputStream(), isReply);
            } finally {
                cut();
            }
        }

        private void pump(InputStream in, OutputStream out, boolean isReply) throws IOException, InterruptedException {
            byte[] buffer = new byte[CHUNK_BYTES];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                Mode now = passage.await();
                if (!isReply && isWrite(buffer, count) && dropsNextReply.compareAndSet(true, false)) {
                    dropsReply = true;
                }
                if (isReply && dropsReply) {
                    onDropped.run();
                    return;
                }
                if (isReply && now == Mode.NO_REPLIES) {
                    lacksReplies = true;
                } else {
                    out.write(buffer, 0, count);
                }
            }
        }

        private void cut() {
            connections.remove(this);
            reset(client);
            reset(server);
        }
    }

    private static boolean isWrite(byte[] message, int count) {
        return WRITES.stream().anyMatch(name -> {
            int end = COMMAND_NAME_AT + name.length;
            return end <= count && Arrays.equals(message, COMMAND_NAME_AT, end, name, 0, name.length);
        });
    }

    /** Closes with a reset, as the kernel of a killed process may. */
    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException closed) {
            // It was closed already.
        }
    }
}
