/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import org.bson.Document;

/**
 * Where the records are, for messages. Contains no secret.
 *
 * @param database whose collection it is
 * @param collection that holds the records
 * @param hosts host:port, separated by commas
 */
record Place(String database, String collection, String hosts) {

    /** The collection as people write it. */
    String namespace() {
        return database + "." + collection;
    }

    /** The record of a name as people would search for it. */
    String recordOf(String id) {
        return namespace() + " " + new Document(LeaseFields.ID, id).toJson();
    }

    @Override
    public String toString() {
        return "MongoDB " + namespace() + " on " + hosts;
    }
}
