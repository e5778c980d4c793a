/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.ChildCluster.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.camellease.policy.ChildNode.Line;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process that is frozen longer than its lease does not go on where it was when it thaws. */
@CaseTest
@Timeout(300)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no signals that freeze a process")
class FrozenHolderTest {

    private static final Duration TTL = Duration.ofSeconds(2);
    private static final int FILES = 20;

    @TempDir
    Path home;

    private MongoServer server;
    private String store;

    @BeforeEach
    void startStore() {
        server = new MongoServer(new MemoryBackend());
        store = server.bindAndGetConnectionString() + "/leases";
    }

    @AfterEach
    void stopStore() {
        server.shutdownNow();
    }

    private List<Line> lines(String node, String what) throws IOException {
        return ChildNode.journal(home).stream()
                .filter(line -> line.node().equals(node) && line.what().equals(what))
                .toList();
    }

    @Test
    void c16_aHolderThatWasFrozenEndsTheFileInFlightAndNoMore() throws Exception {
        try (ChildNode a = ChildNode.start("A", store, home)) {
            Feeder.drop(ChildNode.inbox(home), 0, 1);
            soon().until(() -> lines("A", "end").size() == 1);
            try (ChildNode b = ChildNode.start("B", store, home)) {
                Feeder.drop(ChildNode.inbox(home), 1, FILES);
                soon().until(() -> lines("A", "begin").size() == 4);

                a.freeze();
                List<Line> before = ChildNode.journal(home);
                int inFlight = lines("A", "begin").size() - lines("A", "end").size();
                soon().until(() -> lines("B", "begin").size() > 2);
                stays(TTL.multipliedBy(2), () -> ChildNode.journal(home).size() > before.size());
                a.thaw();
                stays(TTL, () -> since(before, "begin").size() <= 1 - inFlight);
                soon().until(() -> handled().size() == FILES);

                assertThat(since(before, "begin")).hasSizeLessThanOrEqualTo(1 - inFlight);
                assertThat(since(before, "end")).hasSizeLessThanOrEqualTo(1);
                assertThat(lines("B", "begin")).allSatisfy(line -> assertThat(line.token())
                        .isGreaterThan(lines("A", "begin").get(0).token()));
                assertThat(lines("A", "begin").size() + lines("B", "begin").size())
                        .isBetween(FILES, FILES + 1);

                b.close();
                Feeder.drop(ChildNode.inbox(home), FILES, FILES + 5);
                soon().until(() -> handled().size() == FILES + 5);
            }
        }
    }

    /** What A did after the journal had these lines. */
    private List<Line> since(List<Line> before, String what) throws IOException {
        return ChildNode.journal(home).stream()
                .skip(before.size())
                .filter(line -> line.node().equals("A") && line.what().equals(what))
                .toList();
    }

    private Set<String> handled() throws IOException {
        Set<String> files = new HashSet<>();
        ChildNode.journal(home).stream()
                .filter(line -> line.what().equals("end"))
                .forEach(line -> files.add(line.file()));
        return files;
    }
}
