/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import java.util.function.BooleanSupplier;
import org.apache.camel.cluster.CamelClusterMember;
import org.jspecify.annotations.Nullable;

/**
 * One process that takes part in a namespace. Thread-safe.
 *
 * @param getId its holder id: the label of the node and a part that is random per start
 * @param isLocal whether it is this process
 * @param leads whether it leads at this instant
 */
record LeaseClusterMember(String getId, boolean isLocal, BooleanSupplier leads) implements CamelClusterMember {

    @Override
    public boolean isLeader() {
        return leads.getAsBoolean();
    }

    /** Two of the same id are the same process. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LeaseClusterMember member && member.getId.equals(getId);
    }

    @Override
    public int hashCode() {
        return getId.hashCode();
    }

    @Override
    public String toString() {
        return getId;
    }
}
