/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Runs an example as several JVMs, does harm to them and judges what they did by the log that they wrote.
 *
 * <p>{@link io.camellease.examples.runner.Main} reads {@link io.camellease.examples.runner.Options} and runs a scenario; the
 * scenario acts on a {@link io.camellease.examples.runner.Cluster} and follows the work log with a
 * {@link io.camellease.examples.runner.Watch}; the log becomes a {@link io.camellease.examples.runner.History}, and the history
 * a {@link io.camellease.examples.runner.Result}.
 */
@NullMarked
package io.camellease.examples.runner;

import org.jspecify.annotations.NullMarked;
