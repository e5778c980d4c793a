/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static io.camellease.core.MachineBench.ME;
import static io.camellease.core.MachineBench.NAME;
import static io.camellease.core.MachineBench.OTHER;
import static io.camellease.core.MachineBench.SETTINGS;
import static io.camellease.core.MachineBench.absent;
import static io.camellease.core.MachineBench.expired;
import static io.camellease.core.MachineBench.held;
import static io.camellease.core.MachineBench.heldByMe;
import static io.camellease.core.MachineBench.record;
import static io.camellease.core.MachineBench.released;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent.HolderChanged;
import io.camellease.core.LeaseEvent.Lost;
import io.camellease.core.LeaseEvent.RecordUnreadable;
import io.camellease.core.LeaseEvent.RecordWentBack;
import io.camellease.core.LeaseStoreException.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** When a candidate looks, what it claims, and whose clock it goes by. */
class CandidacyTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    @Nested
    class AClaim {

        @Test
        void namesTheTokenAndTheRenewalThatWereSeen() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(expired(OTHER, 41, 6));

            Claim claim = bench.claims.get(0);
            assertThat(claim.expectedToken()).isEqualTo(41);
            assertThat(claim.expectedSeq()).isEqualTo(6);
            assertThat(claim.holder()).isEqualTo(ME);
            assertThat(claim.ttl()).isEqualTo(SETTINGS.ttl());
            assertThat(claim.value()).isEqualTo("note");
        }

        @Test
        void isNotSentWhileAnotherHolds() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(held(OTHER, 5, 0, Duration.ofSeconds(1)));

            assertThat(bench.claims).isEmpty();
            assertThat(bench.wakeAt()).isLessThanOrEqualTo(1.0);
        }

        @Test
        void whoseReplyWasLostIsSentAgainUnchangedWithinOneRetry() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(absent());
            bench.at(3).claimFailed(bench.moment(0), Problem.UNAVAILABLE);

            assertThat(bench.wakeAt()).isLessThanOrEqualTo(3.75);
            bench.at(3.75).tick();

            assertThat(bench.claims).hasSize(2);
            assertThat(bench.claims.get(1)).isEqualTo(bench.claims.get(0));
        }

        @Test
        void thatWasSentAgainCountsFromItsFirstSend() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(absent());
            bench.at(3).claimFailed(bench.moment(0), Problem.UNAVAILABLE);
            bench.at(3.75).tick();
            bench.at(6).claimFailed(bench.moment(3.75), Problem.UNAVAILABLE);
            bench.at(7.5).tick();
            bench.granted(7, bench.now);

            assertThat(bench.at(23.399).gateIsOpen()).isTrue();
            assertThat(bench.at(23.4).gateIsOpen()).isFalse();
        }

        @Test
        void isGivenUpOnceAGrantOfItsFirstSendWouldBePastU() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(absent());
            AttemptId first = bench.claims.get(0).attempt();
            bench.at(23).claimFailed(bench.moment(0), Problem.UNAVAILABLE);

            bench.at(23.75).tick();

            assertThat(bench.abandons).containsExactly(first);
            assertThat(bench.claims).hasSize(1);
            bench.looked(absent());
            assertThat(bench.claims).hasSize(2);
            assertThat(bench.claims.get(1).attempt()).isNotEqualTo(first);
        }

        @Test
        void thatWasGivenUpButGrantedByALateCopyIsTakenOverAtOnce() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(absent());
            AttemptId first = bench.claims.get(0).attempt();
            bench.at(23).claimFailed(bench.moment(0), Problem.UNAVAILABLE);
            bench.at(23.75).tick();

            bench.looked(heldByMe(7, first, LONG));

            assertThat(bench.claims).hasSize(2);
            assertThat(bench.claims.get(1).expectedToken()).isEqualTo(7);
        }

        @Test
        void byACloneOfThisProcessIsNotTakenForOnesOwn() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(heldByMe(7, new AttemptId("the-clone's"), LONG));

            assertThat(bench.claims).isEmpty();
        }

        @Test
        void thatIsGrantedWithLessThanMLeftIsReleasedAndNotHandedOut() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(absent());
            bench.at(23.4);
            Lease late = bench.granted(7, bench.moment(0));

            assertThat(bench.releases).containsExactly(late);
            assertThat(bench.events).isEmpty();
            assertThat(bench.machine.state()).isEqualTo(LeaseState.WAITING);
            bench.at(24.15).looked(heldByMe(7, late.attempt(), LONG));
            assertThat(bench.claims)
                    .as("its own grant does not stand in its way")
                    .hasSize(2);
        }

        @Test
        void thatIsRefusedIsFollowedByALookNotByAnotherSend() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(absent());
            bench.claimReplied(
                    bench.claims.get(0),
                    bench.now,
                    new ClaimResult.HeldByOther(held(OTHER, 9, 0, LONG), Instant.EPOCH));

            assertThat(bench.wakeAt()).isBetween(0.000001, 3.0);
            assertThat(bench.claims).hasSize(1);
            assertThat(kinds(bench.events)).containsExactly(HolderChanged.class);
        }

        @Test
        void thatIsSpentIsFollowedByANewAttempt() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(absent());
            bench.claimReplied(bench.claims.get(0), bench.now, new ClaimResult.Spent(Instant.EPOCH));
            bench.at(0.75).looked(released(ME, 7));

            assertThat(bench.claims.get(1).attempt())
                    .isNotEqualTo(bench.claims.get(0).attempt());
        }

        @Test
        void thatFailsForAReasonToBeMendedIsGivenUpBecauseAnEarlierSendMayHaveBeenGranted() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(absent());
            AttemptId attempt = bench.claims.get(0).attempt();
            bench.at(3).claimFailed(bench.moment(0), Problem.UNAVAILABLE);
            bench.at(3.75).tick();
            bench.claimFailed(bench.now, Problem.MISCONFIGURED);

            assertThat(bench.abandons).containsExactly(attempt);
            bench.at(10).looked(heldByMe(7, attempt, LONG));
            assertThat(bench.claims)
                    .as("the grant of the earlier send is recognised")
                    .hasSize(3);
        }

        @Test
        void thatIsNotTheCurrentOneAndGrantedIsReleased() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(absent());
            bench.stop();
            bench.start();
            bench.looked(absent());

            Claim old = bench.claims.get(0);
            Lease late = new Lease(NAME, ME, new FencingToken(7), old.attempt(), old.ttl());
            bench.claimReplied(old, bench.now, new ClaimResult.Granted(late, Map.of(), Instant.EPOCH));

            assertThat(bench.releases).containsExactly(late);
            assertThat(bench.machine.state()).isEqualTo(LeaseState.WAITING);
        }
    }

    @Nested
    class ATakeoverAfterTheStoresClockMoved {

        @Test
        void waitsUntilTheRecordStoodStillForLongerThanItsTtl() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(held(OTHER, 5, 1, LONG));
            bench.stepStoreClock(Duration.ofHours(1));

            bench.at(3).looked(expired(OTHER, 5, 1));
            bench.at(30.5).looked(expired(OTHER, 5, 1));
            assertThat(bench.claims).isEmpty();

            bench.at(30.6).looked(expired(OTHER, 5, 1));
            assertThat(bench.claims).hasSize(1);
            assertThat(bench.claims.get(0).observed()).isTrue();
        }

        @Test
        void beginsToWaitAnewWhenTheRecordIsRenewed() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(held(OTHER, 5, 1, LONG));
            bench.stepStoreClock(Duration.ofHours(1));
            bench.at(3).looked(expired(OTHER, 5, 1));
            bench.at(20).looked(expired(OTHER, 5, 2));

            bench.at(33).looked(expired(OTHER, 5, 2));
            assertThat(bench.claims).isEmpty();
        }

        /** It looks the same as one in time after which the clock has stepped by as much. */
        @Test
        void waitsForAnotherLookIfOneTookLongerThanTheBand() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(held(OTHER, 5, 1, LONG));
            bench.at(3).looked(expired(OTHER, 5, 1), SETTINGS.clockBand().plusMillis(100));
            assertThat(bench.claims).isEmpty();

            bench.at(4).looked(expired(OTHER, 5, 1));
            assertThat(bench.claims).hasSize(1);
        }

        @Test
        void isMadeOfAReleasedRecordHoweverLongTheLookTook() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(held(OTHER, 5, 1, LONG));

            bench.at(3)
                    .looked(
                            record(OTHER, 5, 1, true, Duration.ZERO),
                            SETTINGS.clockBand().plusMillis(100));

            assertThat(bench.claims).hasSize(1);
        }

        @Test
        void isOrdinaryAgainOneTtlLater() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(held(OTHER, 5, 1, LONG));
            bench.stepStoreClock(Duration.ofHours(1));
            bench.at(3).looked(held(OTHER, 5, 2, LONG));
            bench.at(40).looked(held(OTHER, 5, 3, Duration.ofSeconds(1)));

            bench.at(41).looked(expired(OTHER, 5, 3));

            assertThat(bench.claims).hasSize(1);
            assertThat(bench.claims.get(0).observed()).isFalse();
        }

        @Test
        void doesNotWaitForAReleasedRecord() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(held(OTHER, 5, 1, LONG));
            bench.stepStoreClock(Duration.ofHours(1));

            bench.at(3).looked(record(OTHER, 5, 1, true, Duration.ZERO));

            assertThat(bench.claims).hasSize(1);
        }

        @Test
        void byGoingBackNeedNotWaitForAnExpiryThatIsHoursAway() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(held(OTHER, 5, 1, LONG));
            bench.stepStoreClock(Duration.ofHours(-1));
            Duration tooLong = Duration.ofHours(1).plus(LONG);

            bench.at(3).looked(held(OTHER, 5, 1, tooLong));
            assertThat(bench.claims).isEmpty();

            bench.at(31).looked(held(OTHER, 5, 1, tooLong.minusSeconds(28)));
            assertThat(bench.claims).hasSize(1);
            assertThat(bench.claims.get(0).observed()).isTrue();
        }

        @Test
        void byGoingBackBeforeThisProcessBeganNeedNotWaitEither() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(held(OTHER, 5, 1, Duration.ofHours(1)));
            bench.at(31).looked(held(OTHER, 5, 1, Duration.ofMinutes(59)));

            assertThat(bench.claims).hasSize(1);
        }

        @Test
        void isNotInferredFromARecordThatWasRewrittenByHandForLongerThanItsTtl() {
            MachineBench bench = MachineBench.holding();
            bench.at(10).renew();
            bench.renewReplied(RenewResult.LOST);
            bench.drained();

            bench.looked(held(OTHER, 8, 0, Duration.ofSeconds(90)));
            bench.at(45).looked(held(OTHER, 8, 0, Duration.ofSeconds(55)));
            assertThat(bench.claims).isEmpty();

            bench.at(100).looked(expired(OTHER, 8, 0));
            assertThat(bench.claims).hasSize(1);
        }
    }

    @Nested
    class ARecordThatWentBack {

        @Test
        void isToldOnceAndNotClaimedForOneTtl() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(held(OTHER, 7, 0, LONG));
            bench.at(3).looked(absent());
            bench.at(33).looked(absent());
            assertThat(bench.claims).isEmpty();

            bench.at(33.6).looked(absent());
            assertThat(bench.claims).hasSize(1);
            assertThat(bench.events.stream().filter(RecordWentBack.class::isInstance))
                    .hasSize(1);
        }

        @Test
        void mattersToTheOneWhoHeldTheLostToken() {
            MachineBench bench = MachineBench.holding();
            bench.at(10).renew();
            bench.renewReplied(RenewResult.LOST);
            bench.drained();

            bench.looked(expired(ME, 6, 0));

            assertThat(bench.claims).isEmpty();
            assertThat(kinds(bench.events)).containsExactly(Lost.class, RecordWentBack.class);
        }

        /** A backup that is restored while one grant lasts for days has its token, and an expiry that has passed. */
        @Test
        void mayHoldAnOlderRenewalOfTheSameGrant() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(held(OTHER, 7, 900, LONG));
            bench.at(3).looked(expired(OTHER, 7, 800));
            bench.at(33).looked(expired(OTHER, 7, 800));
            assertThat(bench.claims).isEmpty();

            bench.at(33.7).looked(expired(OTHER, 7, 800));
            assertThat(bench.claims).hasSize(1);
            assertThat(bench.events.stream().filter(RecordWentBack.class::isInstance))
                    .hasSize(1);
        }

        /** Somebody works under the restored record, and the same backup is restored once more. */
        @Test
        void mayGoBackAgain() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(held(OTHER, 9, 0, LONG));
            bench.at(3).looked(held(OTHER, 7, 5, LONG));
            bench.at(40).looked(held(OTHER, 7, 9, LONG));
            bench.at(60).looked(held(OTHER, 7, 11, LONG));
            bench.at(63).looked(expired(OTHER, 7, 5));
            bench.at(93).looked(expired(OTHER, 7, 5));
            assertThat(bench.claims).isEmpty();

            bench.at(93.7).looked(expired(OTHER, 7, 5));
            assertThat(bench.claims).hasSize(1);
            assertThat(bench.events.stream().filter(RecordWentBack.class::isInstance))
                    .hasSize(2);
        }

        @Test
        void isForgottenOnceALargerTokenAppears() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(held(OTHER, 7, 0, LONG));
            bench.at(3).looked(absent());
            bench.at(6).looked(released(OTHER, 8));

            assertThat(bench.claims).hasSize(1);
        }
    }

    @Nested
    class ACandidate {

        @Test
        void looksAtOnceAndThenEveryK() {
            MachineBench bench = new MachineBench();
            bench.start();
            assertThat(bench.lookDue()).isTrue();
            bench.looked(held(OTHER, 5, 0, LONG));

            double first = bench.wakeAt();
            assertThat(first).isBetween(0.000001, 3.0);
            bench.at(first).looked(held(OTHER, 5, 1, LONG));
            assertThat(bench.wakeAt()).isEqualTo(first + 3);
        }

        @Test
        void looksNoSoonerWhileALookIsUnderWay() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.machine.candidacy().lookSent();

            assertThat(bench.at(10).lookDue()).isFalse();
            assertThat(bench.machine.wakeAt()).isEmpty();
        }

        @Test
        void looksEveryKWhileTheStoreIsAway() {
            MachineBench bench = new MachineBench();
            bench.start();
            for (int i = 0; i < 100; i++) {
                bench.machine.candidacy().lookSent();
                double before = bench.second(bench.now.nanos());
                bench.take((machine, at) -> machine.candidacy().lookFailed(Problem.UNAVAILABLE, at));
                assertThat(bench.wakeAt()).isBetween(before, before + 3.000001);
                bench.at(bench.wakeAt());
            }
        }

        @Test
        void becomesPatientWhenAPersonMustMendIt() {
            MachineBench bench = new MachineBench();
            bench.start();
            for (int i = 0; i < 20; i++) {
                bench.take((machine, at) -> machine.candidacy().lookFailed(Problem.MISCONFIGURED, at));
            }

            assertThat(bench.wakeAt()).isEqualTo(30.0);
        }

        @Test
        void saysOnceThatTheRecordIsUnreadableAndAgainAfterItWasReadable() {
            MachineBench bench = new MachineBench();
            bench.start();
            LeaseMachine.Input unreadable = (machine, at) -> machine.candidacy().unreadable("damaged", at);
            bench.take(unreadable);
            bench.take(unreadable);
            assertThat(kinds(bench.events)).containsExactly(RecordUnreadable.class);

            bench.looked(held(OTHER, 5, 0, LONG));
            bench.take(unreadable);
            assertThat(bench.events.stream().filter(RecordUnreadable.class::isInstance))
                    .hasSize(2);
        }

        @Test
        void namesEachNewHolderOnce() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(held(OTHER, 5, 0, LONG));
            bench.at(3).looked(held(OTHER, 5, 1, LONG));
            bench.at(6).looked(held(new HolderId("C#3"), 6, 0, LONG));

            assertThat(kinds(bench.events)).containsExactly(HolderChanged.class, HolderChanged.class);
        }

        @Test
        void survivesARecordWithAbsurdDurations() {
            MachineBench bench = new MachineBench();
            bench.start();
            Duration absurd = Duration.ofSeconds(Long.MAX_VALUE);
            LeaseRecord record = new LeaseRecord(
                    NAME,
                    5,
                    0,
                    Optional.of(OTHER),
                    Optional.of(new AttemptId("x")),
                    false,
                    absurd,
                    absurd,
                    "",
                    Optional.empty());

            bench.looked(record);

            assertThat(bench.wakeAt()).isBetween(0.000001, 3.0);
        }
    }

    private static List<Class<?>> kinds(List<LeaseEvent> events) {
        return events.stream().<Class<?>>map(LeaseEvent::getClass).toList();
    }
}
