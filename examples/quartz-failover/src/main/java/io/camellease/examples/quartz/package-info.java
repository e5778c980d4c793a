/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Runs the example: starts two nodes, does harm to them, and judges what they wrote down. Reading order: {@code FailoverRun}
 * (what happens), {@code History} (what was written down), {@code Account} (the slots of one schedule), {@code Verdict} (what is
 * wrong).
 */
@NullMarked
package io.camellease.examples.quartz;

import org.jspecify.annotations.NullMarked;
