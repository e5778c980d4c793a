/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Stands between a client and a server of one port, and can keep what they send for itself. Thread-safe. */
final class TcpProxy implements AutoCloseable {

    private static final int BUFFER_BYTES = 8192;

    private final ServerSocket server;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition thawed = lock.newCondition();
    private boolean frozen;

    TcpProxy(int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        background(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** From now on nothing arrives, and nothing is refused. */
    void freeze() {
        setFrozen(true);
    }

    /** Hands over all that was kept. */
    void thaw() {
        setFrozen(false);
    }

    private void setFrozen(boolean now) {
        lock.lock();
        try {
            frozen = now;
            thawed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void awaitThaw() {
        lock.lock();
        try {
            while (frozen) {
                thawed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private void accept() {
        try {
            while (!server.isClosed()) {
                Socket client = server.accept();
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(client);
                sockets.add(upstream);
                background(() -> copy(client, upstream));
                background(() -> copy(upstream, client));
            }
        } catch (IOException closed) {
            disconnect();
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (from;
                to) {
            for (int n = from.getInputStream().read(buffer);
                    n >= 0;
                    n = from.getInputStream().read(buffer)) {
                awaitThaw();
                to.getOutputStream().write(buffer, 0, n);
                to.getOutputStream().flush();
            }
        } catch (IOException closed) {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private static void background(Runnable work) {
        Thread thread = new Thread(work, "test-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    /** Cuts all connections there are. */
    void disconnect() {
        sockets.forEach(TcpProxy::cut);
        sockets.clear();
    }

    private static void cut(Socket socket) {
        try {
            socket.close();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        thaw();
        disconnect();
    }
}
