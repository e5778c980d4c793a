/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lease that is given back while a slot is being reserved, which takes a while. */
@Tag("case")
class HandOverWhileReservingTest {

    @TempDir
    private Path home;

    /** A slot is tried again and again while the store does not answer. */
    @Test
    void anOutageIsToldOncePerTrigger() throws Exception {
        String test = "reserving-outage";
        Runs runs = Runs.of(test);
        SlowStoreProvider.write(home.resolve("link"), "memory:" + test, 0, 0);
        try (LogLines log = LogLines.open();
                QuartzNode a = new QuartzNode(
                                test, "A", "missedFires=all", "ttl=20s", "store=slow:" + home.resolve("link"))
                        .cron("* * * * * ?")
                        .start()) {
            Waiting.soon().until(() -> !runs.begun().isEmpty());
            SlowStoreProvider.write(home.resolve("link"), "memory:nobody", 60_000, 60_000);
            Waiting.soon().until(() -> !log.of(Level.WARN, test, "is unknown").isEmpty());
            Waiting.soon().until(() -> !a.holds());
            SlowStoreProvider.write(home.resolve("link"), "memory:" + test, 0, 0);

            assertThat(log.of(Level.WARN, test, "is unknown")).hasSize(1);
            int before = runs.begun().size();
            Waiting.within(Duration.ofSeconds(60)).until(() -> runs.begun().size() > before);
        }
    }

    @Test
    void c88_aSlotThatIsReservedAtAHandOverIsRunBeforeIt() throws Exception {
        String test = "reserving";
        Runs runs = Runs.of(test);
        SlowStoreProvider.write(home.resolve("link"), "memory:" + test, 400, 400);
        try (QuartzNode a = new QuartzNode(test, "A", "missedFires=all", "ttl=8s", "store=slow:" + home.resolve("link"))
                .cron("0/2 * * * * ?")
                .start()) {
            Waiting.soon().until(() -> runs.begun().size() >= 2);
            Instant slot = runs.slots().last().plusSeconds(2);
            Waiting.soon().until(() -> Instant.now().isAfter(slot.plusMillis(100)));
            a.elector().giveAway();

            Waiting.soon().until(() -> runs.slots().last().isAfter(slot.plusSeconds(2)));
            assertThat(runs.slots()).contains(slot);
        }
        assertThat(runs.doubled()).isEmpty();
        assertThat(runs.slots().size())
                .isEqualTo((int) Duration.between(
                                                runs.slots().first(),
                                                runs.slots().last())
                                        .toSeconds()
                                / 2
                        + 1);
    }
}
