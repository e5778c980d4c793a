/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Runs the example: starts two nodes, kills and stops the one that leads, and judges what they wrote down. Reading order: {@code
 * FailoverRun} (what happens), {@code History} (who led when, and who worked), {@code Verdict} (what is wrong).
 */
@NullMarked
package io.camellease.examples.cluster;

import org.jspecify.annotations.NullMarked;
