/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import io.camellease.core.LeaseName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;

/** One operation of the store, and the commands that several operations share. Confined to one thread. */
final class Call {

    private static final int NAMES_PER_COMMAND = 1000;

    /** A server's first batch holds 101 documents unless told otherwise. */
    private static final int SAFE_BATCH = 100;

    private final MongoCollection<BsonDocument> collection;
    private final Deadline deadline;
    private final Place place;

    /** @param collection with the concerns that every command shall have */
    Call(MongoCollection<BsonDocument> collection, Deadline deadline, Place place) {
        this.collection = collection;
        this.deadline = deadline;
        this.place = place;
    }

    /** The collection for the next command, which gets all the time that the operation has left. */
    MongoCollection<BsonDocument> collection() {
        return collection.withTimeout(deadline.remainingMillis(), TimeUnit.MILLISECONDS);
    }

    /** Where the records are. */
    Place place() {
        return place;
    }

    /** The record of a name; empty if there is none. */
    Optional<LeaseDocument> read(LeaseName name) {
        return rows(List.of(name)).stream().findFirst().map(row -> read(row, name));
    }

    /** One answer that holds the record of that name. */
    LeaseDocument read(BsonDocument row, LeaseName name) {
        return LeaseDocument.read(row, name, place);
    }

    /** The records of many names as answered, in no order, and without those that do not exist. */
    List<BsonDocument> rows(Collection<LeaseName> names) {
        List<String> ids = names.stream().map(LeaseName::value).distinct().toList();
        List<BsonDocument> rows = new ArrayList<>();
        for (List<String> chunk : Chunks.of(ids, NAMES_PER_COMMAND)) {
            Object id = chunk.size() == 1 ? chunk.get(0) : new Document("$in", chunk);
            rows(new Document(LeaseFields.ID, id), chunk.size(), rows);
        }
        return rows;
    }

    /** The answer for the one record of that {@code _id}, which need not be a lease. */
    Optional<BsonDocument> row(BsonValue id) {
        List<BsonDocument> rows = new ArrayList<>();
        rows(new Document(LeaseFields.ID, id), 1, rows);
        return rows.stream().findFirst();
    }

    private void rows(Document filter, int atMost, List<BsonDocument> rows) {
        List<Document> pipeline =
                List.of(new Document("$match", filter), new Document("$project", LeaseDocument.projection()));
        AggregateIterable<BsonDocument> found = collection().aggregate(pipeline);
        if (atMost > SAFE_BATCH) {
            // One more than there can be: a batch that is not full ends the cursor, which saves a round trip.
            found = found.batchSize(atMost + 1);
        }
        found.into(rows);
    }

    /** Makes the record of that {@code _id} unless it exists; two that make it at the same moment both succeed. */
    void create(BsonValue id, Document fields) {
        try {
            collection()
                    .updateOne(
                            new Document(LeaseFields.ID, id),
                            new Document("$setOnInsert", fields),
                            new UpdateOptions().upsert(true));
        } catch (MongoException thrown) {
            if (!MongoErrors.isDuplicateKey(thrown)) {
                throw thrown;
            }
        }
    }

    /** Changes the one record that the filter names, if it matches; says whether it did. */
    boolean update(Document filter, Document change) {
        return collection().updateOne(filter, change).getMatchedCount() > 0;
    }
}
