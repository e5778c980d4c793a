/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.UsageException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A MongoDB URI taken to pieces, so that a proxy can be put before the server.
 *
 * @param before what comes before the host, with user and password
 * @param server the server
 * @param after what comes after the port: a slash, a database, options
 */
record StoreAddress(String before, InetSocketAddress server, String after) {

    private static final Pattern URI = Pattern.compile("(mongodb://(?:[^@/]*@)?)([^@/,:?]+)(?::(\\d{1,5}))?(/.*)?");
    private static final int DEFAULT_PORT = 27017;
    private static final String DIRECT = "directConnection=true";

    /**
     * Takes a URI to pieces.
     *
     * @throws UsageException if it does not name one server by host and port
     */
    static StoreAddress parse(String uri) {
        Matcher matcher = URI.matcher(uri);
        if (!matcher.matches()) {
            throw new UsageException(
                    "--store must name one server, as in mongodb://host:27017/: each node reaches it by a"
                            + " proxy of its own");
        }
        int port = Optional.ofNullable(matcher.group(3)).map(Integer::parseInt).orElse(DEFAULT_PORT);
        return new StoreAddress(
                matcher.group(1),
                new InetSocketAddress(matcher.group(2), port),
                Optional.ofNullable(matcher.group(4)).orElse("/"));
    }

    /** The same URI with another host and port. The driver must not ask the server for its own idea of its address. */
    String by(String proxy) {
        String uri = before + proxy + after;
        if (uri.contains("directConnection=")) {
            return uri;
        }
        return uri + (after.contains("?") ? "&" : "?") + DIRECT;
    }
}
