/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.jms.JmsComponent;
import org.apache.camel.impl.DefaultCamelContext;

/** A node in a JVM of its own, which can be frozen, thawed and killed. All of them write to one journal file. */
final class ChildNode implements AutoCloseable {

    private static final Duration WORK = Duration.ofMillis(200);

    /** One line of the journal: what a node did with a file, under which token. */
    record Line(String node, String what, String file, long token) {

        static Line parse(String text) {
            String[] parts = text.split(" ", -1);
            return new Line(parts[0], parts[1], parts[2], Long.parseLong(parts[3]));
        }
    }

    private final Process process;

    private ChildNode(Process process) {
        this.process = process;
    }

    /**
     * Starts one.
     *
     * @param store the URI of the store
     * @param home where its log goes, and the journal and the directory of files are
     */
    static ChildNode start(String label, String store, Path home) throws IOException {
        return start(label, store, home, "file:" + inbox(home) + "?initialDelay=0&delay=20&delete=true", "");
    }

    /**
     * Starts one that consumes from somewhere else.
     *
     * @param source the URI of its consumer
     * @param broker what {@code jms:} in that URI stands for
     */
    static ChildNode start(String label, String store, Path home, String source, String broker) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return new ChildNode(new ProcessBuilder(
                        java.toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ChildNode.class.getName(),
                        label,
                        store,
                        home.toString(),
                        source,
                        broker)
                .redirectErrorStream(true)
                .redirectOutput(home.resolve(label + ".log").toFile())
                .start());
    }

    static Path inbox(Path home) {
        return home.resolve("inbox");
    }

    static List<Line> journal(Path home) throws IOException {
        Path file = journalFile(home);
        return Files.exists(file)
                ? Files.readAllLines(file).stream().map(Line::parse).toList()
                : List.of();
    }

    private static Path journalFile(Path home) {
        return home.resolve("journal");
    }

    void freeze() throws Exception {
        signal("-STOP");
    }

    void thaw() throws Exception {
        signal("-CONT");
    }

    private void signal(String signal) throws Exception {
        Process kill = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start();
        if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new IllegalStateException("kill " + signal + " failed");
        }
    }

    /** Ends it as a power failure would. */
    @Override
    public void close() {
        process.destroyForcibly();
    }

    // ---- in the child

    /** Runs until it is killed, or until whoever started it is gone. */
    public static void main(String[] arguments) throws Exception {
        String label = arguments[0];
        Path home = Path.of(arguments[2]);
        LeaseService leases = new LeaseService();
        leases.setStore(arguments[1]);
        leases.setNode(label);
        leases.setApplication("children");
        leases.setTtl("2s");
        FileChannel journal = FileChannel.open(journalFile(home), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        DefaultCamelContext context = new DefaultCamelContext();
        context.disableJMX();
        context.getRegistry().bind("leases", leases);
        if (!arguments[4].isEmpty()) {
            JmsComponent jms = new JmsComponent();
            jms.setConnectionFactory(new ActiveMQConnectionFactory(arguments[4]));
            context.addComponent("jms", jms);
        }
        RouteBuilder.addRoutes(context, routes -> routes.from(arguments[3])
                .routeId("orders")
                .routePolicyRef("lease")
                .process(exchange -> {
                    note(journal, label, "begin", exchange);
                    Waiting.outlast(WORK);
                    note(journal, label, "end", exchange);
                }));
        context.start();
        int end = System.in.read();
        context.stop();
        System.exit(end);
    }

    private static void note(FileChannel journal, String label, String what, Exchange exchange) {
        String file = exchange.getIn().getHeader(Exchange.FILE_NAME, String.class);
        String line = label + " " + what + " "
                + (file != null ? file : exchange.getIn().getBody(String.class)) + " "
                + exchange.getProperty(LeaseConstants.LEASE_TOKEN) + "\n";
        try {
            journal.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
