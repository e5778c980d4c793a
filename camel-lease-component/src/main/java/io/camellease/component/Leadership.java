/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import org.jspecify.annotations.Nullable;

/**
 * Who leads a namespace, as its listeners were told last.
 *
 * @param local whether this process leads
 * @param leader the holder id of the leader; null if none is known
 */
record Leadership(boolean local, @Nullable String leader) {

    static final Leadership NOBODY = new Leadership(false, null);

    static Leadership local(String holder) {
        return new Leadership(true, holder);
    }

    static Leadership remote(String holder) {
        return new Leadership(false, holder);
    }
}
