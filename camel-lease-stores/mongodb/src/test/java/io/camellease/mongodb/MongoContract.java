/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.client.MongoClient;
import io.camellease.testkit.LeaseStoreContract;
import io.camellease.testkit.LeaseStoreFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The contract of all stores against one engine, in one dialect. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MongoContract extends LeaseStoreContract {

    private final String collection = Engine.newCollection();
    private Engine engine;
    private MongoClient client;

    abstract Engine engine();

    @BeforeAll
    void connect() {
        engine = engine();
        client = engine.newClient();
    }

    @AfterAll
    void disconnect() {
        if (client != null) {
            Engine.records(client, collection).drop();
            client.close();
        }
    }

    @Override
    protected LeaseStoreFixture newFixture() {
        return new MongoFixture(engine, client, collection);
    }
}
