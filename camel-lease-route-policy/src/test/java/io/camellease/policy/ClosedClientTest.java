/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseStore;
import io.camellease.testkit.TcpProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The application closes its database client before the routes have stopped. */
@CaseTest
class ClosedClientTest {

    private static final Duration TTL = Duration.ofSeconds(5);
    private static final List<String> ROUTES =
            IntStream.range(0, 5).mapToObj(i -> "closedClient" + i).toList();

    @RegisterExtension
    final MongoLinks links = new MongoLinks();

    @RegisterExtension
    final Cluster cluster = new Cluster();

    @TempDir
    Path directory;

    private Node node(String label, LeaseStore store) throws Exception {
        Node node = cluster.node(label, store).ttl(TTL);
        for (String route : ROUTES) {
            node.files(route, directory.resolve(route), () -> {});
        }
        return node.start();
    }

    private static boolean holdsAll(Node node) {
        return ROUTES.stream().allMatch(node::holds);
    }

    @Test
    void c76_aClientThatIsClosedTooSoonCostsOneWarningAndOneTtl() throws Exception {
        TcpProxy link = links.link();
        try (MongoClient client = MongoClients.create(MongoLinks.uri(link))) {
            Node a = node("A", MongoLinks.storeOver(client, TTL.dividedBy(10)));
            soon().until(() -> holdsAll(a));
            Node b = node("B", links.store(links.link(), TTL.dividedBy(10)));
            soon().until(() -> b.events(LeaseEvent.HolderChanged.class).size() == ROUTES.size());

            LogLines log = LogLines.open();
            client.close();
            long closedAt = System.nanoTime();
            a.close();
            Duration stopping = Duration.ofNanos(System.nanoTime() - closedAt);
            log.close();
            soon().until(() -> holdsAll(b));
            Duration takeover = Duration.ofNanos(System.nanoTime() - closedAt);

            System.out.printf(
                    "[lease figures] C76: client closed first: stopped after %d ms, taken over after %d ms%n",
                    stopping.toMillis(), takeover.toMillis());
            assertThat(stopping).isLessThan(Duration.ofSeconds(5));
            assertThat(log.of(Level.WARN, link.address())).hasSize(1);
            assertThat(log.of(Level.WARN, link.address(), "state should be: open"))
                    .hasSize(1);
            assertThat(log.of(Level.ERROR, link.address())).isEmpty();
            assertThat(log.thrownOf(Level.INFO, link.address())).isEmpty();
        }
    }
}
