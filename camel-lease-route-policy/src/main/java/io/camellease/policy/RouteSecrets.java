/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.Secrets;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.camel.Route;
import org.apache.camel.util.SensitiveUtils;

/** Finds the passwords in the URI that a route consumes from. */
final class RouteSecrets {

    private static final Pattern OPTION =
            Pattern.compile("[?&]([^=&?]+)=(?:RAW\\((.*?)\\)(?=&|$)|RAW\\{(.*?)}(?=&|$)|([^&\\s]*))");
    private static final Pattern USER_INFO = Pattern.compile("://[^/@:\\s]*:([^/@\\s]+)@");

    private RouteSecrets() {}

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
                Stream.of(options.group(2), options.group(3), options.group(4))
                        .filter(Objects::nonNull)
                        .forEach(value -> add(value, found));
            }
        }
        return Secrets.of(found);
    }

    private static void add(String value, List<String> found) {
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
}
