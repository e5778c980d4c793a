/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The Java part of applications that are otherwise YAML and properties: what is done with a file or a message. */
@NullMarked
package io.camellease.examples.worklog;

import org.jspecify.annotations.NullMarked;
