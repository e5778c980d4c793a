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
import com.mongodb.client.model.UpdateOneModel;
import io.camellease.core.Claim;
import io.camellease.core.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.Document;

/**
 * For servers that cannot compute in an update: reads the server's clock first and sends what follows from it. The server
 * still judges expiry by its clock when it applies the change. A record ends up to one round trip early, which is safe, since
 * its holder counts from before the clock was read; a change that is late is refused, or ends early by as much. Stateless.
 */
final class ClassicDialect implements Dialect {

    @Override
    public String name() {
        return "classic";
    }

    @Override
    public List<Trial> trials() {
        return List.of(
                call -> call.row(DialectProbe.SCRATCH)
                        .filter(row -> call.update(DialectProbe.always(), stamp(LeaseDocument.storeNow(row))))
                        .isPresent(),
                call -> !call.update(DialectProbe.never(), stamp(Instant.EPOCH)));
    }

    private static Document stamp(Instant now) {
        return set(new Document(ACQUIRED_AT, date(now)));
    }

    @Override
    public Optional<LeaseDocument> grant(Call call, Claim claim, Instant now) {
        return call.update(Conditions.claimable(claim), grant(claim, now)) ? call.read(claim.name()) : Optional.empty();
    }

    private static Document grant(Claim claim, Instant now) {
        return set(new Document(HOLDER, claim.holder().value())
                .append(ATTEMPT, claim.attempt().value())
                .append(TOKEN, Math.max(claim.expectedToken() + 1, now.toEpochMilli()))
                .append(SEQ, 0L)
                .append(NONCE, "")
                .append(TTL, Dialect.millis(claim.ttl()))
                .append(ACQUIRED_AT, date(now))
                .append(RENEWED_AT, date(now))
                .append(EXPIRES_AT, after(now, claim.ttl()))
                .append(RELEASED, false)
                .append(VALUE, claim.value()));
    }

    @Override
    public int renew(Call call, List<Renewal> renewals) {
        Optional<Instant> now = storeNow(call, renewals);
        if (now.isEmpty()) {
            return 0;
        }
        List<UpdateOneModel<BsonDocument>> updates = renewals.stream()
                .map(renewal ->
                        new UpdateOneModel<BsonDocument>(Conditions.renewable(renewal), renewal(renewal, now.get())))
                .toList();
        return call.collection()
                .bulkWrite(updates, new BulkWriteOptions().ordered(false))
                .getMatchedCount();
    }

    private static Optional<Instant> storeNow(Call call, List<Renewal> renewals) {
        return call
                .rows(renewals.stream().map(renewal -> renewal.lease().name()).toList())
                .stream()
                .findFirst()
                .map(LeaseDocument::storeNow);
    }

    private static Document renewal(Renewal renewal, Instant now) {
        return set(new Document(SEQ, renewal.seq())
                .append(NONCE, renewal.nonce())
                .append(RENEWED_AT, date(now))
                .append(EXPIRES_AT, after(now, renewal.lease().ttl())));
    }

    private static Document set(Document fields) {
        return new Document("$set", fields);
    }

    private static BsonDateTime date(Instant instant) {
        return new BsonDateTime(instant.toEpochMilli());
    }

    private static BsonDateTime after(Instant now, Duration ttl) {
        return new BsonDateTime(now.toEpochMilli() + Dialect.millis(ttl));
    }
}
