/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.Optional;

/**
 * A lease without a holder that this node may claim.
 *
 * @param name of the lease
 * @param share how it takes part
 * @param lastHolder whose the latest grant was; empty if there never was one
 * @param heldBy who held it before the eyes of this node; empty if nobody did
 * @param expired whether that grant ran out, and was not given back
 * @param floor how many leases this node's turn is counted from
 * @param elapsed how many eighths of a claim interval have passed since it became vacant
 */
record Vacant(
        LeaseName name,
        Share share,
        Optional<HolderId> lastHolder,
        Optional<HolderId> heldBy,
        boolean expired,
        int floor,
        int elapsed) {

    boolean isFor(HolderId node) {
        return share.preferredNode().filter(node.label()::equals).isPresent();
    }

    /** Whether it is for another node, which was not just seen to lose it or to give it back. */
    boolean isForAnother(HolderId node) {
        return share.preferredNode()
                .filter(label -> !label.equals(node.label()))
                .filter(label ->
                        heldBy.map(HolderId::label).filter(label::equals).isEmpty())
                .isPresent();
    }
}
