/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.List;
import java.util.stream.IntStream;

/**
 * When a node may claim a vacant lease, and whether at all. The more it has, the later: all nodes rise together like water, from
 * the level of whoever had least, to the number of all leases after one claim interval. Pure.
 *
 * @param lease that is vacant
 * @param eighths how many eighths of a claim interval it waits after the lease became vacant, 0 to 8: in steps, so that few looks
 *     serve many leases
 * @param withheld whether this node has as many leases as it may, so that it leaves this one to others
 */
record Turn(Vacant lease, int eighths, boolean withheld) {

    static final int STEPS = 8;

    /** Of a claim interval, if this node may well be the only one. */
    private static final double SHORT = 0.25;

    /** The turns of one node, in the order in which it claims. */
    static List<Turn> of(Standing standing, List<Vacant> vacant) {
        List<Vacant> ordered = Preference.order(standing, vacant);
        return IntStream.range(0, ordered.size())
                .mapToObj(place -> of(standing, ordered.get(place), place))
                .toList();
    }

    /**
     * The turn for one lease.
     *
     * @param place how many leases come before it
     */
    private static Turn of(Standing standing, Vacant lease, int place) {
        boolean withheld = standing.held() + place >= lease.share().maxLeases();
        return new Turn(lease, eighths(standing, lease, place), withheld);
    }

    private static int eighths(Standing standing, Vacant lease, int place) {
        if (lease.isFor(standing.self())) {
            return 0;
        }
        if (lease.isForAnother(standing.self())) {
            return STEPS;
        }
        double part = standing.isAlone() ? whenAlone(standing, lease, place) : amongOthers(standing, lease, place);
        int step = (int) Math.max(0, Math.min(STEPS - 1, part * STEPS));
        return isAhead(standing, lease, place) ? Math.max(step, Math.min(STEPS - 1, lease.elapsed() + 1)) : step;
    }

    /** Whether this node would have so much more than another one that it lets that catch up, as long as there is time. */
    private static boolean isAhead(Standing standing, Vacant lease, int place) {
        double lead = (double) (standing.wanted() - lease.floor()) / (2 * STEPS);
        return !standing.isAlone() && standing.held() + place >= standing.floor() + Math.max(1, lead);
    }

    /** Others that hold nothing may be there, and are seen as soon as they hold something. */
    private static double whenAlone(Standing standing, Vacant lease, int place) {
        double part = part(standing, lease, place);
        // all look at the end of a grant, so that those who are there have claimed something very soon
        return lease.expired() ? part * SHORT : part;
    }

    private static double amongOthers(Standing standing, Vacant lease, int place) {
        int below = standing.floor() - standing.held();
        double part = part(standing, lease, place);
        if (below <= 0 || lease.heldBy().isPresent()) {
            return place < below ? 0 : part;
        }
        // of a lease that nobody was seen to hold, other nodes that have just been started want their part as well
        return place < below ? SHORT * place / below : Math.max(SHORT, part);
    }

    private static double part(Standing standing, Vacant lease, int place) {
        double level = standing.held() + place - lease.floor();
        return level / Math.max(1, standing.wanted() - lease.floor());
    }
}
