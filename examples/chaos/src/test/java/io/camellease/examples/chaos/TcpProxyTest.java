/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that sends back what it gets, and each fault between it and a client. */
@Timeout(60)
class TcpProxyTest {

    private static final int PATIENCE_MILLIS = 10_000;

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final AtomicInteger dropped = new AtomicInteger();
    private ServerSocket server;
    private TcpProxy proxy;
    private Socket client;

    @BeforeEach
    void start() throws Exception {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(() -> {
            while (true) {
                Socket accepted = server.accept();
                daemon(() -> echo(accepted));
            }
        });
        proxy = new TcpProxy(
                new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), dropped::incrementAndGet);
        client = connect();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        proxy.close();
        server.close();
    }

    @Test
    void letsEverythingPass() throws Exception {
        send(client, "one");

        assertThat(receive(client)).isEqualTo("one");
    }

    @Test
    void refusesAndCutsUntilItIsHealed() throws Exception {
        send(client, "one");
        assertThat(receive(client)).isEqualTo("one");

        proxy.refuse();

        assertThat(isCut(client)).isTrue();
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);

        proxy.heal();
        try (Socket again = connect()) {
            send(again, "two");
            assertThat(receive(again)).isEqualTo("two");
        }
    }

    @Test
    void keepsWhatIsSentIntoABlackHoleAndDeliversItLate() throws Exception {
        proxy.blackhole();
        send(client, "one");

        assertThatThrownBy(() -> receive(client, 200)).isInstanceOf(SocketTimeoutException.class);
        assertThat(received).isEmpty();

        proxy.heal();
        assertThat(receive(client)).isEqualTo("one");
    }

    @Test
    void deliversLateWhatAClientSentThatHasGoneMeanwhile() throws Exception {
        proxy.delay(Duration.ofMillis(500));
        send(client, "one");
        client.close();

        assertThat(received.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo("one");
    }

    @Test
    void delaysBothDirections() throws Exception {
        proxy.delay(Duration.ofMillis(150));
        long begun = System.nanoTime();
        send(client, "one");

        assertThat(receive(client)).isEqualTo("one");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }

    @Test
    void halfOpenDeliversRequestsAndNoReplies() throws Exception {
        proxy.dropReplies();
        send(client, "one");

        assertThat(received.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo("one");
        assertThatThrownBy(() -> receive(client, 200)).isInstanceOf(SocketTimeoutException.class);

        proxy.heal();
        assertThat(isCut(client)).isTrue();
        try (Socket again = connect()) {
            send(again, "two");
            assertThat(receive(again)).isEqualTo("two");
        }
    }

    @Test
    void dropsTheReplyToTheNextWriteAndNoOther() throws Exception {
        proxy.dropReplyToNextWrite();
        send(client, command("find"));
        assertThat(receive(client)).isEqualTo(command("find"));

        send(client, command("findAndModify"));
        assertThat(isCut(client)).isTrue();
        assertThat(received).contains(command("findAndModify"));
        assertThat(dropped).hasValue(1);

        try (Socket again = connect()) {
            send(again, command("update"));
            assertThat(receive(again)).isEqualTo(command("update"));
        }
    }

    @Test
    void aServerThatIsAwayIsAResetConnection() throws Exception {
        server.close();

        try (Socket other = connect()) {
            assertThat(isCut(other)).isTrue();
        }
    }

    /** The first bytes of a message of MongoDB's protocol, as far as the proxy looks: 26 bytes, then the command's name. */
    private static String command(String name) {
        return "x".repeat(26) + name + "\0";
    }

    private Socket connect() throws IOException {
        String[] address = proxy.address().split(":");
        return new Socket(address[0], Integer.parseInt(address[1]));
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String receive(Socket socket) throws IOException {
        return receive(socket, PATIENCE_MILLIS);
    }

    private static String receive(Socket socket, int millis) throws IOException {
        socket.setSoTimeout(millis);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[100];
        int count = socket.getInputStream().read(buffer);
        bytes.write(buffer, 0, Math.max(0, count));
        return bytes.toString(StandardCharsets.US_ASCII);
    }

    /** Whether the other side ends the connection before the patience does. */
    private static boolean isCut(Socket socket) throws IOException {
        socket.setSoTimeout(PATIENCE_MILLIS);
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException silent) {
            return false;
        } catch (SocketException reset) {
            return true;
        }
    }

    private void echo(Socket socket) throws IOException {
        try (socket) {
            byte[] buffer = new byte[100];
            int count;
            while ((count = socket.getInputStream().read(buffer)) >= 0) {
                received.add(new String(buffer, 0, count, StandardCharsets.US_ASCII));
                socket.getOutputStream().write(buffer, 0, count);
            }
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void daemon(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException closed) {
                // The test is over, or the proxy cut the connection.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
