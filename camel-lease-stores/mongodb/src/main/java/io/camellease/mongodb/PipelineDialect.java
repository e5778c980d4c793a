/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import static io.camellease.mongodb.LeaseFields.ACQUIRED_AT;
import static io.camellease.mongodb.LeaseFields.ATTEMPT;
import static io.camellease.mongodb.LeaseFields.EXPIRES_AT;
import static io.camellease.mongodb.LeaseFields.HOLDER;
import static io.camellease.mongodb.LeaseFields.NONCE;
import static io.camellease.mongodb.LeaseFields.RELEASED;
import static io.camellease.mongodb.LeaseFields.RENEWED_AT;
import static io.camellease.mongodb.LeaseFields.SEQ;
import static io.camellease.mongodb.LeaseFields.TOKEN;
import static io.camellease.mongodb.LeaseFields.TTL;
import static io.camellease.mongodb.LeaseFields.VALUE;

import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOneModel;
import io.camellease.core.Claim;
import io.camellease.core.Renewal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.Document;

/**
 * One command for a grant and one for a batch of renewals, in which the server computes from {@code $$NOW}. Needs updates
 * with an aggregation pipeline, and expressions in the projection of findAndModify. Stateless.
 */
final class PipelineDialect implements Dialect {

    private static final String NOW = "$$NOW";

    @Override
    public String name() {
        return "pipeline";
    }

    @Override
    public List<Trial> trials() {
        return List.of(
                call -> findAndSet(call, DialectProbe.always(), stamp())
                        .filter(PipelineDialect::isStamped)
                        .isPresent(),
                call -> findAndSet(call, DialectProbe.never(), stamp()).isEmpty());
    }

    private static List<Document> stamp() {
        return set(new Document(SEQ, toLong(NOW))
                .append(ACQUIRED_AT, NOW)
                .append(EXPIRES_AT, after(1))
                .append(VALUE, literal("$" + SEQ)));
    }

    /** An answer without the clock is a {@link LeaseDocument#isReplay replay} and must agree with itself. */
    private static boolean isStamped(BsonDocument row) {
        BsonDateTime stamped = LeaseDocument.isReplay(row)
                ? row.getDateTime(ACQUIRED_AT)
                : new BsonDateTime(LeaseDocument.storeNow(row).toEpochMilli());
        long now = stamped.getValue();
        return stamped.equals(row.get(ACQUIRED_AT))
                && new BsonDateTime(now + 1).equals(row.get(EXPIRES_AT))
                && new BsonInt64(now).equals(row.get(SEQ))
                && new BsonString("$" + SEQ).equals(row.get(VALUE));
    }

    @Override
    public Optional<LeaseDocument> grant(Call call, Claim claim, Instant now) {
        Document grant = new Document(HOLDER, literal(claim.holder().value()))
                .append(ATTEMPT, literal(claim.attempt().value()))
                .append(TOKEN, new Document("$max", List.of(claim.expectedToken() + 1, toLong(NOW))))
                .append(SEQ, 0L)
                .append(NONCE, "")
                .append(TTL, Dialect.millis(claim.ttl()))
                .append(ACQUIRED_AT, NOW)
                .append(RENEWED_AT, NOW)
                .append(EXPIRES_AT, after(Dialect.millis(claim.ttl())))
                .append(RELEASED, false)
                .append(VALUE, literal(claim.value()));
        return findAndSet(call, Conditions.claimable(claim), set(grant))
                .flatMap(row -> LeaseDocument.isReplay(row)
                        ? call.read(claim.name())
                        : Optional.of(call.read(row, claim.name())));
    }

    private static Optional<BsonDocument> findAndSet(Call call, Document filter, List<Document> change) {
        FindOneAndUpdateOptions options = new FindOneAndUpdateOptions()
                .returnDocument(ReturnDocument.AFTER)
                .projection(LeaseDocument.projection());
        return Optional.ofNullable(call.collection().findOneAndUpdate(filter, change, options));
    }

    @Override
    public int renew(Call call, List<Renewal> renewals) {
        List<UpdateOneModel<BsonDocument>> updates =
                renewals.stream().map(PipelineDialect::renewal).toList();
        return call.collection()
                .bulkWrite(updates, new BulkWriteOptions().ordered(false))
                .getMatchedCount();
    }

    private static UpdateOneModel<BsonDocument> renewal(Renewal renewal) {
        Document change = new Document(SEQ, renewal.seq())
                .append(NONCE, literal(renewal.nonce()))
                .append(RENEWED_AT, NOW)
                .append(EXPIRES_AT, after(Dialect.millis(renewal.lease().ttl())));
        return new UpdateOneModel<>(Conditions.renewable(renewal), set(change));
    }

    private static List<Document> set(Document fields) {
        return List.of(new Document("$set", fields));
    }

    private static Document after(long millis) {
        return new Document("$add", List.of(NOW, millis));
    }

    private static Document toLong(String expression) {
        return new Document("$toLong", expression);
    }

    /** Keeps a text that begins with a dollar sign from being read as the name of a field. */
    private static Document literal(String text) {
        return new Document("$literal", text);
    }
}
