/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.examples.runner.LogLine;
import io.camellease.examples.runner.Outcome;
import io.camellease.quartz.MissedFires;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Histories made by hand, good ones and bad ones. All of them are about the job of every second, from second 0 to second 9. */
class VerdictTest {

    private static final String BEGINNING = """
            runner launch A at=-2000
            runner launch B at=-2000
            A granted every-second token=1 at=-1000
            """;
    private static final String END = "runner until at=9500";

    private MissedFires missedFires = MissedFires.ALL;
    private boolean recover;

    private static String runs(String node, int token, int... seconds) {
        StringBuilder text = new StringBuilder();
        for (int second : seconds) {
            text.append(run(node, token, second, 1000 * second + 5, false));
        }
        return text.toString();
    }

    private static String run(String node, int token, int second, int at, boolean isRepeat) {
        return node + " begin every-second slot=" + 1000 * second + " token=" + token + " recovering=" + isRepeat
                + " at=" + at + "\n";
    }

    /** What is said about the job of every second; the others are run as they must be. */
    private Outcome judge(String... parts) {
        List<LogLine> lines = new ArrayList<>();
        for (String part : parts) {
            part.lines().map(LogLine::parse).forEach(lines::add);
        }
        for (int second = 0; second < 10; second += 2) {
            lines.add(LogLine.parse(
                    "A begin plain slot=" + 1000 * second + " token=1 recovering=false at=" + (1000 * second + 5)));
        }
        lines.add(LogLine.parse("A begin every-ten-seconds slot=0 token=1 recovering=false at=5"));
        return Verdict.of(History.of(lines), missedFires, recover, Duration.ofSeconds(7));
    }

    @Test
    void everySlotRunOnceIsWell() {
        Outcome verdict = judge(BEGINNING, runs("A", 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), END);

        assertThat(verdict.complaints()).isEmpty();
        assertThat(verdict.line())
                .startsWith("RESULT slots=16 begun=16 missed=0 doubled=0 excused=0 repeats=0 outside=0 overlaps=0");
    }

    @Test
    void aJobThatWasNeverRunIsWrong() {
        assertThat(judge(BEGINNING, END).complaints()).containsExactly("every-second: nothing was run");
    }

    @Test
    void aSlotThatTwoNodesBeganIsDoubledWithEveryOption() {
        String twice = run("B", 2, 4, 4800, false);
        for (MissedFires option : MissedFires.values()) {
            for (boolean repeats : new boolean[] {true, false}) {
                missedFires = option;
                recover = repeats;
                Outcome verdict = judge(
                        BEGINNING,
                        runs("A", 1, 0, 1, 2, 3, 4),
                        "runner kill A at=4500",
                        twice,
                        runs("B", 2, 5, 6, 7, 8, 9),
                        END);

                assertThat(verdict.complaints()).containsExactly("every-second: 1970-01-01T00:00:04Z was begun twice");
                assertThat(verdict.line()).contains(" missed=0 doubled=1 ");
            }
        }
    }

    @Test
    void aSlotThatOneNodeBeganTwiceIsDoubled() {
        Outcome verdict = judge(BEGINNING, runs("A", 1, 0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9), END);

        assertThat(verdict.complaints()).containsExactly("every-second: 1970-01-01T00:00:03Z was begun twice");
    }

    @Test
    void aMarkedRepeatIsWellIfAskedForAndNotOtherwise() {
        String[] history = {
            BEGINNING,
            runs("A", 1, 0, 1, 2, 3, 4),
            "runner kill A at=4500\nB granted every-second token=2 at=7000",
            run("B", 2, 4, 7100, true),
            runs("B", 2, 5, 6, 7, 8, 9),
            END
        };
        recover = true;
        assertThat(judge(history).complaints()).isEmpty();
        assertThat(judge(history).line()).contains(" doubled=0 ", " repeats=1 ");

        recover = false;
        assertThat(judge(history).complaints())
                .containsExactly("B#1 ran every-second for 1970-01-01T00:00:04Z as a repeat, which nobody asked for");
    }

    @Test
    void aSlotThatNobodyRanIsWrongWhateverTheOption() {
        for (MissedFires option : MissedFires.values()) {
            missedFires = option;
            Outcome verdict = judge(BEGINNING, runs("A", 1, 0, 1, 2, 3, 5, 6, 7, 8, 9), END);

            assertThat(verdict.complaints())
                    .containsExactly("every-second: nobody ran 1970-01-01T00:00:04Z, and nothing excuses it");
            assertThat(verdict.line()).contains(" missed=1 doubled=0 excused=0 ");
        }
    }

