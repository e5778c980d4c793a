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

import io.camellease.core.LeaseEvent.AtRisk;
import io.camellease.core.LeaseEvent.Draining;
import io.camellease.core.LeaseEvent.Granted;
import io.camellease.core.LeaseEvent.HolderChanged;
import io.camellease.core.LeaseEvent.Lost;
import io.camellease.core.LeaseEvent.RecordUnreadable;
import io.camellease.core.LeaseEvent.RecordWentBack;
import io.camellease.core.LeaseEvent.Released;
import io.camellease.core.LeaseEvent.Resumed;
import io.camellease.core.LeaseEvent.Secured;
import io.camellease.core.LeaseEvent.Suspended;
import io.camellease.core.LeaseStoreException.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

            assertThat(bench.abandons).hasSize(1);
            assertThat(bench.releases).containsExactly(late);
            assertThat(bench.events).isEmpty();
            assertThat(bench.machine.state()).isEqualTo(LeaseState.STOPPED);
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
            assertThat(bench.wakeAt()).isEqualTo(1.0);
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

            assertThat(bench.wakeAt()).isBetween(2.4, 3.0);
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

            assertThat(bench.wakeAt()).isBetween(2.4, 3.0);
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
                assertThat(bench.wakeAt()).isBetween(before + 2.4, before + 3);
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

            assertThat(bench.wakeAt()).isBetween(2.4, 3.0);
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
