/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * The promises of one machine over random inputs: whatever the user asks for, the store answers or does not, and the clocks
 * do.
 */
class LeaseMachinePropertyTest {

    private static final long USABLE = MachineBench.SETTINGS.usableNanos();
    private static final long VALID = MachineBench.SETTINGS.validNanos();

    enum Happens {
        START,
        STOP,
        GIVE_AWAY,
        DRAINED,
        DRAIN_ABANDONED,
        ANSWERED_WELL,
        ANSWERED_BADLY,
        FAILED,
        MUST_BE_MENDED,
        STALE_OR_SPENT,
        WALL_CLOCK_STEPS,
        WALL_CLOCK_STEPS_BACK,
        STORE_CLOCK_STEPS,
        STORE_CLOCK_STEPS_BACK,
        GATE_SUSPECTS,
        NOTHING
    }

    /** @param afterMillis how long after the event before it */
    record Step(long afterMillis, Happens what) {}

    @Provide
    Arbitrary<List<Step>> histories() {
        Arbitrary<Long> pauses = Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.longs().between(0, 400)),
                Tuple.of(4, Arbitraries.longs().between(400, 9_000)),
                Tuple.of(1, Arbitraries.longs().between(9_000, 60_000)));
        Arbitrary<Happens> happenings = Arbitraries.frequency(
                Tuple.of(12, Happens.ANSWERED_WELL),
                Tuple.of(4, Happens.START),
                Tuple.of(1, Happens.STOP),
                Tuple.of(1, Happens.GIVE_AWAY),
                Tuple.of(4, Happens.DRAINED),
                Tuple.of(1, Happens.DRAIN_ABANDONED),
                Tuple.of(1, Happens.ANSWERED_BADLY),
                Tuple.of(4, Happens.FAILED),
                Tuple.of(1, Happens.MUST_BE_MENDED),
                Tuple.of(1, Happens.STALE_OR_SPENT),
                Tuple.of(1, Happens.WALL_CLOCK_STEPS),
                Tuple.of(1, Happens.WALL_CLOCK_STEPS_BACK),
                Tuple.of(1, Happens.STORE_CLOCK_STEPS),
                Tuple.of(1, Happens.STORE_CLOCK_STEPS_BACK),
                Tuple.of(1, Happens.GATE_SUSPECTS),
                Tuple.of(2, Happens.NOTHING));
        return Combinators.combine(pauses, happenings)
                .as(Step::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(80);
    }

    @Property(tries = 3_000, shrinking = ShrinkingMode.BOUNDED)
    void keepsItsPromises(@ForAll("histories") List<Step> history) {
        World world = new World();
        for (Step step : history) {
            world.take(step);
            world.check();
        }
    }

    /** A machine, the calls it has under way, and what a faithful observer knows of its grant. */
    private static final class World {

        private final MachineBench bench = new MachineBench();
        private long nextToken = 1;

        private @Nullable Renewal renewal;
        private Moment renewalSentAt = bench.now;
        private boolean looking;
        private @Nullable Claim claim;
        private @Nullable Moment claimFirstSentAt;
        private Moment claimSentAt = bench.now;

        private @Nullable Lease grant;
        private Moment newestSuccessSentAt = bench.now;
        private boolean workRuns;
        private @Nullable LeaseEvent lastEventOfGrant;
        private double second;

        void take(Step step) {
            second += step.afterMillis() / 1000.0;
            bench.at(second);
            happen(step.what());
            carryOut();
            serve();
        }

        private void happen(Happens what) {
            switch (what) {
                case START -> bench.start();
                case STOP -> bench.stop();
                case GIVE_AWAY -> bench.giveAway();
                case DRAINED -> drained();
                case DRAIN_ABANDONED -> bench.take(LeaseMachine::drainAbandoned);
                case ANSWERED_WELL, ANSWERED_BADLY, FAILED, MUST_BE_MENDED, STALE_OR_SPENT -> answer(what);
                case WALL_CLOCK_STEPS -> bench.stepWall(Duration.ofHours(1));
                case WALL_CLOCK_STEPS_BACK -> bench.stepWall(Duration.ofHours(-1));
                case STORE_CLOCK_STEPS -> bench.stepStoreClock(Duration.ofHours(1));
                case STORE_CLOCK_STEPS_BACK -> bench.stepStoreClock(Duration.ofHours(-1));
                case GATE_SUSPECTS -> bench.take(LeaseMachine::suspect);
                case NOTHING -> {}
            }
        }

        private void drained() {
            bench.take(LeaseMachine::drained);
            if (!bench.machine.state().hasGrant()) {
                workRuns = false;
            }
        }

        private void answer(Happens how) {
            if (renewal != null) {
                answerRenewal(how);
            } else if (claim != null) {
                answerClaim(how);
            } else if (looking) {
                answerLook(how);
            }
        }

        private void answerRenewal(Happens how) {
            Renewal answered = renewal;
            Moment sentAt = renewalSentAt;
            renewal = null;
            boolean current = answered.lease().equals(grant) && !isOver();
            switch (how) {
                case ANSWERED_WELL -> {
                    newestSuccessSentAt = current ? sentAt : newestSuccessSentAt;
                    bench.renewReplied(answered, sentAt, RenewResult.RENEWED);
                }
                case ANSWERED_BADLY -> bench.renewReplied(answered, sentAt, RenewResult.LOST);
                case STALE_OR_SPENT -> bench.renewReplied(answered, sentAt, RenewResult.STALE);
                default -> bench.take((machine, at) -> machine.renewFailed(answered, sentAt, at));
            }
        }

        private void answerClaim(Happens how) {
            Claim answered = claim;
            Moment sentAt = claimSentAt;
            claim = null;
            switch (how) {
                case ANSWERED_WELL -> {
                    Lease lease = new Lease(
                            answered.name(),
                            answered.holder(),
                            new FencingToken(++nextToken),
                            answered.attempt(),
                            answered.ttl());
                    newestSuccessSentAt = claimFirstSentAt;
                    bench.claimReplied(answered, sentAt, new ClaimResult.Granted(lease, Map.of(), Instant.EPOCH));
                }
                case ANSWERED_BADLY ->
                    bench.claimReplied(
                            answered,
                            sentAt,
                            new ClaimResult.HeldByOther(
                                    MachineBench.held(MachineBench.OTHER, ++nextToken, 0, Duration.ofSeconds(20)),
                                    Instant.EPOCH));
                case STALE_OR_SPENT -> bench.claimReplied(answered, sentAt, new ClaimResult.Spent(Instant.EPOCH));
                default -> {
                    LeaseStoreException.Problem problem = how == Happens.MUST_BE_MENDED
                            ? LeaseStoreException.Problem.MISCONFIGURED
                            : LeaseStoreException.Problem.UNAVAILABLE;
                    bench.take((machine, at) -> machine.candidacy().claimFailed(answered, sentAt, problem, at));
                }
            }
        }

        private void answerLook(Happens how) {
            looking = false;
            switch (how) {
                case ANSWERED_WELL -> bench.looked(MachineBench.expired(MachineBench.OTHER, nextToken, 0));
                case ANSWERED_BADLY ->
                    bench.looked(MachineBench.held(MachineBench.OTHER, nextToken, 1, Duration.ofSeconds(20)));
                case STALE_OR_SPENT -> bench.looked(MachineBench.absent());
                default ->
                    bench.take((machine, at) ->
                            machine.candidacy().lookFailed(LeaseStoreException.Problem.UNAVAILABLE, at));
            }
        }

        /** What the shell does after every input: what is due now is ticked and sent. */
        private void serve() {
            if (bench.wakeAt() >= 0 && bench.wakeAt() <= bench.second(bench.now.nanos())) {
                bench.tick();
                carryOut();
            }
            if (bench.renewalDue()) {
                assertThat(renewal)
                        .as("a renewal under way of %s", grant)
                        .satisfiesAnyOf(under -> assertThat(under).isNull(), under -> assertThat(under.lease())
                                .isNotEqualTo(grant));
                renewal = bench.machine.nextRenewal();
                renewalSentAt = bench.now;
                assertThat(renewal.lease())
                        .as("only the present grant is renewed")
                        .isEqualTo(grant);
                assertThat(isOver()).as("a grant past E is renewed").isFalse();
            }
            if (bench.lookDue()) {
                assertThat(looking).as("two looks under way").isFalse();
                bench.machine.candidacy().lookSent();
                looking = true;
            }
        }

        private void carryOut() {
            bench.events.forEach(this::follow);
            bench.events.clear();
            for (Claim sent : bench.claims) {
                assertThat(workRuns)
                        .as("a claim although work under the last grant runs")
                        .isFalse();
                assertThat(bench.machine.state()).isEqualTo(LeaseState.WAITING);
                claimFirstSentAt = sent.equals(claim) || isResend(sent) ? claimFirstSentAt : bench.now;
                lastClaim = sent;
                claim = sent;
                claimSentAt = bench.now;
            }
            bench.claims.clear();
        }

        private @Nullable Claim lastClaim;

        private boolean isResend(Claim sent) {
            return sent.equals(lastClaim);
        }

        private void follow(LeaseEvent event) {
            if (event instanceof LeaseEvent.OfGrant ofGrant) {
                assertThat(event.getClass())
                        .as("what follows %s", lastEventOfGrant)
                        .isIn(successors());
                lastEventOfGrant = event;
                if (event instanceof LeaseEvent.Granted) {
                    assertThat(ofGrant.lease().token().value()).isEqualTo(nextToken);
                    grant = ofGrant.lease();
                    workRuns = true;
                } else {
                    assertThat(ofGrant.lease()).isEqualTo(grant);
                }
                if (event instanceof LeaseEvent.Released || event instanceof LeaseEvent.Lost) {
                    grant = null;
                }
                if (event instanceof LeaseEvent.Released) {
                    workRuns = false;
                }
            }
        }

        private Set<Class<?>> successors() {
            LeaseEvent last = lastEventOfGrant;
            if (last == null || last instanceof LeaseEvent.Lost || last instanceof LeaseEvent.Released) {
                return Set.of(LeaseEvent.Granted.class);
            }
            if (last instanceof LeaseEvent.AtRisk) {
                return Set.of(
                        LeaseEvent.Secured.class,
                        LeaseEvent.Suspended.class,
                        LeaseEvent.Draining.class,
                        LeaseEvent.Lost.class);
            }
            if (last instanceof LeaseEvent.Suspended) {
                return Set.of(LeaseEvent.Resumed.class, LeaseEvent.Draining.class, LeaseEvent.Lost.class);
            }
            if (last instanceof LeaseEvent.Draining) {
                return Set.of(LeaseEvent.Released.class, LeaseEvent.Lost.class);
            }
            return Set.of(
                    LeaseEvent.AtRisk.class,
                    LeaseEvent.Suspended.class,
                    LeaseEvent.Draining.class,
                    LeaseEvent.Lost.class);
        }

        private boolean isOver() {
            return bench.now.nanosSince(newestSuccessSentAt) >= VALID;
        }

        void check() {
            assertThat(bench.machine.state().hasGrant())
                    .as("the events tell of a grant exactly while there is one")
                    .isEqualTo(grant != null);
            if (bench.gateIsOpen()) {
                assertThat(bench.now.nanosSince(newestSuccessSentAt))
                        .as("time since the send of the newest success while the gate is open")
                        .isLessThan(USABLE);
            }
            if (grant != null) {
                assertThat(isOver()).as("past E by what the machine was told").isFalse();
            }
            if (bench.machine.state() != LeaseState.STOPPED) {
                boolean sleeps = bench.wakeAt() < 0;
                assertThat(sleeps && !looking && claim == null && renewal == null)
                        .as("nothing would ever happen again")
                        .isFalse();
                assertThat(grant != null && sleeps)
                        .as("a grant without a wake-up")
                        .isFalse();
                assertThat(sleeps || bench.wakeAt() > bench.second(bench.now.nanos()))
                        .as("the loop would spin")
                        .isTrue();
            }
        }
    }
}
