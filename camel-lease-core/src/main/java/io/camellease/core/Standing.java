/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.Map;

/**
 * How many leases which node has, as one node sees it. What others hold it knows from the records that it reads as a candidate; a
 * node that holds nothing cannot be seen.
 *
 * @param self this node
 * @param wanted how many leases this node holds or is a candidate for
 * @param held how many it holds, or waits to be granted
 * @param recent how many of those it was granted less than one claim interval ago
 * @param others how many each node holds that this one knows to be alive
 */
record Standing(HolderId self, int wanted, int held, int recent, Map<HolderId, Integer> others) {

    Standing {
        others = Map.copyOf(others);
    }

    boolean isAlone() {
        return others.isEmpty();
    }

    /** What the other node has that has the least; if there is none, what this node had before it began to claim. */
    int floor() {
        return others.values().stream().mapToInt(Integer::intValue).min().orElse(held - recent);
    }
}
