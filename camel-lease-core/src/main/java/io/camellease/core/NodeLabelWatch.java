/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import org.jspecify.annotations.Nullable;

/**
 * Notices that another process that is alive calls itself as this one does. A record that does not change is no proof: it may be
 * what this very node left behind when it was killed and started again. Not thread-safe: belongs to the timer thread.
 */
final class NodeLabelWatch {

    private final HolderId self;
    private boolean told;

    NodeLabelWatch(HolderId self) {
        this.self = self;
    }

    /**
     * Whether this is the first proof.
     *
     * @param before the record as it was seen last, or null if this is the first sight of it
     */
    boolean isFirstProof(@Nullable LeaseRecord before, LeaseRecord record) {
        boolean proof = before != null && isOfNamesake(record) && isNewer(before, record);
        boolean first = proof && !told;
        told = told || proof;
        return first;
    }

    private boolean isOfNamesake(LeaseRecord record) {
        return record.holder()
                .filter(holder -> !holder.equals(self) && holder.label().equals(self.label()))
                .isPresent();
    }

    /** Whether its holder was granted or renewed it since. */
    private static boolean isNewer(LeaseRecord before, LeaseRecord record) {
        return record.token() == before.token() ? record.seq() > before.seq() : record.token() > before.token();
    }
}
