/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import java.util.ArrayList;
import java.util.List;

/** Lists cut to the size of one command. */
final class Chunks {

    private Chunks() {}

    /** Views of the list, each of at most that size, in order. */
    static <T> List<List<T>> of(List<T> all, int size) {
        List<List<T>> chunks = new ArrayList<>();
        for (int from = 0; from < all.size(); from += size) {
            chunks.add(all.subList(from, Math.min(all.size(), from + size)));
        }
        return chunks;
    }
}
