/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps passwords out of what is logged and shown: those that are known, and whatever stands where a URI has a password or follows a
 * word such as {@code password=}. Immutable.
 */
public final class Secrets {

    /** Nothing is known but how passwords are written. */
    public static final Secrets UNKNOWN = new Secrets(List.of());

    private static final String MASK = "xxxxxx";
    private static final int MAX_CAUSES = 20;
    private static final Pattern USER_INFO = Pattern.compile("://[^/@:\\s]*:([^/@\\s]+)@");
    private static final Pattern NAMED = Pattern.compile(
            "(?i)\\b([\\w.-]*(?:password|passwd|passphrase|pwd|secret|api-?key|access-?key|credentials?)\\w*[\"']?\\s*[=:]\\s*)"
                    + "(RAW\\(.*?\\)(?=[&\\s,;\\]'\"]|$)|[^\\s&,;)\\]]+)");

    private final List<String> known;

    private Secrets(List<String> known) {
        this.known = known;
    }

    /**
     * Those that are known.
     *
     * @param known passwords, as they are written
     */
    public static Secrets of(Collection<String> known) {
        return new Secrets(List.copyOf(known));
    }

    /** The text without secrets. */
    public String in(String text) {
        String masked = text;
        for (String secret : known) {
            masked = masked.replace(secret, MASK);
        }
        masked = USER_INFO
                .matcher(masked)
                .replaceAll(found ->
                        Matcher.quoteReplacement(found.group().replace(":" + found.group(1) + "@", ":" + MASK + "@")));
        return NAMED.matcher(masked).replaceAll(found -> Matcher.quoteReplacement(found.group(1) + MASK));
    }

    /** What was thrown, in one line without secrets. */
    public String in(Throwable thrown) {
        return in(thrown.toString());
    }

    /** What was thrown, or a copy without secrets if it has any. */
    public Throwable masked(Throwable thrown) {
        return hasSecret(thrown, MAX_CAUSES) ? copy(thrown, MAX_CAUSES) : thrown;
    }

    /** Counts down so that a ring of causes comes to an end; what is deeper down counts as secret. */
    private boolean hasSecret(Throwable thrown, int depth) {
        if (depth == 0 || !in(thrown.toString()).equals(thrown.toString())) {
            return true;
        }
        for (Throwable suppressed : thrown.getSuppressed()) {
            if (hasSecret(suppressed, depth - 1)) {
                return true;
            }
        }
        return thrown.getCause() != null && hasSecret(thrown.getCause(), depth - 1);
    }

    private Throwable copy(Throwable thrown, int depth) {
        Throwable cause = thrown.getCause();
        return new Masked(
                in(thrown.toString()),
                cause == null || depth == 0 ? null : copy(cause, depth - 1),
                thrown.getStackTrace());
    }
}
