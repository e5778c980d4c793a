/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

/**
 * A lease that a node was told it has.
 *
 * @param process which process: the node and the number of its start
 * @param token the fencing token
 * @param at when the node wrote it to the log, in nanoseconds of the host's monotonic clock
 */
record Grant(String process, long token, long at) {}
