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
import static io.camellease.mongodb.LeaseFields.SEQ;
import static io.camellease.mongodb.LeaseFields.SLOTS;
import static io.camellease.mongodb.LeaseFields.SLOT_AT;
import static io.camellease.mongodb.LeaseFields.TOKEN;
import static io.camellease.mongodb.LeaseFields.TTL;
import static io.camellease.mongodb.LeaseFields.VALUE;
import static io.camellease.mongodb.LeaseFields.VERSION;

import io.camellease.core.AttemptId;
import io.camellease.core.HolderId;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseStoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.Document;

/**
 * A stored record together with the server's clock in the same answer. What a decision depends on must have its type, else
 * the record is unreadable (rule S11); what is for people only may be missing or odd. Immutable.
 *
 * @param record what observers see
 * @param nonce of the latest renewal, empty before the first
 * @param slots the record's state by key
 * @param storeNow the server's clock
 */
record LeaseDocument(LeaseRecord record, String nonce, Map<String, Instant> slots, Instant storeNow) {

    private static final String STORE_NOW = "storeNow";
    private static final List<String> READ =
            List.of(VERSION, TOKEN, SEQ, NONCE, HOLDER, ATTEMPT, TTL, ACQUIRED_AT, EXPIRES_AT, RELEASED, VALUE, SLOTS);
    private static final String FREE_IT = "once no node works under it, free it by removing its field '" + HOLDER + "'";
    private static final String NUMBER_IT =
            "set it to a whole number that is not less than any token of this lease so far";

    LeaseDocument {
        slots = Map.copyOf(slots);
    }

    /** What a query must return for {@link #read}: the fields that are read, and the server's clock. */
    static Document projection() {
        Document projection = new Document(STORE_NOW, "$$NOW");
        READ.forEach(field -> projection.append(field, 1));
        return projection;
    }

    /** The server's clock in an answer. */
    static Instant storeNow(BsonDocument row) {
        return Instant.ofEpochMilli(row.getDateTime(STORE_NOW).getValue());
    }

    /**
     * Whether an answer to findAndModify is the one of an earlier copy of the command, whose reply was lost. The server takes
     * it from what it stored, all fields and no clock, whatever the projection asks for.
     */
    static boolean isReplay(BsonDocument row) {
        return !row.containsKey(STORE_NOW);
    }

    /** The {@code _id} in an answer. */
    static String id(BsonDocument row) {
        return row.getString(LeaseFields.ID).getValue();
    }

    /**
     * Reads one answer.
     *
     * @throws LeaseStoreException UNREADABLE, if the record is damaged or of another schema
     */
    static LeaseDocument read(BsonDocument row, LeaseName name, Place place) {
        return new Reader(row, name, place).read(storeNow(row));
    }

    /** Confined to one thread. */
    private record Reader(BsonDocument fields, LeaseName name, Place place) {

        LeaseDocument read(Instant now) {
            requireVersion();
            Optional<HolderId> holder = holder();
            long token = number(TOKEN, holder.isPresent() ? 1 : 0, NUMBER_IT);
            long seq = number(SEQ, 0, "set it to 0");
            LeaseRecord record = holder.isPresent() ? granted(token, seq, holder, now) : neverGranted(token, seq);
            return new LeaseDocument(record, textOrEmpty(NONCE), slots(), now);
        }

        private void requireVersion() {
            long version = number(VERSION, 0, "set it to " + LeaseFields.SCHEMA_VERSION);
            if (version != LeaseFields.SCHEMA_VERSION) {
                throw unreadable(
                        "its field '" + VERSION + "' is " + version + ", and this process knows "
                                + LeaseFields.SCHEMA_VERSION + " only",
                        "update camel-lease-mongodb in this process");
            }
        }

        private LeaseRecord granted(long token, long seq, Optional<HolderId> holder, Instant now) {
            boolean released = bool(RELEASED);
            long left = date(EXPIRES_AT, fields, FREE_IT).toEpochMilli() - now.toEpochMilli();
            return new LeaseRecord(
                    name,
                    token,
                    seq,
                    holder,
                    Optional.of(valid(ATTEMPT, AttemptId::new)),
                    released,
                    released || left <= 0 ? Duration.ZERO : Duration.ofMillis(left),
                    Duration.ofMillis(number(TTL, 1, FREE_IT)),
                    textOrEmpty(VALUE),
                    acquiredAt());
        }

