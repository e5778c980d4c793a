/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

/**
 * One renewal as it is sent.
 *
 * @param lease what is renewed
 * @param seq the number of this renewal within the grant, from 1; every send takes a new one
 * @param nonce a random text of 1 to 64 characters, new for every send; two clones of one process send the same seq but not the same nonce
 */
public record Renewal(Lease lease, long seq, String nonce) {

    private static final int MAX_NONCE = 64;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if seq is less than 1 or the nonce breaks the rule of {@link LeaseName}
     */
    public Renewal {
        if (seq < 1) {
            throw new IllegalArgumentException("renewal number " + seq + " is less than 1");
        }
        Checked.text("renewal nonce", nonce, MAX_NONCE);
    }
}
