/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.ChildCluster.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.policy.ChildNode.Line;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole processes stand still: all at once, or again and again. */
@CaseTest
@Timeout(300)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no signals that freeze a process")
class PausedNodesTest {

    private static final int FILES = 40;

    @TempDir
    Path home;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bothNodesAreFrozenForLongerThanTheTtlAndWokenOneAfterTheOther(boolean holderFirst) throws Exception {
        Duration ttl = Duration.ofSeconds(2);
        try (ChildCluster children = new ChildCluster(home)) {
            ChildNode a = children.start(children.plan("A").set("workMillis", 50));
            Feeder.drop(children.inbox(), 0, 1);
            soon().until(() -> children.ended("A").size() == 1);
            ChildNode b = children.start(children.plan("B").set("workMillis", 50));
            soon().until(() -> !b.log("children/orders", "is held by").isEmpty());
            Feeder.drop(children.inbox(), 1, FILES);
            soon().until(() -> children.ended("A").size() > 3);

            a.freeze();
            b.freeze();
            int frozen = children.journal().size();
            stays(ttl.multipliedBy(2), () -> children.journal().size() <= frozen + 1);
            (holderFirst ? a : b).thaw();
            soon().until(() -> children.journal().size() > frozen + 6);
            (holderFirst ? b : a).thaw();
            soon().until(() -> children.handled().size() == FILES);

            children.assertNoOverlap();
            assertThat(children.journal().stream()
                            .filter(line -> line.what().equals("begin"))
                            .count())
                    .as("only the file in work may be begun twice")
                    .isLessThanOrEqualTo(FILES + 1);
            assertThat(children.journal().stream().map(Line::token).distinct().count())
                    .as("nobody goes on under the grant of before")
                    .isGreaterThan(1);
        }
    }

    @Test
    void pausesThatAreShorterThanTheLeaseChangeNothing() throws Exception {
        Duration ttl = Duration.ofSeconds(10);
        try (ChildCluster children = new ChildCluster(home);
                Feeder feeder = Feeder.every(50, children.inbox())) {
            ChildNode a = children.start(children.plan("A").set("workMillis", 5).set("ttl", ttl.toMillis() + "ms"));
            soon().until(() -> children.ended("A").size() > 3);
            ChildNode b = children.start(children.plan("B").set("workMillis", 5).set("ttl", ttl.toMillis() + "ms"));
            soon().until(() -> !b.log("children/orders", "is held by").isEmpty());

            for (int i = 0; i < 2; i++) {
                a.freeze();
                stays(ttl.dividedBy(5), () -> children.begun("B").isEmpty());
                a.thaw();
                int before = children.begun("A").size();
                soon().until(() -> children.begun("A").size() > before + 3);
            }
            int files = feeder.stop();
            soon().until(() -> children.handled().size() == files);

            assertThat(children.begun("B")).isEmpty();
            assertThat(children.journal().stream().map(Line::token).distinct()).hasSize(1);
        }
    }
}
