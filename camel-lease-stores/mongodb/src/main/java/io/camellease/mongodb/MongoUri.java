/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.ConnectionString;
import io.camellease.core.LeaseStoreOptions;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A connection string that was checked, with the credentials that count. Never printed. Immutable. */
final class MongoUri {

    private static final Pattern URI = Pattern.compile("(?is)(mongodb(?:\\+srv)?://)(?:([^/?]*)@)?(.*)");
    private static final Pattern QUOTED = Pattern.compile("'[^']*'");

    private final String text;
    private final ConnectionString parsed;
    private final Secrets secrets;

    private MongoUri(String text, ConnectionString parsed, Secrets secrets) {
        this.text = text;
        this.parsed = parsed;
        this.secrets = secrets;
    }

    /**
     * Checks URI and credentials without any I/O.
     *
     * @throws IllegalArgumentException if they are wrong; the message contains no part of either
     */
    static MongoUri of(LeaseStoreOptions options) {
        Matcher matcher = URI.matcher(options.uri().strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "the lease store URI must look like mongodb://host1:27017,host2:27017/database?replicaSet=name");
        }
        String scheme = matcher.group(1).toLowerCase(Locale.ROOT);
        Credentials credentials = Credentials.of(matcher.group(2), options);
        String text = scheme + credentials.userInfo() + matcher.group(3);
        return new MongoUri(text, parse(text, scheme, credentials.secrets()), credentials.secrets());
    }

    private static ConnectionString parse(String text, String scheme, Secrets secrets) {
        try {
            return parseOffline(text);
        } catch (IllegalArgumentException wrong) {
            // Not passed on as the cause: the driver quotes what it does not understand, and that may be the password.
            throw new IllegalArgumentException("the lease store URI is wrong: " + reason(text, scheme, secrets));
        }
    }

    /** What is wrong with the part that contains no credentials; if nothing is, they are. */
    private static String reason(String text, String scheme, Secrets secrets) {
        String withoutCredentials = scheme + text.substring(Math.max(scheme.length(), text.lastIndexOf('@') + 1));
        try {
            parseOffline(withoutCredentials);
            return "user name or password contains a character that must be written in percent-encoding (@ as %40, : as"
                    + " %3A, / as %2F, % as %25, ? as %3F, # as %23); or leave them out of the URI and set them by the"
                    + " options for user name and password";
        } catch (IllegalArgumentException wrong) {
            String said = QUOTED.matcher(String.valueOf(wrong.getMessage())).replaceAll("'...'");
            return secrets.appearIn(said) ? "an option has a value that is not allowed" : said.strip();
        }
    }

    /** The driver looks up the options of a mongodb+srv URI in the DNS as soon as it parses it. */
    private static ConnectionString parseOffline(String text) {
        return new ConnectionString(text, (name, type) -> List.of());
    }

    /** The connection string for a client. Waits for the DNS if the scheme is mongodb+srv. */
    ConnectionString resolve() {
        return parsed.isSrvProtocol() ? new ConnectionString(text) : parsed;
    }

    /** The database in the path. */
    Optional<String> database() {
        return Optional.ofNullable(parsed.getDatabase());
    }

    /** The hosts, separated by commas. */
    String hosts() {
        return String.join(",", parsed.getHosts());
    }

    /** What no message may contain. */
    Secrets secrets() {
        return secrets;
    }

    /**
     * User name and password as a URI contains them.
     *
     * @param user percent-encoded, empty if there is none
     * @param password percent-encoded, empty if there is none
     */
    private record Credentials(Optional<String> user, Optional<String> password) {

        static Credentials of(@Nullable String userInfo, LeaseStoreOptions options) {
            String[] parts = (userInfo == null ? "" : userInfo).split(":", 2);
            Optional<String> user = options.username().map(Credentials::encode);
            Optional<String> password = options.password().map(Credentials::encode);
            if (user.isEmpty() && !parts[0].isEmpty()) {
                user = Optional.of(parts[0]);
            }
            if (password.isEmpty() && parts.length > 1) {
                password = Optional.of(parts[1]);
            }
            if (user.isEmpty() && password.isPresent()) {
                throw new IllegalArgumentException(
                        "the lease store has a password but no user name: set the option username, or name the user in"
                                + " the URI");
            }
            return new Credentials(user, password);
        }

        private static String encode(String raw) {
            return URLEncoder.encode(raw, StandardCharsets.UTF_8).replace("+", "%20");
        }

        String userInfo() {
            return user.map(name -> name + password.map(word -> ":" + word).orElse("") + "@")
                    .orElse("");
        }

        Secrets secrets() {
            Set<String> secrets = new HashSet<>();
            password.ifPresent(encoded -> {
                secrets.add(encoded);
                secrets.add(decode(encoded));
            });
            return Secrets.of(secrets);
        }

        private static String decode(String encoded) {
            try {
                return URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException notEncoded) {
                return encoded;
            }
        }
    }
}
