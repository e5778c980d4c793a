/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.testkit.LeaseStoreFixture;
import java.time.Duration;
import java.util.Objects;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;

/** The records of one collection, edited by hand. */
final class MongoFixture implements LeaseStoreFixture {

    private final Engine engine;
    private final String collection;
    private final MongoCollection<BsonDocument> records;

    MongoFixture(Engine engine, MongoClient client, String collection) {
        this.engine = engine;
        this.collection = collection;
        this.records = Engine.records(client, collection);
    }

    @Override
    public LeaseStore open() {
        return engine.open(collection);
    }

    @Override
    public void shiftExpiry(LeaseName name, Duration by) {
        long expiresAt = document(name).getDateTime(LeaseFields.EXPIRES_AT).getValue();
        edit(name, set(LeaseFields.EXPIRES_AT, new BsonDateTime(expiresAt + by.toMillis())));
    }

    @Override
    public void damage(LeaseName name) {
        edit(name, set(LeaseFields.EXPIRES_AT, "tomorrow"));
    }

    @Override
    public void wipe(LeaseName name) {
        records.deleteOne(eq(name.value()));
    }

    @Override
    public String raw(LeaseName name) {
        return document(name).toJson();
    }

    BsonDocument document(LeaseName name) {
        return Objects.requireNonNull(records.find(eq(name.value())).first());
    }

    void edit(LeaseName name, Bson change) {
        if (records.updateOne(eq(name.value()), change).getMatchedCount() != 1) {
            throw new IllegalStateException("no record of " + name);
        }
    }

    MongoCollection<BsonDocument> records() {
        return records;
    }

    @Override
    public void close() {
        records.deleteMany(new BsonDocument());
    }
}
