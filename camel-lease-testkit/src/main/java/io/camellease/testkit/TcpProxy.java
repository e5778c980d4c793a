/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stands between a client and a server and can stop forwarding, in both directions and without closing anything, as a stopped
 * process or a cut cable would. Goes on accepting connections meanwhile, as the kernel of a stopped process does. Thread-safe.
 */
final class TcpProxy implements AutoCloseable {

    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Lock lock = new ReentrantLock();
    private final Condition thawed = lock.newCondition();
    private final ServerSocket listener;
    private final int target;
    private boolean frozen;

    /** @param target a port of this host */
    TcpProxy(int target) throws IOException {
        this.target = target;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** Host and port. */
    String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    void freeze() {
        setFrozen(true);
    }

    void thaw() {
        setFrozen(false);
    }

    private void setFrozen(boolean value) {
        lock.lock();
        try {
            frozen = value;
            thawed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            sockets.add(client);
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(server);
            start(() -> pump(client, server));
            start(() -> pump(server, client));
        }
    }

    private void pump(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                awaitThawed();
                out.write(buffer, 0, count);
            }
        }
    }

    private void awaitThawed() {
        lock.lock();
        try {
            while (frozen) {
                thawed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException closed) {
                        // The other side closed the connection, or the test the proxy: this pair is done.
                    }
                },
                "tcp-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        thaw();
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }
}
