/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spreads the leases of one client over the nodes: sees who has how many, and says when this node may claim. It asks the store
 * for nothing. Confined to the timer thread.
 */
final class Spread {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseElector.class);

    /** How long others are given to take a lease, in claim intervals: one until they look, one until their turn, one to spare. */
    private static final int PATIENCE = 3;

    private final Collection<LeaseElector> electors;
    private final HolderId self;
    private final long intervalNanos;
    private final Executor events;
    private boolean told;

    /**
     * A spread of nothing yet.
     *
     * @param electors a view of all that there are at any time
     * @param events on which people are told
     */
    Spread(Collection<LeaseElector> electors, HolderId self, LeaseSettings settings, Executor events) {
        this.electors = electors;
        this.self = self;
        this.intervalNanos = settings.claimInterval().toNanos();
        this.events = events;
    }

    /** What the machines are to be told whose leases are vacant and were just looked at, in the order in which this node claims. */
    Map<LeaseElector, LeaseMachine.Input> turns(Collection<LeaseElector> looked, Moment now) {
        Map<LeaseName, LeaseElector> vacant = electors.stream()
                .filter(elector -> elector.isSpread() && candidacy(elector).isVacant())
                .collect(Collectors.toMap(LeaseElector::name, Function.identity()));
        List<Turn> turns = vacant.isEmpty() ? List.of() : ordered(vacant.values(), now);
        report(turns, vacant, looked, now);
        Set<LeaseElector> toTell = new HashSet<>(looked);
        Map<LeaseElector, LeaseMachine.Input> inputs = new LinkedHashMap<>();
        for (Turn turn : turns) {
            LeaseElector elector =
                    Objects.requireNonNull(vacant.get(turn.lease().name()));
            if (toTell.contains(elector) && !turn.withheld()) {
                inputs.put(elector, input(elector, turn));
            }
        }
        return inputs;
    }

    private List<Turn> ordered(Collection<LeaseElector> vacant, Moment now) {
        Standing standing = standing(vacant, now);
        return Turn.of(
                standing,
                vacant.stream().map(elector -> vacant(elector, standing, now)).toList());
    }

    private LeaseMachine.Input input(LeaseElector elector, Turn turn) {
        Moment since = candidacy(elector).vacancy().since();
        Moment due = since.plusNanos(turn.eighths() * intervalNanos / Turn.STEPS);
        return (machine, at) -> machine.candidacy().turn(due, at);
    }

    private static Candidacy candidacy(LeaseElector elector) {
        return elector.machine().candidacy();
    }

    private Vacant vacant(LeaseElector elector, Standing standing, Moment now) {
        Vacancy vacancy = candidacy(elector).vacancy();
        long elapsed = now.nanosSince(vacancy.since()) * Turn.STEPS / intervalNanos;
        return new Vacant(
                elector.name(),
                elector.share(),
                vacancy.lastHolder(),
                vacancy.heldBy(),
                vacancy.isExpired(),
                vacancy.floor(standing.floor()),
                (int) Math.min(Turn.STEPS, elapsed));
    }

    // ---- who has how many

    private Standing standing(Collection<LeaseElector> vacant, Moment now) {
        List<LeaseElector> wanted = electors.stream()
                .filter(elector -> elector.isSpread() && elector.state() != LeaseState.STOPPED)
                .toList();
        List<LeaseElector> mine =
                wanted.stream().filter(LeaseElector::hasOrClaims).toList();
        int recent = (int) mine.stream()
                .filter(elector -> !elector.hasHad(intervalNanos, now))
                .count();
        return new Standing(self, wanted.size(), mine.size(), recent, others(wanted, vacant));
    }

    private Map<HolderId, Integer> others(Collection<LeaseElector> wanted, Collection<LeaseElector> vacant) {
        Map<HolderId, Integer> others = new HashMap<>();
        for (LeaseElector elector : wanted) {
            if (!elector.hasOrClaims()) {
                elector.seenHolder().ifPresent(holder -> others.merge(holder, 1, Integer::sum));
            }
        }
        others.remove(self);
        // whoever was just seen to lose a lease or to give one back is dead or about to leave
        vacant.forEach(elector -> candidacy(elector).vacancy().heldBy().ifPresent(others::remove));
        return others;
    }

    // ---- what nobody takes

    private void report(
            List<Turn> turns, Map<LeaseName, LeaseElector> vacant, Collection<LeaseElector> looked, Moment now) {
        List<LeaseElector> left = turns.stream()
                .filter(Turn::withheld)
                .map(turn -> Objects.requireNonNull(vacant.get(turn.lease().name())))
                .filter(elector -> isLeft(elector, now))
                .toList();
        Set<LeaseElector> withheld = new HashSet<>(left);
        looked.forEach(elector -> elector.withheld(withheld.contains(elector)));
        if (!left.isEmpty() && !told) {
            warn(left.get(0), left.size() - 1);
        }
        told = !left.isEmpty();
    }

    private void warn(LeaseElector first, int more) {
        events.execute(() -> LOG.warn(
                "Nobody holds lease '{}'{}: this node has as many as it may, maxLeases={}, and no other node takes it. Raise"
                        + " maxLeases, or start another node",
                first.name(),
                more == 0 ? "" : " and " + more + " more",
                first.share().maxLeases()));
    }

    private boolean isLeft(LeaseElector elector, Moment now) {
        return now.nanosSince(candidacy(elector).vacancy().since()) >= PATIENCE * intervalNanos;
    }
}
