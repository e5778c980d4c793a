/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.Claim;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A store call on its way to the store.
 *
 * @param text for people
 * @param names which records it is about
 * @param claim the claim, if it is one
 * @param call makes it
 */
record Request(String text, List<LeaseName> names, Optional<Claim> claim, Function<LeaseStore, Object> call) {

    static Request of(String text, Collection<LeaseName> names, Function<LeaseStore, Object> call) {
        return new Request(text, List.copyOf(names), Optional.empty(), call);
    }

    Reply makeOn(LeaseStore store, long trueNanos) {
        try {
            return new Reply(call.apply(store), null, trueNanos);
        } catch (LeaseStoreException failed) {
            return new Reply(null, failed, trueNanos);
        }
    }
}
