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
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.jms.JmsComponent;
import org.apache.camel.impl.DefaultCamelContext;

/** A node in a JVM of its own that consumes from any source, and can be killed. All of them write to one journal file. */
final class SourceChild implements AutoCloseable {

    /** One line of the journal: what a node did with a file, under which token. */
    record Line(String node, String what, String file, long token) {

        static Line parse(String text) {
            String[] parts = text.split(" ", -1);
            return new Line(parts[0], parts[1], parts[2], Long.parseLong(parts[3]));
        }
    }

    private final Process process;

    private SourceChild(Process process) {
        this.process = process;
    }

    /**
     * Starts one.
     *
     * @param store the URI of the store
     * @param home where its log goes, and the journal and the directory of files are
     * @param source the URI of its consumer
     * @param broker what {@code jms:} in that URI stands for, or empty
     * @param workMillis how long it works on each message
     */
    static SourceChild start(String label, String store, Path home, String source, String broker, int workMillis)
            throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return new SourceChild(new ProcessBuilder(
                        java.toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SourceChild.class.getName(),
                        label,
                        store,
                        home.toString(),
                        source,
                        broker,
                        Integer.toString(workMillis))
                .redirectErrorStream(true)
                .redirectOutput(home.resolve(label + ".log").toFile())
                .start());
    }

    static Path inbox(Path home) {
        return home.resolve("inbox");
    }

    /** What {@code #keys} stands for in the URI of a source. */
    static DirectoryRepository keys(Path home) throws IOException {
        return new DirectoryRepository(home.resolve("keys"));
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

    /** Ends it as a power failure would. */
    @Override
    public void close() {
        process.destroyForcibly();
    }

    // ---- in the child

    /** Runs until it is killed, or until whoever started it is gone. */
    public static void main(String[] arguments) throws Exception {
        DefaultCamelContext context =
                context(arguments[0], arguments[1], Path.of(arguments[2]), arguments[3], arguments[4], arguments[5]);
        context.start();
        int end = System.in.read();
        context.stop();
        System.exit(end);
    }

    /** The same node, not started, for a process that lives on. */
    static DefaultCamelContext context(
            String label, String store, Path home, String source, String broker, String workMillis) throws Exception {
        Duration work = Duration.ofMillis(Long.parseLong(workMillis));
        LeaseService leases = new LeaseService();
        leases.setStore(store);
        leases.setNode(label);
        leases.setApplication("children");
        leases.setTtl("2s");
        FileChannel journal = FileChannel.open(journalFile(home), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        DefaultCamelContext context = new DefaultCamelContext();
        context.disableJMX();
        context.getRegistry().bind("leases", leases);
        context.getRegistry().bind("keys", keys(home));
        if (!broker.isEmpty()) {
            JmsComponent jms = new JmsComponent();
            jms.setConnectionFactory(new ActiveMQConnectionFactory(broker));
            context.addComponent("jms", jms);
        }
        RouteBuilder.addRoutes(context, routes -> routes.from(source)
                .routeId("orders")
                .routePolicyRef("lease")
                .process(exchange -> {
                    note(journal, label, "begin", exchange);
                    Waiting.outlast(work);
                    note(journal, label, "end", exchange);
                }));
        return context;
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
