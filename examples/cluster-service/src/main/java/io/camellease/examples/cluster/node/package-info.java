/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The Java part of the application whose nodes are killed; the rest of it is YAML and properties. */
@NullMarked
package io.camellease.examples.cluster.node;

import org.jspecify.annotations.NullMarked;
