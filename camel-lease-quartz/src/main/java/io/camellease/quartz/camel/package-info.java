/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Leased Camel routes that Quartz starts: {@link io.camellease.quartz.camel.QuartzRouteExtension} recognises them, {@code
 * QuartzRoute} guards the fires of one. The only package of this module that knows Camel.
 */
@NullMarked
package io.camellease.quartz.camel;

import org.jspecify.annotations.NullMarked;
