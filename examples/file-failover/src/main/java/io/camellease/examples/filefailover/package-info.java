/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The Java part of an application that is otherwise YAML and properties: what is done with a file. */
@NullMarked
package io.camellease.examples.filefailover;

import org.jspecify.annotations.NullMarked;