    @Test
    void theLastSlotsAreJudgedToo() {
        assertThat(judge(BEGINNING, runs("A", 1, 0, 1, 2, 3, 4, 5, 6, 7, 8), END)
                        .complaints())
                .containsExactly("every-second: nobody ran 1970-01-01T00:00:09Z, and nothing excuses it");
    }

    @Test
    void withAllOnlyTheSlotThatWasReservedAtAKillMayBeMissing() {
        Outcome one = judge(
                BEGINNING,
                runs("A", 1, 0, 1, 2, 3),
                "runner kill A at=4500\nB granted every-second token=2 at=7000",
                runs("B", 2, 5, 6, 7, 8, 9),
                END);
        assertThat(one.complaints()).isEmpty();
        assertThat(one.line()).contains(" missed=1 doubled=0 excused=1 ");

        Outcome two = judge(
                BEGINNING,
                runs("A", 1, 0, 1, 2, 3),
                "runner kill A at=4500\nB granted every-second token=2 at=7000",
                runs("B", 2, 6, 7, 8, 9),
                END);
        assertThat(two.complaints())
                .containsExactly("every-second: nobody ran 1970-01-01T00:00:05Z, and nothing excuses it");
    }

    @Test
    void aSlotThatFellDueAfterTheKillIsNotExcusedByIt() {
        Outcome verdict = judge(
                BEGINNING,
                runs("A", 1, 0, 1, 2, 3, 4),
                "runner kill A at=4500\nB granted every-second token=2 at=7000",
                runs("B", 2, 6, 7, 8, 9),
                END);

        assertThat(verdict.complaints())
                .containsExactly("every-second: nobody ran 1970-01-01T00:00:05Z, and nothing excuses it");
    }

    @Test
    void theKillOfAStandbyExcusesNothing() {
        Outcome verdict =
                judge(BEGINNING, runs("A", 1, 0, 1, 2, 3), "runner kill B at=4500", runs("A", 1, 5, 6, 7, 8, 9), END);

        assertThat(verdict.complaints()).hasSize(1);
    }

    @Test
    void aGracefulStopExcusesNothingWithAll() {
        String[] history = {
            BEGINNING,
            runs("A", 1, 0, 1, 2, 3),
            "runner stop A at=3900\nB granted every-second token=2 at=4100",
            runs("B", 2, 5, 6, 7, 8, 9),
            END
        };
        assertThat(judge(history).complaints()).hasSize(1);

        missedFires = MissedFires.SKIP;
        assertThat(judge(history).complaints()).isEmpty();
    }

    @Test
    void withOnceTheLatestSlotBeforeAGrantIsRun() {
        missedFires = MissedFires.ONCE;
        String[] history = {
            BEGINNING, runs("A", 1, 0), "runner kill A at=900\nB granted every-second token=2 at=3900", "%s", END
        };
        String latest = run("B", 2, 3, 3950, false);
        String others = runs("B", 2, 7, 8, 9);
        String complaint =
                "every-second: 1970-01-01T00:00:02Z was the latest before the grant to B#1, which did not run it";

        assertThat(judge(with(history, latest + others)).complaints()).doesNotContain(complaint);
        assertThat(judge(with(history, others)).complaints()).contains(complaint);
        assertThat(judge(with(history, "B lost every-second token=2 at=5500\n" + others))
                        .complaints())
                .as("the next one runs it, or a later one")
                .doesNotContain(complaint);
    }

    @Test
    void withSkipASlotThatIsLateIsNotRun() {
        missedFires = MissedFires.SKIP;
        String[] history = {
            BEGINNING, runs("A", 1, 0), "runner kill A at=900\nB granted every-second token=2 at=7100", "%s", END
        };
        String late = run("B", 2, 1, 7200, false);
        String others = runs("B", 2, 7, 8, 9);
        String complaint = "B#1 ran every-second for 1970-01-01T00:00:01Z, which was too late by then";

        assertThat(judge(with(history, others)).complaints()).isEmpty();
        assertThat(judge(with(history, late + others)).complaints()).contains(complaint);
        assertThat(judge(with(history, "runner freeze B at=1500\nrunner thaw B at=7150\n" + late + others))
                        .complaints())
                .doesNotContain(complaint);
    }

