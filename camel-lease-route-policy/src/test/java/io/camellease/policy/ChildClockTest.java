/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.ChildCluster.soon;
import static io.camellease.policy.Waiting.stays;
import static io.camellease.policy.Waiting.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseStore;
import io.camellease.policy.ChildNode.Line;
import io.camellease.testkit.TcpProxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The wall clock of a whole process is stepped, or crosses a change of daylight saving time. */
@CaseTest
@Timeout(300)
class ChildClockTest {

    private static final Duration DST_TTL = Duration.ofSeconds(12);
    private static final LeaseName ORDERS = new LeaseName("children/orders");
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @TempDir
    Path home;

    @Test
    void c14_aStepOfTheWallClockStopsNothingAndTheHolderStillStopsInTime() throws Exception {
        Duration ttl = Duration.ofSeconds(6);
        FakeTime clock = new FakeTime(home);
        try (ChildCluster children = new ChildCluster(home);
                TcpProxy link = new TcpProxy(children.storePort());
                Feeder feeder = Feeder.every(50, children.inbox())) {
            ChildNode a = children.start(ChildNode.plan("A", "mongodb://" + link.address() + "/leases", home)
                    .set("ttl", ttl.toMillis() + "ms")
                    .set("workMillis", 1)
                    .environment(clock.environment()));
            soon().until(() -> children.begun("A").size() > 10);
            long token = children.begun("A").get(0).token();

            for (int hours : List.of(1, -1, 0)) {
                clock.offset(Duration.ofHours(hours));
                int before = children.begun("A").size();
                long seq = children.record("orders").seq();
                soon().until(() -> children.begun("A").size() > before + 10
                        && children.record("orders").seq() > seq + 1);
            }
            assertThat(longestPause(children.begun("A"))).isLessThan(ttl);
            assertThat(children.begun("A")).extracting(Line::token).containsOnly(token);

            link.freeze();
            long frozenAt = System.nanoTime();
            clock.offset(Duration.ofHours(-1));
            within(ttl.plusSeconds(10))
                    .until(() -> !a.log("children/orders", "is lost").isEmpty());
            stays(Duration.ofSeconds(1), () -> children.begun("A").stream()
                    .allMatch(line -> line.checkedAt() - frozenAt < ttl.toNanos()));
            assertThat(feeder.stop()).isGreaterThan(children.begun("A").size());
            assertThat(a.log("is lost")).hasSize(1);
        }
    }

    private static Duration longestPause(List<Line> lines) {
        long longest = 0;
        for (int i = 1; i < lines.size(); i++) {
            longest = Math.max(longest, lines.get(i).at() - lines.get(i - 1).at());
        }
        return Duration.ofNanos(longest);
    }

    /** In spring 2:00 to 3:00 is no time at all, in autumn it is there twice. Node and database are in the same process. */
    @ParameterizedTest
    @CsvSource({"2026-03-29T01:59:50", "2026-10-25T02:59:50"})
    void c18_aChangeOfDaylightSavingTimeIsNoChangeAtAll(LocalDateTime begin) throws Exception {
        FakeTime clock = new FakeTime(home);
        Instant from = begin.atZone(BERLIN).withEarlierOffsetAtOverlap().toInstant();
        Map<String, String> environment = new HashMap<>(clock.environment());
        environment.put("TZ", BERLIN.getId());
        // later than the change, so that it can be set back to it when all is up: that does not end a lease
        clock.offset(Duration.between(Instant.now(), from.plusSeconds(120)));
        ChildNode.Plan plan = ChildNode.plan("A", ChildMain.EMBEDDED, home)
                .set("ttl", DST_TTL.toMillis() + "ms")
                .set("workMillis", 1)
                .environment(environment);
        try (Feeder feeder = Feeder.every(50, ChildNode.inbox(home));
                ChildNode child = plan.start()) {
            soon().until(() -> ChildNode.journal(home, "A", "begin").size() > 5);
            long token = ChildNode.journal(home, "A", "begin").get(0).token();
            try (LeaseStore store = ChildCluster.open(Files.readString(home.resolve(ChildMain.EMBEDDED)))) {
                clock.offset(Duration.between(Instant.now(), from));
                long stepped = record(store).seq();
                soon().until(() -> record(store).seq() > stepped);
                Instant before = storeNow(store);
                long seq = record(store).seq();
                Duration span = Duration.ofSeconds(14);
                stays(
                        span,
                        () -> record(store).isHeld()
                                && record(store).remaining().compareTo(DST_TTL) <= 0);
                Instant after = storeNow(store);

                assertThat(before).isBetween(from, from.plusSeconds(9));
                assertThat(Duration.between(before, after)).isBetween(span.minusSeconds(1), span.plusSeconds(30));
                assertThat(before.atZone(BERLIN).getOffset())
                        .isNotEqualTo(after.atZone(BERLIN).getOffset());
                assertThat(record(store).seq()).isGreaterThan(seq + span.dividedBy(DST_TTL));
                assertThat(record(store).token()).isEqualTo(token);
            }
            assertThat(child.log("is lost")).isEmpty();
            assertThat(longestPause(ChildNode.journal(home, "A", "begin"))).isLessThan(DST_TTL);
            assertThat(ChildNode.journal(home, "A", "begin"))
                    .extracting(Line::token)
                    .containsOnly(token);
            assertThat(feeder.stop()).isPositive();
        }
    }

    private static Instant storeNow(LeaseStore store) {
        return store.find(List.of(ORDERS)).storeNow().orElseThrow();
    }

    private static LeaseRecord record(LeaseStore store) {
        return Objects.requireNonNull(store.find(List.of(ORDERS)).records().get(ORDERS));
    }
}
