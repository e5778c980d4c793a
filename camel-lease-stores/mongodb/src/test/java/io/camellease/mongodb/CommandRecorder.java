/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** Writes down what a client sends and receives. Thread-safe. */
final class CommandRecorder implements CommandListener {

    private final List<BsonDocument> sent = new CopyOnWriteArrayList<>();
    private final List<String> failed = new CopyOnWriteArrayList<>();
    private final List<String> written = new CopyOnWriteArrayList<>();

    MongoClient newClient(String uri) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .addCommandListener(this)
                .build());
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        sent.add(event.getCommand().clone());
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        BsonDocument reply = event.getResponse();
        if (reply.containsKey("writeErrors") || reply.containsKey("writeConcernError")) {
            failed.add(event.getCommandName());
        }
        if (hasWritten(event.getCommandName(), reply)) {
            written.add(event.getCommandName());
        }
    }

    private static boolean hasWritten(String command, BsonDocument reply) {
        return switch (command) {
            case "findAndModify" -> !reply.get("value").isNull();
            case "update" -> number(reply, "nModified") > 0 || reply.containsKey("upserted");
            case "insert", "delete" -> number(reply, "n") > 0;
            default -> false;
        };
    }

    private static int number(BsonDocument reply, String field) {
        BsonValue value = reply.get(field, new BsonInt32(0));
        return value.asNumber().intValue();
    }

    @Override
    public void commandFailed(CommandFailedEvent event) {
        failed.add(event.getCommandName());
    }

    void clear() {
        sent.clear();
        failed.clear();
        written.clear();
    }

    List<BsonDocument> sent() {
        return sent;
    }

    List<String> sentNames() {
        return sent.stream().map(BsonDocument::getFirstKey).toList();
    }

    /** Commands that were answered by an error, or not at all. */
    List<String> failed() {
        return failed;
    }

    /** Commands that changed something. */
    List<String> written() {
        return written;
    }
}
