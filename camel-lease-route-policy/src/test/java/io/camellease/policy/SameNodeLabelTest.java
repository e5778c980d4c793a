/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.ChildCluster.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two machines that were set up from one image call themselves the same. */
@CaseTest
@Timeout(300)
class SameNodeLabelTest {

    private static final Duration TTL = Duration.ofSeconds(2);
    private static final String NAMESAKE = "uses the node label 'app-1'";

    @TempDir
    Path home;

    @Test
    void c38_oneOfTwoNodesOfOneLabelIsActiveAndTheOtherSaysSo() throws Exception {
        try (ChildCluster children = new ChildCluster(home)) {
            Feeder.drop(children.inbox(), 0, 3);
            ChildNode a = children.start(children.plan("A")
                    .set("node", "app-1")
                    .set("workMillis", 20)
                    .set("ttl", "6s"));
            soon().until(() -> children.ended("A").size() == 3);
            HolderId holder = children.record("orders").holder().orElseThrow();
            ChildNode b = children.start(children.plan("B")
                    .set("node", "app-1")
                    .set("workMillis", 20)
                    .set("ttl", "6s"));
            soon().until(() -> !b.log("WARN", NAMESAKE).isEmpty());

            long seq = children.record("orders").seq();
            Feeder.drop(children.inbox(), 3, 10);
            stays(
                    TTL.multipliedBy(2),
                    () -> children.record("orders").holder().orElseThrow().equals(holder));
            soon().until(() -> children.handled().size() == 10);

            assertThat(children.record("orders").seq()).isGreaterThan(seq);
            assertThat(children.begun("B")).isEmpty();
            assertThat(b.log("WARN", NAMESAKE, holder.value(), "children/orders"))
                    .hasSize(1);
            assertThat(b.log("WARN", NAMESAKE)).hasSize(1);
            assertThat(a.log(NAMESAKE)).isEmpty();

            a.close();
            Feeder.drop(children.inbox(), 10, 12);
            soon().until(() -> children.handled().size() == 12);
            children.assertNoOverlap();
        }
    }

    @Test
    void aNodeThatWasKilledAndIsStartedAgainDoesNotTakeItsFormerSelfForAnother() throws Exception {
        try (ChildCluster children = new ChildCluster(home)) {
            Feeder.drop(children.inbox(), 0, 1);
            ChildNode former =
                    children.start(children.plan("A").set("node", "app-1").set("ttl", "6s"));
            soon().until(() -> children.ended("A").size() == 1);
            former.close();
            former.awaitEnd(Duration.ofSeconds(10));

            ChildNode again =
                    children.start(children.plan("B").set("node", "app-1").set("ttl", "6s"));
            Feeder.drop(children.inbox(), 1, 2);
            soon().until(() -> children.ended("B").size() == 1);

            assertThat(again.log(NAMESAKE)).isEmpty();
            children.assertNoOverlap();
        }
    }
}
