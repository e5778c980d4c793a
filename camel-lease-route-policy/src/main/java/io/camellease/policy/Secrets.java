/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.camel.Route;
import org.apache.camel.util.SensitiveUtils;

/**
 * Keeps passwords out of what is logged and shown: those that are known from a URI, and whatever follows a word such as
 * {@code password=}. Immutable.
 */
final class Secrets {

    private static final String MASK = "xxxxxx";
    private static final int MAX_CAUSES = 20;
    private static final Pattern OPTION = Pattern.compile("[?&]([^=&?]+)=(RAW\\([^)]*\\)|RAW\\{[^}]*\\}|[^&\\s]*)");
    private static final Pattern USER_INFO = Pattern.compile("://[^/@:\\s]*:([^/@\\s]+)@");
    private static final Pattern NAMED = Pattern.compile(
            "(?i)\\b([\\w.-]*(?:password|passwd|passphrase|pwd|secret|api-?key|access-?key|credentials?)\\w*[\"']?\\s*[=:]\\s*)"
                    + "(RAW\\([^)]*\\)|[^\\s&,;)\\]]+)");

    private final List<String> known;

    private Secrets(List<String> known) {
        this.known = List.copyOf(known);
    }

    /** Those in the URI of what the route consumes from. */
    static Secrets of(Route route) {
        return ofUri(String.valueOf(route.getEndpoint().getEndpointUri()));
    }

    /** Those in a URI. */
    static Secrets ofUri(String uri) {
        List<String> found = new ArrayList<>();
        Matcher userInfo = USER_INFO.matcher(uri);
        if (userInfo.find()) {
            add(userInfo.group(1), found);
        }
        Matcher options = OPTION.matcher(uri);
        while (options.find()) {
            if (SensitiveUtils.containsSensitive(options.group(1))) {
                add(options.group(2), found);
            }
        }
        return new Secrets(found);
    }

    private static void add(String written, List<String> found) {
        String value = written.startsWith("RAW") ? written.substring(4, written.length() - 1) : written;
        if (!value.isEmpty()) {
            found.add(value);
        }
        try {
            String decoded = URLDecoder.decode(value, StandardCharsets.UTF_8);
            if (!decoded.isEmpty() && !decoded.equals(value)) {
                found.add(decoded);
            }
        } catch (IllegalArgumentException notEncoded) {
            // a literal per cent sign: then what was written is all there is
            found.add(value);
        }
    }

    /** The text without secrets. */
    String in(String text) {
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
    String in(Throwable thrown) {
        return in(thrown.toString());
    }

    /** What was thrown, or a copy without secrets if it has any. */
    Throwable masked(Throwable thrown) {
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
