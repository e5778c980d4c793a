/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import java.util.function.BooleanSupplier;
import org.apache.camel.cluster.CamelClusterMember;

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
}
