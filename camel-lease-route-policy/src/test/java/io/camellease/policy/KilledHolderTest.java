/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.ChildCluster.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.policy.ChildNode.Line;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The holder goes without a word, again and again, and the other node takes over each time. */
@CaseTest
@Timeout(1800)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no signals that freeze a process")
class KilledHolderTest {

    /** How often. */
    private static final int ROUNDS = Integer.getInteger("lease.test.kills", 3);

    private static final Duration TTL = Duration.ofSeconds(2);
    private static final Duration CLAIM_INTERVAL = TTL.dividedBy(10);

    /** For the poll, the file and a machine that does other things too. */
    private static final Duration START = Duration.ofSeconds(8);

    private enum Way {
        KILL,
        FREEZE
    }

    @TempDir
    Path home;

    private final List<Long> millis = new ArrayList<>();
    private int fed;
    private int roundsInTheMiddle;

    @ParameterizedTest
    @EnumSource
    void c78_theStandbyTakesOverEveryTime(Way way) throws Exception {
        try (ChildCluster children = new ChildCluster(home)) {
            ChildNode holder = children.start(children.plan("n0"));
            feedAndAwait(children, holder);
            for (int round = 1; round <= ROUNDS; round++) {
                ChildNode standby = children.start(children.plan("n" + round));
                soon().until(() -> !standby.log("children/orders", "is held by").isEmpty());
                takeOver(children, way, holder, standby);
                holder = standby;
            }
            children.assertNoOverlap();
            assertThat(children.handled()).hasSize(fed);
            assertThat(roundsInTheMiddle)
                    .as("rounds whose fault met a file in work")
                    .isPositive();
        }
        Collections.sort(millis);
        System.out.printf(
                "[lease figures] C78 %s: ttl %s, from the fault to the first file on the other node, ms: %s%n",
                way, TTL, millis);
        assertThat(millis).allSatisfy(took -> assertThat(Duration.ofMillis(took))
                .isLessThan(TTL.plus(CLAIM_INTERVAL).plus(START)));
    }

    /** While the holder is in the middle of a file. */
    private void takeOver(ChildCluster children, Way way, ChildNode holder, ChildNode standby) throws Exception {
        int before = children.begun(holder.label).size();
        feed(children, 3);
        soon().until(() -> children.begun(holder.label).size() > before);
        long faultAt = System.nanoTime();
        if (way == Way.KILL) {
            holder.close();
        } else {
            holder.freeze();
        }
        soon().until(() -> children.handled().size() == fed);

        List<Line> begun = children.begun(standby.label);
        millis.add(Duration.ofNanos(begun.get(0).at() - faultAt).toMillis());
        Line last =
                children.begun(holder.label).get(children.begun(holder.label).size() - 1);
        assertThat(begun.get(0).checkedAt()).isGreaterThan(last.checkedAt());
        assertThat(begun.get(0).token()).isGreaterThan(last.token());
        List<String> halfDone = unfinished(children, holder);
        roundsInTheMiddle += halfDone.isEmpty() ? 0 : 1;
        assertThat(begun)
                .extracting(Line::file)
                .as("what was half done is begun again")
                .containsAll(halfDone);
    }

    private static List<String> unfinished(ChildCluster children, ChildNode node) {
        List<String> ended = children.ended(node.label).stream().map(Line::file).toList();
        return children.begun(node.label).stream()
                .map(Line::file)
                .filter(file -> !ended.contains(file))
                .toList();
    }

    private void feedAndAwait(ChildCluster children, ChildNode node) {
        feed(children, 1);
        soon().until(() -> children.ended(node.label).size() == 1);
    }

    private void feed(ChildCluster children, int files) {
        Feeder.drop(children.inbox(), fed, fed + files);
        fed += files;
    }
}
