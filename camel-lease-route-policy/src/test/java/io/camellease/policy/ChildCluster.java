/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static org.assertj.core.api.Assertions.assertThat;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.core.LeaseStores;
import io.camellease.policy.ChildNode.Line;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ConditionFactory;

/** Nodes in JVMs of their own that share a store, which runs in this JVM, and a journal. Ends them all when it is closed. */
final class ChildCluster implements AutoCloseable {

    private static final Duration LONGEST = Duration.ofSeconds(60);

    final Path home;
    final String storeUri;
    private final MongoServer server = new MongoServer(new MemoryBackend());
    private final LeaseStore store;
    private final List<ChildNode> children = new CopyOnWriteArrayList<>();

    /** @param home an empty directory for journal, logs and files */
    ChildCluster(Path home) {
        this.home = home;
        storeUri = server.bindAndGetConnectionString() + "/leases";
        store = open(storeUri);
    }

    /** As {@link Waiting#soon()}, for what a process does that may have to be started first. */
    static ConditionFactory soon() {
        return Waiting.within(LONGEST);
    }

    static LeaseStore open(String uri) {
        LeaseStoreOptions options =
                new LeaseStoreOptions(uri, Duration.ofSeconds(10), Optional.empty(), Optional.empty(), Map.of());
        return LeaseStores.forUri(options, ChildCluster.class.getClassLoader()).open(options);
    }

    int storePort() {
        return server.getLocalAddress().getPort();
    }

    ChildNode.Plan plan(String label) {
        return ChildNode.plan(label, storeUri, home);
    }

    ChildNode start(ChildNode.Plan plan) throws IOException {
        ChildNode child = plan.start();
        children.add(child);
        return child;
    }

    ChildNode start(String label) throws IOException {
        return start(plan(label));
    }

    Path inbox() {
        return ChildNode.inbox(home);
    }

    List<Line> journal() {
        try {
            return ChildNode.journal(home);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    List<Line> begun(String node) {
        return lines(node, "begin");
    }

    List<Line> ended(String node) {
        return lines(node, "end");
    }

    private List<Line> lines(String node, String what) {
        return journal().stream()
                .filter(line -> line.node().equals(node) && line.what().equals(what))
                .toList();
    }

    /** The files whose work was ended by any node. */
    Set<String> handled() {
        Set<String> files = new HashSet<>();
        journal().stream().filter(line -> line.what().equals("end")).forEach(line -> files.add(line.file()));
        return files;
    }

    LeaseRecord record(String routeId) {
        LeaseName name = new LeaseName("children/" + routeId);
        return Objects.requireNonNull(store.find(List.of(name)).records().get(name));
    }

    /** Nothing was let in under a token after something was let in under a larger one; no two nodes had one token. */
    void assertNoOverlap() {
        List<Line> begun = journal().stream()
                .filter(line -> line.what().equals("begin"))
                .sorted(Comparator.comparingLong(Line::checkedAt))
                .toList();
        for (int i = 1; i < begun.size(); i++) {
            Line before = begun.get(i - 1);
            Line line = begun.get(i);
            assertThat(line.token()).as("token of %s after %s", line, before).isGreaterThanOrEqualTo(before.token());
            assertThat(line.token() > before.token() || line.node().equals(before.node()))
                    .as("one token on one node: %s after %s", line, before)
                    .isTrue();
        }
    }

    @Override
    public void close() {
        children.forEach(ChildNode::close);
        store.close();
        server.shutdownNow();
    }
}
