/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The servers that the examples take their work from, each as a process of its own, so that it can be killed and frozen like a
 * server and no application carries it.
 */
@NullMarked
package io.camellease.examples.servers;

import org.jspecify.annotations.NullMarked;
