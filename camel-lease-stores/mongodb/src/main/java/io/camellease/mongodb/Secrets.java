/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import java.util.Set;

/** What no message may contain. Never printed. Immutable. */
final class Secrets {

    private static final Secrets NONE = new Secrets(Set.of());
    private static final int MAX_CAUSES = 32;

    private final Set<String> texts;

    private Secrets(Set<String> texts) {
        this.texts = texts;
    }

    /** Nothing is secret. */
    static Secrets none() {
        return NONE;
    }

    /** These are secret. */
    static Secrets of(Set<String> texts) {
        return new Secrets(Set.copyOf(texts));
    }

    /** Whether the text contains one of them. */
    boolean appearIn(String text) {
        return texts.stream().anyMatch(secret -> !secret.isEmpty() && text.contains(secret));
    }

    /** Whether the exception, or one that it was caused by or suppressed, contains one of them. */
    boolean appearIn(Throwable thrown) {
        return !texts.isEmpty() && appearIn(thrown, MAX_CAUSES);
    }

    /** Counts down so that a ring of causes comes to an end; what is deeper down counts as secret. */
    private boolean appearIn(Throwable thrown, int depth) {
        if (depth == 0 || appearIn(thrown.toString())) {
            return true;
        }
        for (Throwable suppressed : thrown.getSuppressed()) {
            if (appearIn(suppressed, depth - 1)) {
                return true;
            }
        }
        return thrown.getCause() != null && appearIn(thrown.getCause(), depth - 1);
    }
}
