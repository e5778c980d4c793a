/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import static io.camellease.mongodb.LeaseFields.ATTEMPT;
import static io.camellease.mongodb.LeaseFields.EXPIRES_AT;
import static io.camellease.mongodb.LeaseFields.HOLDER;
import static io.camellease.mongodb.LeaseFields.ID;
import static io.camellease.mongodb.LeaseFields.RELEASED;
import static io.camellease.mongodb.LeaseFields.SEQ;
import static io.camellease.mongodb.LeaseFields.SLOT_AT;
import static io.camellease.mongodb.LeaseFields.SLOT_TOKEN;
import static io.camellease.mongodb.LeaseFields.TOKEN;
import static io.camellease.mongodb.LeaseFields.TTL;
import static io.camellease.mongodb.LeaseFields.VERSION;

import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.Renewal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.Document;

/**
 * Which record an operation may change. The server checks condition and change as one, so these filters alone carry rules S2
 * to S5, S7 and S11; what follows an unmatched filter is only an explanation. Every filter names one {@code _id}, and needs
 * no other index. Stateless.
 */
final class Conditions {

    private static final String NOW = "$$NOW";

    private Conditions() {}

    /** Free for this claim, and as the candidate saw it (S1-S3). */
    static Document claimable(Claim claim) {
        String holder = claim.holder().value();
        Document sameAttempt =
                new Document(HOLDER, holder).append(ATTEMPT, claim.attempt().value());
        return new Document(ID, claim.name().value())
                .append(VERSION, LeaseFields.SCHEMA_VERSION)
                .append(TOKEN, claim.expectedToken())
                .append(SEQ, claim.expectedSeq())
                .append("$nor", List.of(sameAttempt))
                .append("$or", List.of(new Document(HOLDER, null), intactGrant().append("$or", waysToBeFree(claim))));
    }

    private static List<Document> waysToBeFree(Claim claim) {
        List<Document> ways = new ArrayList<>();
        ways.add(new Document(RELEASED, true));
        ways.add(new Document(HOLDER, claim.holder().value()));
        ways.add(expr("$lte", "$" + EXPIRES_AT, NOW));
        if (claim.observed()) {
            ways.add(expr("$gt", "$" + EXPIRES_AT, new Document("$add", List.of(NOW, "$" + TTL))));
        }
        return ways;
    }

    /** Held under this grant, and by no newer renewal of it (S4). */
    static Document renewable(Renewal renewal) {
        Lease lease = renewal.lease();
        return held(lease)
                .append(ATTEMPT, lease.attempt().value())
                .append(SEQ, atLeast(0).append("$lt", renewal.seq()));
    }

    /** Held under this grant by the server's clock. */
    static Document held(Lease lease) {
        return unreleased(lease).append("$expr", isUnexpired());
    }

    private static Document unreleased(Lease lease) {
        return grantOf(lease).append(RELEASED, false);
    }

    private static Document isUnexpired() {
        return comparison("$gt", "$" + EXPIRES_AT, NOW);
    }

    /** Of this grant, held or not (S5). */
    static Document grantOf(Lease lease) {
        return intact(lease.name())
                .append(HOLDER, lease.holder().value())
                .append(TOKEN, lease.token().value());
    }

    /** Of this attempt, held or not. */
    static Document grantOf(LeaseName name, HolderId holder, AttemptId attempt) {
        return intact(name).append(HOLDER, holder.value()).append(ATTEMPT, attempt.value());
    }

    /**
     * Held under this grant, with a slot that is not too far ahead, and without a later one, or an equal one of another grant,
     * under that path.
     */
    static Document advanceable(Lease lease, String slotPath, Instant slot) {
        String at = slotPath + "." + SLOT_AT;
        BsonDateTime instant = new BsonDateTime(slot.toEpochMilli());
        Document farthest = new Document("$add", List.of(NOW, LeaseStore.MAX_SLOT_AHEAD.toMillis()));
        return unreleased(lease)
                .append("$expr", new Document("$and", List.of(isUnexpired(), comparison("$lte", instant, farthest))))
                .append(
                        "$or",
                        List.of(
                                new Document(slotPath, new Document("$exists", false)),
                                new Document(at, new Document("$lt", instant)),
                                new Document(at, instant)
                                        .append(
                                                slotPath + "." + SLOT_TOKEN,
                                                lease.token().value())));
    }

    private static Document intact(LeaseName name) {
        Document intact = new Document(ID, name.value())
                .append(VERSION, LeaseFields.SCHEMA_VERSION)
                .append(TOKEN, atLeast(0))
                .append(SEQ, atLeast(0));
        intact.putAll(intactGrant());
        return intact;
    }

    /** A grant whose fields are what {@link LeaseDocument#read} demands, as far as a filter can tell. */
    private static Document intactGrant() {
        return new Document(HOLDER, type("string"))
                .append(ATTEMPT, type("string"))
                .append(TTL, atLeast(1))
                .append(EXPIRES_AT, type("date"))
                .append(RELEASED, type("bool"));
    }

    /** Compares numbers only. */
    private static Document atLeast(long least) {
        return new Document("$gte", least);
    }

    private static Document type(String name) {
        return new Document("$type", name);
    }

    private static Document expr(String comparison, Object left, Object right) {
        return new Document("$expr", comparison(comparison, left, right));
    }

    private static Document comparison(String operator, Object left, Object right) {
        return new Document(operator, List.of(left, right));
    }
}