    @Test
    void aPauseThatIsTooLongIsWrongWithEveryOption() {
        for (MissedFires option : MissedFires.values()) {
            missedFires = option;
            Outcome verdict = judge(
                    BEGINNING,
                    runs("A", 1, 0),
                    "runner kill A at=900\nB granted every-second token=2 at=8100",
                    option == MissedFires.ALL
                            ? runs("B", 2, 1, 2, 3, 4, 5, 6, 7).replaceAll("at=.*", "at=8200")
                            : run("B", 2, 7, 8200, false),
                    runs("B", 2, 8, 9),
                    END);

            assertThat(verdict.complaints()).containsExactly("every-second: nothing was begun for 8000 ms");
            assertThat(verdict.line()).endsWith(" longest_pause_ms=8000");
        }
    }

    @Test
    void slotsAfterARepeatOfTheGrantBeforeAreBetweenGrants() {
        recover = true;
        missedFires = MissedFires.SKIP;
        Outcome verdict = judge(
                BEGINNING,
                runs("A", 1, 0, 1, 2),
                "runner kill A at=3200\nB granted every-second token=2 at=6100",
                run("B", 2, 3, 6200, true),
                runs("B", 2, 7, 8, 9),
                END);

        assertThat(verdict.complaints()).isEmpty();
        assertThat(verdict.line()).contains(" missed=3 doubled=0 excused=3 repeats=1 ");
    }

    @Test
    void withRecoveryNoSlotMayBeMissing() {
        recover = true;
        Outcome verdict = judge(
                BEGINNING,
                runs("A", 1, 0, 1, 2, 3),
                "runner kill A at=4200\nB granted every-second token=2 at=7000",
                runs("B", 2, 5, 6, 7, 8, 9),
                END);

        assertThat(verdict.complaints()).hasSize(1);
    }

    @Test
    void aRunOutsideTheScheduleIsWrong() {
        String early = run("A", 1, 3, 2990, false);
        assertThat(judge(BEGINNING, runs("A", 1, 0, 1, 2), early, runs("A", 1, 4, 5, 6, 7, 8, 9), END)
                        .complaints())
                .containsExactly("A#1 ran every-second for 1970-01-01T00:00:03Z at no time of its schedule");

        String between = "A begin every-second slot=3500 token=1 recovering=false at=3600";
        assertThat(judge(BEGINNING, runs("A", 1, 0, 1, 2, 3), between, runs("A", 1, 4, 5, 6, 7, 8, 9), END)
                        .complaints())
                .containsExactly("A#1 ran every-second for 1970-01-01T00:00:03.500Z at no time of its schedule");
    }

    @Test
    void aRunUnderASmallerTokenThanOneBeforeIsAnOverlapUnlessItsProcessWasFrozen() {
        String late = run("A", 1, 5, 6500, false);
        assertThat(judge(BEGINNING, runs("A", 1, 0, 1, 2, 3, 4), runs("B", 2, 6), late, runs("B", 2, 7, 8, 9), END)
                        .complaints())
                .containsExactly("A#1 ran every-second for 1970-01-01T00:00:05Z after one under a larger token");
        assertThat(judge(
                                BEGINNING,
                                runs("A", 1, 0, 1, 2, 3, 4),
                                "runner freeze A at=5001",
                                runs("B", 2, 6),
                                late,
                                runs("B", 2, 7, 8, 9),
                                END)
                        .complaints())
                .isEmpty();
    }

    @Test
    void whatCutOffAProcessOnceDoesNotExcuseItForGood() {
        String[] history = {
            BEGINNING,
            runs("A", 1, 0, 1, 2, 3, 4),
            "%s",
            runs("B", 2, 6),
            run("A", 1, 5, 6500, false),
            runs("B", 2, 7, 8, 9),
            END
        };
        for (String past : List.of(
                "runner freeze A at=1001\nrunner thaw A at=1200",
                "A suspended every-second token=1 at=2100\nA resumed every-second token=1 at=2200",
                "A lost plain token=1 at=6400",
                "A lost every-second token=1 at=6400",
                "B lost every-second token=1 at=6400")) {
            assertThat(judge(with(history, past)).complaints())
                    .as(past)
                    .containsExactly("A#1 ran every-second for 1970-01-01T00:00:05Z after one under a larger token");
        }
        assertThat(judge(with(history, "runner freeze A at=1001\nrunner thaw A at=6400"))
                        .complaints())
                .isEmpty();
    }

