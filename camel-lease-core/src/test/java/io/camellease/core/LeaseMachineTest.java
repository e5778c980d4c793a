/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static io.camellease.core.MachineBench.ME;
import static io.camellease.core.MachineBench.OTHER;
import static io.camellease.core.MachineBench.absent;
import static io.camellease.core.MachineBench.expired;
import static io.camellease.core.MachineBench.held;
import static io.camellease.core.MachineBench.released;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent.AtRisk;
import io.camellease.core.LeaseEvent.Draining;
import io.camellease.core.LeaseEvent.Granted;
import io.camellease.core.LeaseEvent.Lost;
import io.camellease.core.LeaseEvent.Released;
import io.camellease.core.LeaseEvent.Resumed;
import io.camellease.core.LeaseEvent.Secured;
import io.camellease.core.LeaseEvent.Suspended;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The transitions of {@link LeaseState} and the rules of time, one by one. */
class LeaseMachineTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    /** One row of the diagram of {@link LeaseState}. */
    record Transition(String what, LeaseState from, Consumer<MachineBench> input, LeaseState to) {
        @Override
        public String toString() {
            return from + " -" + what + "- " + to;
        }
    }

    static Stream<Transition> transitions() {
        return Stream.of(
                new Transition("start", LeaseState.STOPPED, MachineBench::start, LeaseState.WAITING),
                new Transition("stop", LeaseState.STOPPED, MachineBench::stop, LeaseState.STOPPED),
                new Transition("give away", LeaseState.STOPPED, MachineBench::giveAway, LeaseState.STOPPED),
                new Transition("start", LeaseState.WAITING, MachineBench::start, LeaseState.WAITING),
                new Transition("stop", LeaseState.WAITING, MachineBench::stop, LeaseState.STOPPED),
                new Transition("give away", LeaseState.WAITING, MachineBench::giveAway, LeaseState.WAITING),
                new Transition("granted", LeaseState.WAITING, bench -> bench.granted(9), LeaseState.HELD),
                new Transition("renewed", LeaseState.HELD, renewal(RenewResult.RENEWED), LeaseState.HELD),
                new Transition("refused", LeaseState.HELD, renewal(RenewResult.LOST), LeaseState.WAITING),
                new Transition("stale", LeaseState.HELD, renewal(RenewResult.STALE), LeaseState.HELD),
                new Transition("renewal fails", LeaseState.HELD, LeaseMachineTest::failRenewal, LeaseState.AT_RISK),
                new Transition("suspicion", LeaseState.HELD, LeaseMachineTest::stepWallClock, LeaseState.AT_RISK),
                new Transition("U", LeaseState.HELD, tickAt(23.4), LeaseState.SUSPENDED),
                new Transition("E", LeaseState.HELD, tickAt(28.4), LeaseState.WAITING),
                new Transition("stop", LeaseState.HELD, MachineBench::stop, LeaseState.DRAINING),
                new Transition("give away", LeaseState.HELD, MachineBench::giveAway, LeaseState.DRAINING),
                new Transition("drained", LeaseState.HELD, MachineBench::drained, LeaseState.HELD),
                new Transition("renewed", LeaseState.AT_RISK, renewal(RenewResult.RENEWED), LeaseState.HELD),
                new Transition("refused", LeaseState.AT_RISK, renewal(RenewResult.LOST), LeaseState.WAITING),
                new Transition("renewal fails", LeaseState.AT_RISK, LeaseMachineTest::failRenewal, LeaseState.AT_RISK),
                new Transition("U", LeaseState.AT_RISK, tickAt(23.4), LeaseState.SUSPENDED),
                new Transition("E", LeaseState.AT_RISK, tickAt(28.4), LeaseState.WAITING),
                new Transition("stop", LeaseState.AT_RISK, MachineBench::stop, LeaseState.DRAINING),
                new Transition("renewed", LeaseState.SUSPENDED, renewal(RenewResult.RENEWED), LeaseState.HELD),
                new Transition("refused", LeaseState.SUSPENDED, renewal(RenewResult.LOST), LeaseState.WAITING),
                new Transition(
                        "renewal fails", LeaseState.SUSPENDED, LeaseMachineTest::failRenewal, LeaseState.SUSPENDED),
                new Transition("E", LeaseState.SUSPENDED, tickAt(28.4), LeaseState.WAITING),
                new Transition("stop", LeaseState.SUSPENDED, MachineBench::stop, LeaseState.DRAINING),
                new Transition("drained", LeaseState.DRAINING, MachineBench::drained, LeaseState.STOPPED),
                new Transition("renewed", LeaseState.DRAINING, renewal(RenewResult.RENEWED), LeaseState.DRAINING),
                new Transition("refused", LeaseState.DRAINING, renewal(RenewResult.LOST), LeaseState.STOPPED),
                new Transition(
                        "renewal fails", LeaseState.DRAINING, LeaseMachineTest::failRenewal, LeaseState.DRAINING),
                new Transition("U", LeaseState.DRAINING, tickAt(23.4), LeaseState.DRAINING),
                new Transition("E", LeaseState.DRAINING, tickAt(28.4), LeaseState.STOPPED),
                new Transition("start", LeaseState.DRAINING, MachineBench::start, LeaseState.DRAINING));
    }

    @ParameterizedTest
    @MethodSource("transitions")
    void goesFromOneStateToAnother(Transition row) {
        MachineBench bench = inState(row.from());

        row.input().accept(bench);

        assertThat(bench.machine.state()).isEqualTo(row.to());
    }

    private static MachineBench inState(LeaseState state) {
        MachineBench bench = state.hasGrant() ? MachineBench.holding() : new MachineBench();
        switch (state) {
            case WAITING -> bench.start();
            case AT_RISK -> bench.renewFailedAt(10);
            case SUSPENDED -> bench.at(23.4).tick();
            case DRAINING -> bench.stop();
            case STOPPED, HELD -> {}
        }
        assertThat(bench.machine.state()).isEqualTo(state);
        return bench;
    }

    private static Consumer<MachineBench> renewal(RenewResult result) {
        return bench -> {
            bench.renew();
            bench.renewReplied(result);
        };
    }

    private static void failRenewal(MachineBench bench) {
        bench.renew();
        bench.renewFailed();
    }

    private static void stepWallClock(MachineBench bench) {
        bench.stepWall(Duration.ofHours(1));
        bench.tick();
    }

    private static Consumer<MachineBench> tickAt(double second) {
        return bench -> bench.at(second).tick();
    }

    @Nested
    class TheGate {

        @Test
        void isOpenUntilUAfterTheSendOfTheClaimNotAfterItsReply() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(absent());
            bench.at(3);
            bench.granted(7, bench.moment(0));

            assertThat(bench.at(23.399).gateIsOpen()).isTrue();
            assertThat(bench.at(23.4).gateIsOpen()).isFalse();
        }

        @Test
        void isOpenUntilUAfterTheSendOfTheNewestRenewalNotAfterItsReply() {
            MachineBench bench = MachineBench.holding();
            bench.at(10).renew();
            bench.at(12.5).renewReplied(RenewResult.RENEWED);

            assertThat(bench.at(33.399).gateIsOpen()).isTrue();
            assertThat(bench.at(33.4).gateIsOpen()).isFalse();
        }

        @Test
        void needsNoTickToClose() {
            MachineBench bench = MachineBench.holding();

            bench.at(100);

            assertThat(bench.machine.state()).isEqualTo(LeaseState.HELD);
            assertThat(bench.gateIsOpen()).isFalse();
        }

        @Test
        void closesAtOnceWhenTheStoreRefuses() {
            MachineBench bench = MachineBench.holding();
            bench.at(10).renew();
            bench.renewReplied(RenewResult.LOST);

            assertThat(bench.gateIsOpen()).isFalse();
        }

        @Test
        void staysOpenWhenARenewalFails() {
            MachineBench bench = MachineBench.holding();
            bench.at(10).renew();
            bench.at(13).renewFailed();

            assertThat(bench.gateIsOpen()).isTrue();
        }

        @Test
        void isClosedForGoodOnceTheElectorIsForgotten() {
            MachineBench bench = MachineBench.holding();

            bench.take(LeaseMachine::forget);

            assertThat(bench.gateIsOpen()).isFalse();
            assertThat(bench.machine.state()).isEqualTo(LeaseState.STOPPED);
            assertThat(bench.machine.wakeAt()).isEmpty();
            assertThat(bench.events).isEmpty();
        }
    }

    @Nested
    class ARenewal {

        @Test
        void isSentNoLaterThanRAfterTheOneBefore() {
            MachineBench bench = MachineBench.holding();
            for (int i = 1; i <= 200; i++) {
                double sent = bench.second(bench.machine.validity().sentAt().nanos());
                assertThat(bench.wakeAt()).isBetween(sent + 9, sent + 10);
                bench.at(bench.wakeAt()).renew();
                bench.renewReplied(RenewResult.RENEWED);
            }
        }

        @Test
        void isNotSentWhileAnotherIsUnderWay() {
            MachineBench bench = MachineBench.holding();
            bench.at(10).renew();

            assertThat(bench.at(22).renewalDue()).isFalse();
        }

        @Test
        void takesANewNumberAndANewNonceEachTime() {
            MachineBench bench = MachineBench.holding();
            Renewal first = bench.at(10).renew();
            bench.renewFailed();
            Renewal second = bench.at(11).renew();

            assertThat(first.seq()).isEqualTo(1);
            assertThat(second.seq()).isEqualTo(2);
            assertThat(second.nonce()).isNotEqualTo(first.nonce());
        }

        @Test
        void thatFailedIsFollowedSoonerThanUsual() {
            MachineBench bench = MachineBench.holding();
            bench.at(10).renew();
            bench.at(10.1).renewFailed();

            assertThat(bench.wakeAt()).isLessThanOrEqualTo(10.1 + 0.75);
        }

        @Test
        void thatFailedIsFollowedNoLaterThanRAfterItsSendThoughLooksAreRarer() {
            LeaseSettings rareLooks = LeaseSettings.builder(Duration.ofSeconds(30))
                    .renewInterval(Duration.ofSeconds(2))
                    .storeTimeout(Duration.ofSeconds(1))
                    .claimInterval(Duration.ofSeconds(20))
                    .build();
            MachineBench bench = new MachineBench(rareLooks);
            bench.start();
            bench.granted(7);

            for (int failures = 0; failures < 5; failures++) {
                double sent = bench.wakeAt();
                bench.at(sent).renew();
                bench.at(sent + 0.1).renewFailed();
                assertThat(bench.wakeAt()).isBetween(sent + 0.1, sent + 2.000001);
            }
        }

        @Test
        void thatFailedPutsTheLeaseAtRiskOnceAndTheNextSecuresIt() {
            MachineBench bench = MachineBench.holding();
            bench.at(10).renew();
            bench.at(10.5).renewFailed();
            bench.at(11).renew();
            bench.at(11.5).renewFailed();
            bench.at(12).renew();
            bench.at(12.5).renewReplied(RenewResult.RENEWED);

            assertThat(bench.events).hasSize(2);
            assertThat(bench.events.get(0))
                    .isInstanceOfSatisfying(AtRisk.class, event -> assertThat(event.untilSuspension())
                            .isEqualTo(Duration.ofMillis(12_900)));
            assertThat(bench.events.get(1)).isInstanceOf(Secured.class);
        }

        @Test
        void thatSucceedsAfterUResumesUnderTheSameToken() {
            MachineBench bench = MachineBench.holding();
            bench.at(10).renew();
            bench.at(16).renewFailed();
            bench.at(16.5).renew();
            bench.at(23.4).tick();
            assertThat(bench.gateIsOpen()).isFalse();

            bench.at(24).renewReplied(RenewResult.RENEWED);

            assertThat(bench.gateIsOpen()).isTrue();
            assertThat(kinds(bench.events)).containsExactly(AtRisk.class, Suspended.class, Resumed.class);
            assertThat(bench.machine.validity().lease().token().value()).isEqualTo(7);
        }

        @Test
        void thatSucceedsAfterEDoesNotReviveTheGrant() {
            MachineBench bench = MachineBench.holding();
            bench.at(22).renew();

            bench.at(28.4).renewReplied(RenewResult.RENEWED);

            assertThat(bench.gateIsOpen()).isFalse();
            assertThat(bench.machine.state()).isEqualTo(LeaseState.WAITING);
            assertThat(bench.events).singleElement().isInstanceOfSatisfying(Lost.class, lost -> assertThat(
                            lost.reason())
                    .isEqualTo(LossReason.EXPIRED));
        }

        @Test
        void ofAnEarlierGrantSaysNothingAboutThisOne() {
            MachineBench bench = MachineBench.holding();
            Renewal old = bench.at(10).renew();
            Moment oldSentAt = bench.now;
            bench.at(28.4).tick();
            bench.drained();
            bench.granted(8);
            bench.forgetSoFar();

            bench.renewReplied(old, oldSentAt, RenewResult.LOST);

            assertThat(bench.events).isEmpty();
            assertThat(bench.gateIsOpen()).isTrue();
        }

        @Test
        void thatIsStaleExtendsNothingAndIsFollowedSoon() {
            MachineBench bench = MachineBench.holding();
            bench.at(10).renew();
            bench.renewReplied(RenewResult.STALE);

            assertThat(bench.events).isEmpty();
            assertThat(bench.wakeAt()).isLessThanOrEqualTo(10.75);
            assertThat(bench.at(23.4).gateIsOpen()).isFalse();
        }

        @Test
        void isNotSentForALostGrant() {
            MachineBench bench = MachineBench.holding();
            bench.at(10).renew();
            bench.renewReplied(RenewResult.LOST);

            assertThat(bench.at(30).renewalDue()).isFalse();
        }
    }

    @Nested
    class ASuspicion {

        @Test
        void closesTheGateAtOnceAndARenewalSentAfterwardsOpensIt() {
            MachineBench bench = MachineBench.holding();
            bench.at(5).stepWall(Duration.ofHours(1));
            bench.tick();

            assertThat(bench.gateIsOpen()).isFalse();
            assertThat(bench.at(5.1).renewalDue()).isTrue();
            bench.renew();
            bench.at(5.2).renewReplied(RenewResult.RENEWED);

            assertThat(bench.gateIsOpen()).isTrue();
            assertThat(kinds(bench.events)).containsExactly(AtRisk.class, Secured.class);
        }

        @Test
        void saysThatNothingMayBeginUntilTheRenewal() {
            MachineBench bench = MachineBench.holding();
            bench.at(5).stepWall(Duration.ofHours(1));
            bench.tick();

            assertThat(bench.events).singleElement().isInstanceOfSatisfying(AtRisk.class, atRisk -> assertThat(
                            atRisk.untilSuspension())
                    .isZero());
        }

        @Test
        void isNotClearedByARenewalThatWasSentBeforeIt() {
            MachineBench bench = MachineBench.holding();
            bench.at(10).renew();
            bench.at(10.1).stepWall(Duration.ofHours(1));
            bench.tick();

            bench.at(10.2).renewReplied(RenewResult.RENEWED);
            assertThat(bench.gateIsOpen()).isFalse();
            assertThat(bench.at(10.21).renewalDue()).isTrue();

            bench.renew();
            bench.at(10.3).renewReplied(RenewResult.RENEWED);
            assertThat(bench.gateIsOpen()).isTrue();
        }

        @Test
        void isNotClearedByARenewalOfTheSameInstantButByOneRightAfter() {
            MachineBench bench = MachineBench.holding();
            bench.at(5).stepWall(Duration.ofHours(1));
            bench.tick();
            assertThat(bench.renewalDue()).isFalse();

            bench.at(5.000_000_001).renew();
            bench.renewReplied(RenewResult.RENEWED);

            assertThat(bench.gateIsOpen()).isTrue();
        }

        @Test
        void isNotClearedByTheClockBeingSteppedBackAgain() {
            MachineBench bench = MachineBench.holding();
            bench.at(5).stepWall(Duration.ofHours(1));
            bench.tick();
            bench.stepWall(Duration.ofHours(-1));

            assertThat(bench.gateIsOpen()).isFalse();
        }

        @Test
        void isTheLaterOneWhenTwoThreadsReportInTheWrongOrder() {
            MachineBench bench = MachineBench.holding();
            Moment earlier = bench.moment(5);
            Moment later = bench.moment(7);
            bench.at(8);
            bench.take((machine, at) -> machine.suspect(later));
            bench.take((machine, at) -> machine.suspect(earlier));

            bench.renewReplied(bench.renew(), bench.moment(6), RenewResult.RENEWED);

            assertThat(bench.gateIsOpen()).isFalse();
        }

        @Test
        void thatIsReportedAfterALaterRenewalSucceededIsOver() {
            MachineBench bench = MachineBench.holding();
            Moment before = bench.moment(9);
            bench.at(10).renew();
            bench.renewReplied(RenewResult.RENEWED);

            bench.take((machine, at) -> machine.suspect(before));

            assertThat(bench.gateIsOpen()).isTrue();
            assertThat(bench.events).isEmpty();
        }

        @Test
        void isMadeByAHostThatWasSuspendedForLongerThanU() {
            MachineBench bench = MachineBench.holding();
            bench.at(5).stepWall(Duration.ofSeconds(19));

            assertThat(bench.gateIsOpen()).isFalse();
        }

        @Test
        void isAlsoMadeByTheFirstReplyThatComesLate() {
            MachineBench bench = MachineBench.holding();
            bench.at(10).renew();
            bench.stepWall(Duration.ofHours(1));

            bench.at(10.1).renewReplied(RenewResult.RENEWED);

            assertThat(bench.gateIsOpen()).isFalse();
            assertThat(bench.machine.state()).isEqualTo(LeaseState.AT_RISK);
        }

        @Test
        void holdsForAGrantWhoseClaimWasSentBeforeIt() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(absent());
            bench.stepWall(Duration.ofHours(1));
            bench.at(0.1);
            bench.granted(7, new Moment(bench.now.nanos(), bench.now.wallMillis() - 3_600_000));

            assertThat(bench.machine.state()).isEqualTo(LeaseState.AT_RISK);
            assertThat(bench.gateIsOpen()).isFalse();
            assertThat(bench.at(0.2).renewalDue()).isTrue();
            assertThat(kinds(bench.events)).containsExactly(Granted.class, AtRisk.class);
        }

        @Test
        void neverEndsAGrant() {
            MachineBench bench = MachineBench.holding();
            bench.at(5).stepWall(Duration.ofHours(1));
            bench.tick();

            assertThat(bench.machine.state().hasGrant()).isTrue();
        }

        @Test
        void isNotMadeByAWallClockThatWasSteppedBack() {
            MachineBench bench = MachineBench.holding();
            bench.at(5).stepWall(Duration.ofHours(-1));

            assertThat(bench.gateIsOpen()).isTrue();
            assertThat(bench.at(23.4).gateIsOpen()).isFalse();
        }
    }

    @Nested
    class AskedToStop {

        @Test
        void goesOnRenewingUntilItIsDrainedAndReleasesOnlyThen() {
            MachineBench bench = MachineBench.holding();
            bench.at(5).stop();

            bench.at(10);
            assertThat(bench.renewalDue()).isTrue();
            bench.renew();
            bench.renewReplied(RenewResult.RENEWED);
            assertThat(bench.releases).isEmpty();

            bench.at(15).drained();
            assertThat(bench.releases).hasSize(1);
            assertThat(kinds(bench.events)).containsExactly(Draining.class, Released.class);
        }

        @Test
        void stopsRenewingWhenTheDrainTakesTooLongAndDoesNotRelease() {
            MachineBench bench = MachineBench.holding();
            bench.stop();
            renewUntil(bench, 60);

            assertThat(bench.at(61).renewalDue()).isFalse();
            bench.at(100).tick();

            assertThat(bench.releases).isEmpty();
            assertThat(bench.machine.state()).isEqualTo(LeaseState.STOPPED);
            assertThat(kinds(bench.events)).containsExactly(Draining.class, Lost.class);
        }

        @Test
        void takesAnEarlyRenewalAlthoughTheDrainEndsSoon() {
            MachineBench bench = MachineBench.holding();
            bench.stop();
            renewUntil(bench, 55);
            bench.at(bench.wakeAt());
            long ahead = Duration.ofSeconds(10).toNanos();

            assertThat(bench.machine.renewalDue(bench.now.nanos(), ahead))
                    .as("a renewal that is due now is also due for a batch that looks ahead")
                    .isEqualTo(bench.renewalDue());
        }

        @Test
        void stopsRenewingAtOnceWhenTheDrainIsAbandoned() {
            MachineBench bench = MachineBench.holding();
            bench.at(5).stop();
            bench.take(LeaseMachine::drainAbandoned);

            assertThat(bench.at(10).renewalDue()).isFalse();
            bench.at(28.4).tick();
            assertThat(bench.releases).isEmpty();
        }

        @Test
        void isReleasedEarlyIfTheWorkEndsAfterTheDrainWasAbandoned() {
            MachineBench bench = MachineBench.holding();
            bench.at(5).stop();
            bench.take(LeaseMachine::drainAbandoned);

            bench.at(20).drained();

            assertThat(bench.releases).hasSize(1);
        }

        @Test
        void isLostNotReleasedIfTheDrainEndsAfterE() {
            MachineBench bench = MachineBench.holding();
            bench.stop();

            bench.at(28.4).drained();

            assertThat(kinds(bench.events)).containsExactly(Draining.class, Lost.class);
            assertThat(bench.releases)
                    .as("the record may still be ours by the store's clock")
                    .hasSize(1);
        }

        @Test
        void dropsAGrantThatComesTooLate() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(absent());
            bench.stop();

            Lease late = bench.granted(7, bench.now);

            assertThat(bench.abandons).isEmpty();
            assertThat(bench.releases).containsExactly(late);
            assertThat(bench.events).isEmpty();
            assertThat(bench.machine.state()).isEqualTo(LeaseState.STOPPED);
        }

        @Test
        void givesUpAClaimWhoseOutcomeStaysUnknown() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.looked(absent());
            bench.stop();
            assertThat(bench.abandons).isEmpty();

            bench.claimFailed(bench.now, LeaseStoreException.Problem.UNAVAILABLE);

            assertThat(bench.abandons).hasSize(1);
            assertThat(bench.releases).isEmpty();
        }

        @Test
        void isACandidateAgainAfterTheDrainIfItWasStartedMeanwhile() {
            MachineBench bench = MachineBench.holding();
            bench.stop();
            bench.start();
            bench.drained();

            assertThat(bench.machine.state()).isEqualTo(LeaseState.WAITING);
            assertThat(bench.lookDue()).isTrue();
        }

        @Test
        void saysNothingAboutTheRecordAfterwards() {
            MachineBench bench = new MachineBench();
            bench.start();
            bench.machine.candidacy().lookSent();
            bench.stop();

            bench.take((machine, at) -> machine.candidacy().looked(held(OTHER, 5, 0, LONG), bench.clock, at));
            bench.take((machine, at) -> machine.candidacy().unreadable("damaged", at));

            assertThat(bench.events).isEmpty();
            assertThat(bench.claims).isEmpty();
        }
    }

    @Nested
    class Drained {

        @Test
        void forAnEarlierGrantDoesNotReleaseThisOne() {
            MachineBench bench = MachineBench.holding();
            Lease first = bench.machine.validity().lease();
            bench.at(28.4).tick();
            bench.drained();
            bench.granted(8);
            bench.stop();
            bench.forgetSoFar();

            bench.take((machine, at) -> machine.drained(first, at));

            assertThat(bench.releases).isEmpty();
            assertThat(bench.machine.state()).isEqualTo(LeaseState.DRAINING);
        }

        @Test
        void twiceReleasesOnce() {
            MachineBench bench = MachineBench.holding();
            bench.stop();
            bench.drained();
            bench.drained();

            assertThat(bench.releases).hasSize(1);
        }

        @Test
        void afterARefusalReleasesNothing() {
            MachineBench bench = MachineBench.holding();
            bench.at(10).renew();
            bench.renewReplied(RenewResult.LOST);
            bench.drained();

            assertThat(bench.releases).isEmpty();
        }

        @Test
        void isWaitedForBeforeTheNextClaim() {
            MachineBench bench = MachineBench.holding();
            bench.at(28.4).tick();

            bench.at(29).looked(expired(ME, 7, 0));
            assertThat(bench.claims).isEmpty();

            bench.at(40).drained();
            bench.looked(expired(ME, 7, 0));
            assertThat(bench.claims).hasSize(1);
        }
    }

    @Nested
    class GivenAway {

        @Test
        void isNotClaimedAgainForOneTtl() {
            MachineBench bench = MachineBench.holding();
            bench.at(5).giveAway();
            bench.drained();
            assertThat(bench.machine.state()).isEqualTo(LeaseState.WAITING);

            bench.at(34.9).looked(released(ME, 7));
            assertThat(bench.claims).isEmpty();

            bench.at(35).looked(released(ME, 7));
            assertThat(bench.claims).hasSize(1);
        }

        @Test
        void andLostMeanwhileIsNotClaimedAgainForOneTtlEither() {
            MachineBench bench = MachineBench.holding();
            bench.at(5).giveAway();
            bench.renew();
            bench.renewReplied(RenewResult.LOST);
            bench.drained();

            bench.at(34.9).looked(released(OTHER, 8));
            assertThat(bench.claims).isEmpty();
        }
    }

    private static void renewUntil(MachineBench bench, double second) {
        while (bench.wakeAt() < second) {
            bench.at(bench.wakeAt());
            bench.tick();
            if (bench.renewalDue()) {
                bench.renew();
                bench.renewReplied(RenewResult.RENEWED);
            }
        }
    }

    private static List<Class<?>> kinds(List<LeaseEvent> events) {
        return events.stream().<Class<?>>map(LeaseEvent::getClass).toList();
    }
}
