/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import java.time.Duration;

/**
 * One harm.
 *
 * @param harm what is done
 * @param toHolder whether it is done to the node that runs the job of every second, and not to another one
 * @param before how long nothing is done before it
 * @param length how long it lasts
 */
record PlannedHarm(Harm harm, boolean toHolder, Duration before, Duration length) {}
