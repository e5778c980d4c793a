/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Several JVMs on a real store, harmed at random for minutes, and what they did, judged by the log that they wrote.
 *
 * <p>{@link io.camellease.examples.chaos.Main} reads {@link io.camellease.examples.chaos.Options}. A
 * {@link io.camellease.examples.chaos.Schedule} says, for a seed, what is done to whom and when; a
 * {@link io.camellease.examples.chaos.ChaosRun} does it to a {@link io.camellease.examples.chaos.Site}. The log becomes a
 * {@link io.camellease.examples.chaos.History}, which is judged by a {@link io.camellease.examples.chaos.Verdict} and drawn by a
 * {@link io.camellease.examples.chaos.Picture}.
 */
@NullMarked
package io.camellease.examples.chaos;

import org.jspecify.annotations.NullMarked;
