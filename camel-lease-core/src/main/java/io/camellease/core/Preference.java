/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The order in which a node claims vacant leases. Nodes that know of each other begin with different ones, each with those for
 * which a hash of node and lease is largest, so that they seldom claim the same. Pure.
 *
 * @param rank 0 comes first
 * @param score larger comes first, unsigned
 */
record Preference(Vacant lease, int rank, long score) {

    private static final Comparator<Preference> ORDER = Comparator.comparingInt(Preference::rank)
            .thenComparing(Preference::score, (a, b) -> Long.compareUnsigned(b, a))
            .thenComparing(preference -> preference.lease().name().value());

    /** The order of the node whose standing that is. */
    static List<Vacant> order(Standing standing, Collection<Vacant> vacant) {
        return vacant.stream()
                .map(lease -> of(standing, lease))
                .sorted(ORDER)
                .map(Preference::lease)
                .toList();
    }

    private static Preference of(Standing standing, Vacant lease) {
        long score = hash(standing.self(), lease.name());
        return new Preference(lease, rankOf(standing, lease, score), score);
    }

    private static int rankOf(Standing standing, Vacant lease, long score) {
        HolderId self = standing.self();
        if (lease.isFor(self)) {
            return 0;
        }
        if (lease.isForAnother(self)) {
            return 3;
        }
        // what this node had before an outage of the store it need not move
        boolean wasMine = lease.lastHolder().filter(self::equals).isPresent();
        return wasMine || isHighest(score, standing, lease.name()) ? 1 : 2;
    }

    private static boolean isHighest(long score, Standing standing, LeaseName name) {
        return standing.others().keySet().stream()
                .noneMatch(other -> Long.compareUnsigned(hash(other, name), score) > 0);
    }

    /** Evenly spread, the same on every node. */
    static long hash(HolderId node, LeaseName name) {
        long mixed = 0xcbf29ce484222325L;
        for (String text : new String[] {node.value(), name.value()}) {
            for (int i = 0; i < text.length(); i++) {
                mixed = (mixed ^ text.charAt(i)) * 0x100000001b3L;
            }
            mixed = (mixed ^ 0xffff) * 0x100000001b3L;
        }
        mixed = (mixed ^ (mixed >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ (mixed >>> 33);
    }
}
