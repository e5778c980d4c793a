/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import org.bson.Document;

/** The names of what a record stores. */
final class LeaseFields {

    /** The rules by which a record is read and changed; a record of another version is left alone. */
    static final int SCHEMA_VERSION = 1;

    static final String ID = "_id";
    static final String VERSION = "v";
    static final String TOKEN = "token";
    static final String SEQ = "seq";
    static final String NONCE = "nonce";
    static final String HOLDER = "holder";
    static final String ATTEMPT = "attempt";
    static final String TTL = "ttl";
    static final String ACQUIRED_AT = "acquiredAt";
    static final String RENEWED_AT = "renewedAt";
    static final String EXPIRES_AT = "expiresAt";
    static final String RELEASED = "released";
    static final String VALUE = "value";
    static final String SLOTS = "slots";
    static final String SLOT_AT = "at";
    static final String SLOT_TOKEN = "token";

    private LeaseFields() {}

    /** What a record is made with: no grant yet, no holder. */
    static Document neverGranted() {
        return new Document(VERSION, SCHEMA_VERSION)
                .append(TOKEN, 0L)
                .append(SEQ, 0L)
                .append(SLOTS, new Document());
    }

    /** Where the slot of a key is. Dots and dollar signs mean something in a path, hence the percent signs. */
    static String slotPath(String key) {
        return SLOTS + "." + key.replace("%", "%25").replace(".", "%2E").replace("$", "%24");
    }

    /** The key that {@link #slotPath} was made of. */
    static String slotKey(String field) {
        return field.replace("%24", "$").replace("%2E", ".").replace("%25", "%");
    }
}