    private static String[] with(String[] history, String line) {
        return Stream.of(history).map(part -> part.equals("%s") ? line : part).toArray(String[]::new);
    }

    @Test
    void aRunIsJudgedByWhenTheLeaseWasCheckedForIt() {
        String[] history = {
            BEGINNING,
            runs("A", 1, 0, 1, 2, 3, 4),
            "runner freeze A at=5001",
            checked("B", 2, 6, 6100, 6_050),
            "runner thaw A at=6400",
            "%s",
            runs("B", 2, 7, 8, 9),
            END
        };
        String early = checked("A", 1, 5, 6500, 5_000);
        String late = checked("A", 1, 5, 6500, 6_450);

        assertThat(judge(with(history, early)).complaints()).isEmpty();
        assertThat(judge(with(history, late)).complaints())
                .as("a freeze is no excuse for a check that came too late")
                .containsExactly("A#1 ran every-second for 1970-01-01T00:00:05Z after one under a larger token");
    }

    private static String checked(String node, int token, int second, int at, int checkedAt) {
        return run(node, token, second, at, false).stripTrailing() + " checked=" + checkedAt + "\n";
    }

    @Test
    void aRepeatOfARunThatNothingCutOffIsWrong() {
        recover = true;

        assertThat(judge(repeated("", "")).complaints())
                .containsExactly("B#1 ran every-second for 1970-01-01T00:00:04Z as a repeat, though nothing had cut off"
                        + " the run before");
        assertThat(judge(repeated("runner kill A at=4500", "")).complaints()).isEmpty();
        assertThat(judge(repeated("runner stop A at=4100", "")).complaints()).isEmpty();
        assertThat(judge(repeated("A lost every-second token=1 at=4100", "")).complaints())
                .isEmpty();
        assertThat(judge(repeated("A lost plain token=1 at=4100", "")).complaints())
                .hasSize(1);
        assertThat(judge(repeated("runner kill B at=4100\nrunner launch B at=4200", ""))
                        .complaints())
                .hasSize(1);
        assertThat(judge(repeated("runner kill A at=2100\nrunner launch A at=2200", ""))
                        .complaints())
                .as("before the run")
                .isNotEmpty();
    }

    @Test
    void aRepeatOfARunThatHadLongEndedIsWrong() {
        recover = true;

        assertThat(judge(repeated("runner kill A at=6500", ends(0, 1, 2, 3, 4))).complaints())
                .containsExactly("B#1 ran every-second for 1970-01-01T00:00:04Z as a repeat, though nothing had cut off"
                        + " the run before");
        assertThat(judge(repeated("runner kill A at=4500", ends(0, 1, 2, 3, 4))).complaints())
                .as("the store may not have noted the end")
                .isEmpty();
        assertThat(judge(repeated("runner kill A at=6500", ends(0, 1, 3, 4))).complaints())
                .as("slot 2 had not ended, and holds the later ones back")
                .isEmpty();
    }

    @Test
    void aSecondRepeatNeedsACutOfItsOwn() {
        recover = true;
        String[] history = {
            BEGINNING,
            runs("A", 1, 0, 1, 2, 3, 4),
            "runner kill A at=4500\nB granted every-second token=2 at=7000",
            run("B", 2, 4, 7100, true),
            "B end every-second slot=4000 token=2 at=7300",
            "%s",
            run("B", 3, 4, 7500, true),
            runs("B", 3, 5, 6, 7, 8, 9),
            END
        };

        assertThat(judge(with(history, "B granted every-second token=3 at=7400"))
                        .complaints())
                .hasSize(1);
        assertThat(judge(with(history, "B lost every-second token=2 at=7350")).complaints())
                .isEmpty();
    }

    private static String ends(int... seconds) {
        StringBuilder text = new StringBuilder();
        for (int second : seconds) {
            text.append("A end every-second slot=" + 1000 * second + " token=1 at=" + (1000 * second + 205) + "\n");
        }
        return text.toString();
    }

    private static String[] repeated(String cut, String ends) {
        return new String[] {
            BEGINNING,
            runs("A", 1, 0, 1, 2, 3, 4),
            ends,
            cut,
            "B granted every-second token=2 at=7000",
            run("B", 2, 4, 7100, true),
            runs("B", 2, 5, 6, 7, 8, 9),
            END
        };
    }
}
