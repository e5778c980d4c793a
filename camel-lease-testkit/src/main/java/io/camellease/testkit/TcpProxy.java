/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stands between a process and a server on the same host, and disturbs the link between them. Passes everything on at first. Thread-safe. */
public final class TcpProxy implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TcpProxy.class);
    private static final int BACKLOG = 50;
    private static final int BUFFER_BYTES = 8192;

    /** What happens to the bytes of one direction. */
    private enum Flow {
        OPEN,
        FROZEN
    }

    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Lock lock = new ReentrantLock();
    private final Condition thawed = lock.newCondition();
    private final ServerSocket listener;
    private final int target;
    private Flow requests = Flow.OPEN;
    private Flow replies = Flow.OPEN;
    private volatile boolean refusing;

    /**
     * A proxy on a free port of the loopback interface.
     *
     * @param target a port of this host, 1 to 65535
     */
    public TcpProxy(int target) throws IOException {
        this.target = target;
        listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** Host and port to connect to. */
    public String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    /**
     * Stops forwarding, in both directions and without closing anything, as a cut cable would. Goes on accepting connections, as
     * the kernel of a stopped process does.
     */
    public void freeze() {
        set(Flow.FROZEN, Flow.FROZEN);
    }

    /** Goes on delivering requests, but no reply. */
    public void freezeReplies() {
        set(Flow.OPEN, Flow.FROZEN);
    }

    /** Delivers all that was held back and goes on as at first. */
    public void thaw() {
        set(Flow.OPEN, Flow.OPEN);
    }

    /** Resets all connections, and every new one as soon as it is made, until {@link #admit}. */
    public void refuse() {
        refusing = true;
        cut();
    }

    /** Lets new connections be made again. */
    public void admit() {
        refusing = false;
    }

    /** Resets all connections. New ones can be made. */
    public void cut() {
        sockets.forEach(TcpProxy::reset);
        sockets.clear();
    }

    private void set(Flow newRequests, Flow newReplies) {
        lock.lock();
        try {
            requests = newRequests;
            replies = newReplies;
            thawed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            if (refusing) {
                reset(client);
            } else {
                connect(client);
            }
        }
    }

    private void connect(Socket client) {
        sockets.add(client);
        start(() -> {
            if (refusing) {
                reset(client);
            }
            try (client;
                    Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
                sockets.add(server);
                start(() -> pump(server, client, true));
                pump(client, server, false);
                sockets.remove(server);
            } finally {
                sockets.remove(client);
            }
        });
    }

    private void pump(Socket from, Socket to, boolean reply) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                awaitThawed(reply);
                out.write(buffer, 0, count);
            }
        }
    }

    private void awaitThawed(boolean reply) {
        lock.lock();
        try {
            while ((reply ? replies : requests) == Flow.FROZEN) {
                thawed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private static void reset(Socket socket) {
        try {
            // closes with a reset instead of a proper end
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException gone) {
            LOG.trace("a connection was gone before it could be reset", gone);
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
                        LOG.trace("one side closed the connection, or the test the proxy", closed);
                    }
                },
                "tcp-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    /** Resets all connections, and refuses new ones. */
    @Override
    public void close() {
        thaw();
        try {
            listener.close();
        } catch (IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
        cut();
    }
}
