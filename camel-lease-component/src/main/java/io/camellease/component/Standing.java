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
record Standing(boolean local, @Nullable String leader) {

    static final Standing NOBODY = new Standing(false, null);

    static Standing local(String holder) {
        return new Standing(true, holder);
    }

    static Standing remote(String holder) {
        return new Standing(false, holder);
    }
}
