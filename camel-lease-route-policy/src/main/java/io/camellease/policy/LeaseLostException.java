/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.io.Serial;

/** Nothing may begin: this node does not hold the lease, or cannot rely on it any more. */
public class LeaseLostException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Without a stack trace: it is a verdict, not a fault, and may be given for every file of a long list. */
    public LeaseLostException(String message) {
        super(message, null, false, false);
    }
}
