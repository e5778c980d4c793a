/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Leases for those who use Camel's own means: its cluster service, which {@code master:} and clustered policies build on. */
@NullMarked
package io.camellease.component;

import org.jspecify.annotations.NullMarked;
