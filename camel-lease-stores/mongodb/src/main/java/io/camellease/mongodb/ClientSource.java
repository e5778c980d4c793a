/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.client.MongoClient;

/** Where the client of a store comes from. Thread-safe. */
interface ClientSource extends AutoCloseable {

    /**
     * The client; the same one at every call.
     *
     * @throws com.mongodb.MongoException if there is none within the deadline
     * @throws IllegalStateException after {@link #close}
     */
    MongoClient client(Deadline deadline);

    /** Closes the client if it is ours. */
    @Override
    void close();

    /** The client of somebody else, who goes on owning it. */
    static ClientSource borrowed(MongoClient client) {
        return new ClientSource() {
            @Override
            public MongoClient client(Deadline deadline) {
                return client;
            }

            @Override
            public void close() {}
        };
    }
}