        private LeaseRecord neverGranted(long token, long seq) {
            return new LeaseRecord(
                    name,
                    token,
                    seq,
                    Optional.empty(),
                    Optional.empty(),
                    false,
                    Duration.ZERO,
                    Duration.ZERO,
                    "",
                    Optional.empty());
        }

        private Optional<HolderId> holder() {
            return valueOf(HOLDER).isNull() ? Optional.empty() : Optional.of(valid(HOLDER, HolderId::new));
        }

        private <T> T valid(String field, Function<String, T> constructor) {
            try {
                return constructor.apply(text(field));
            } catch (IllegalArgumentException illegal) {
                throw unreadable("its field '" + field + "': " + illegal.getMessage(), FREE_IT);
            }
        }

        private Optional<Instant> acquiredAt() {
            BsonValue value = valueOf(ACQUIRED_AT);
            return value.isDateTime()
                    ? Optional.of(Instant.ofEpochMilli(value.asDateTime().getValue()))
                    : Optional.empty();
        }

        private Map<String, Instant> slots() {
            BsonValue stored = valueOf(SLOTS);
            if (stored.isNull()) {
                return Map.of();
            }
            if (!stored.isDocument()) {
                throw wrongType(SLOTS, stored, "a document", "remove it, if its slots may be forgotten");
            }
            Map<String, Instant> slots = new HashMap<>();
            stored.asDocument().forEach((field, slot) -> slots.put(LeaseFields.slotKey(field), slotAt(field, slot)));
            return slots;
        }

        private Instant slotAt(String field, BsonValue slot) {
            String remedy = "remove it, if that slot may be forgotten";
            if (!slot.isDocument()) {
                throw wrongType(SLOTS + "." + field, slot, "a document", remedy);
            }
            return date(SLOT_AT, slot.asDocument(), "in slot '" + field + "': " + remedy);
        }

        /** Whole numbers of any BSON type: shells and drivers of other languages store doubles and 32-bit integers. */
        private long number(String field, long least, String remedy) {
            BsonValue value = valueOf(field);
            if (!value.isInt32() && !value.isInt64() && !value.isDouble()) {
                throw wrongType(field, value, "a whole number", remedy);
            }
            long number = value.asNumber().longValue();
            boolean whole = !value.isDouble() || value.asDouble().getValue() == number;
            if (!whole || number < least || number == Long.MAX_VALUE) {
                String stored = value.isDouble() ? "" + value.asDouble().getValue() : "" + number;
                throw unreadable("its field '" + field + "' is " + stored, remedy);
            }
            return number;
        }

        private Instant date(String field, BsonDocument of, String remedy) {
            BsonValue value = of.get(field, BsonNull.VALUE);
            if (!value.isDateTime()) {
                throw wrongType(field, value, "a date", remedy);
            }
            return Instant.ofEpochMilli(value.asDateTime().getValue());
        }

        private boolean bool(String field) {
            BsonValue value = valueOf(field);
            if (!value.isBoolean()) {
                throw wrongType(field, value, "a boolean", FREE_IT);
            }
            return value.asBoolean().getValue();
        }

        private String text(String field) {
            BsonValue value = valueOf(field);
            if (!value.isString()) {
                throw wrongType(field, value, "a string", FREE_IT);
            }
            return value.asString().getValue();
        }

        private String textOrEmpty(String field) {
            BsonValue value = valueOf(field);
            return value.isString() ? value.asString().getValue() : "";
        }

        private BsonValue valueOf(String field) {
            return fields.get(field, BsonNull.VALUE);
        }

        private LeaseStoreException wrongType(String field, BsonValue value, String expected, String remedy) {
            String actual = value.isNull() ? "missing" : "of type " + value.getBsonType();
            return unreadable("its field '" + field + "' is " + actual + " instead of " + expected, remedy);
        }

        private LeaseStoreException unreadable(String reason, String remedy) {
            return new LeaseStoreException(
                    LeaseStoreException.Problem.UNREADABLE,
                    "the record of lease '" + name + "', " + place.recordOf(name.value()) + " in " + place
                            + ", cannot be read: " + reason
                            + ". Nobody is granted it and nothing changes it until then: "
                            + remedy,
                    null);
        }
    }
}
