/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.Claim;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A store call on its way to the store.
 *
 * @param words for people
 * @param names which records it is about
 * @param claim the claim, if it is one
 * @param call makes it
 */
record Request(
        Supplier<String> words, List<LeaseName> names, Optional<Claim> claim, Function<LeaseStore, Object> call) {

    static Request of(Supplier<String> words, Collection<LeaseName> names, Function<LeaseStore, Object> call) {
        return new Request(words, List.copyOf(names), Optional.empty(), call);
    }

    String text() {
        return words.get();
    }

    Reply makeOn(LeaseStore store, Duration clockSteps) {
        try {
            return new Reply(call.apply(store), null, clockSteps);
        } catch (LeaseStoreException failed) {
            return new Reply(null, failed, clockSteps);
        }
    }
}
