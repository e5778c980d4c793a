/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.main.Main;

/** The application of a {@link ChildNode}: what a team would write, configured by system properties. */
final class ChildMain extends RouteBuilder {

    static final String PREFIX = "child.";

    /** As the store's URI: a store in the same process, whose URI is written to a file of that name. */
    static final String EMBEDDED = "embedded";

    private final String label = setting("label", "");
    private final Path home = Path.of(setting("home", ""));
    private final Duration work = Duration.ofMillis(Long.parseLong(setting("workMillis", "200")));
    private final FileChannel journal;

    private ChildMain() throws IOException {
        journal = FileChannel.open(ChildNode.journalFile(home), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String setting(String key, String otherwise) {
        return System.getProperty(PREFIX + key, otherwise);
    }

    /** Runs until it is asked to end, or until whoever started it is gone. */
    public static void main(String[] arguments) throws Exception {
        endWithParent();
        ChildMain routes = new ChildMain();
        Main main = new Main();
        main.bind("leases", routes.leases());
        main.configure().setJmxEnabled(false);
        main.configure().setShutdownTimeout(10);
        main.configure().addRoutesBuilder(routes);
        System.exit(main.run(arguments));
    }

    private static void endWithParent() {
        Thread watch = new Thread(
                () -> {
                    try {
                        Runtime.getRuntime().halt(System.in.read());
                    } catch (IOException gone) {
                        Runtime.getRuntime().halt(1);
                    }
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private LeaseService leases() throws IOException {
        LeaseService leases = new LeaseService();
        leases.setStore(store());
        leases.setNode(setting("node", label));
        leases.setApplication("children");
        leases.setTtl(setting("ttl", "2s"));
        return leases;
    }

    private String store() throws IOException {
        String store = setting("store", "");
        if (!store.equals(EMBEDDED)) {
            return store;
        }
        String uri = new MongoServer(new MemoryBackend()).bindAndGetConnectionString() + "/leases";
        Files.writeString(home.resolve(EMBEDDED), uri);
        return uri;
    }

    @Override
    public void configure() {
        orders("orders");
        for (int i = 1; i < Integer.parseInt(setting("leases", "1")); i++) {
            orders("orders-" + i);
        }
        int burners = Integer.parseInt(setting("burners", "0"));
        if (burners > 0) {
            burn(burners);
        }
    }

    /** One lease and one directory a route; those of the first have no number. */
    private void orders(String routeId) {
        from("file:" + ChildNode.inbox(home).resolveSibling(routeId.replace("orders", "inbox"))
                        + "?initialDelay=0&delay=20&delete=true")
                .routeId(routeId)
                .routePolicyRef("lease")
                .process(exchange -> {
                    note("begin", exchange);
                    Waiting.outlast(work);
                    note("end", exchange);
                });
    }

    /** A leased route that keeps so many threads busy. */
    private void burn(int threads) {
        from("timer:burn?delay=0&period=1")
                .routeId("burn")
                .routePolicyRef("lease")
                .threads(threads, threads)
                .maxQueueSize(threads)
                .process(exchange -> {
                    long until = System.nanoTime() + Duration.ofMillis(50).toNanos();
                    while (System.nanoTime() - until < 0) {
                        Thread.onSpinWait();
                    }
                });
    }

    private void note(String what, Exchange exchange) {
        String line = String.join(
                        " ",
                        label,
                        what,
                        exchange.getIn().getHeader(Exchange.FILE_NAME, String.class),
                        exchange.getProperty(LeaseConstants.LEASE_TOKEN, String.class),
                        exchange.getProperty(LeaseConstants.LEASE_CHECKED_AT, String.class),
                        Long.toString(System.nanoTime()))
                + "\n";
        try {
            journal.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
