/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import org.jspecify.annotations.Nullable;

/**
 * What a consumer tells its route.
 *
 * @param kind what happened
 * @param token of the grant it happened to
 * @param reason why, as {@link LeaseHeaders#REASON} lists it
 * @param holder who holds the lease now, or null if that is unknown or nobody
 * @param previousHolder who held it before, or null if that is unknown or nobody
 */
record LeaseNotice(
        LeaseEventKind kind,
        long token,
        String reason,
        @Nullable String holder,
        @Nullable String previousHolder) {}
