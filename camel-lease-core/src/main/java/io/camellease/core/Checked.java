/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

/** The rule for texts that are stored: they must come back from every database exactly as they went in. */
final class Checked {

    private Checked() {}

    static void text(String what, String value, int maxLength) {
        if (value.isEmpty() || value.length() > maxLength) {
            throw broken(what, value, "must have 1 to " + maxLength + " characters, has " + value.length());
        }
        if (value.codePoints().anyMatch(Character::isISOControl)) {
            throw broken(what, value, "must not contain control characters");
        }
        if (value.codePoints().anyMatch(Checked::isSurrogate)) {
            throw broken(what, value, "must not contain half of a surrogate pair");
        }
        if (!value.strip().equals(value)) {
            throw broken(what, value, "must not begin or end with white space");
        }
    }

    private static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    private static IllegalArgumentException broken(String what, String value, String rule) {
        return new IllegalArgumentException(what + " '" + value + "' " + rule);
    }
}
