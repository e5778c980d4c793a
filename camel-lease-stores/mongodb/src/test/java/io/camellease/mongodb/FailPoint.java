/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Assumptions;

/** Makes a server fail commands of some names. Aborts the test on a server that cannot. Stateless. */
final class FailPoint {

    private FailPoint() {}

    /** The server carries the first such command out, then closes the connection instead of answering. */
    static void losingReplyOf(String command, MongoClient client, Runnable work) {
        BsonDocument data =
                new BsonDocument("closeConnection", BsonBoolean.TRUE).append("applyFirst", BsonBoolean.TRUE);
        with(client, 1, command, data, work);
    }

    /** The server answers every such command by an error, and does not carry it out. */
    static void answering(int code, String command, MongoClient client, Runnable work) {
        with(client, Integer.MAX_VALUE, command, new BsonDocument("errorCode", new BsonInt32(code)), work);
    }

    /** The server fails all these commands as the data say, and does not carry them out. */
    static void during(MongoClient client, List<String> commands, BsonDocument data, Runnable work) {
        with(client, Integer.MAX_VALUE, commands, data.clone(), work);
    }

    private static void with(MongoClient client, int times, String command, BsonDocument data, Runnable work) {
        with(client, times, List.of(command), data, work);
    }

    private static void with(MongoClient client, int times, List<String> commands, BsonDocument data, Runnable work) {
        data.append(
                "failCommands",
                new BsonArray(commands.stream().map(BsonString::new).toList()));
        configure(client, new BsonDocument("times", new BsonInt32(times)), data);
        try {
            work.run();
        } finally {
            configure(client, new BsonString("off"), new BsonDocument());
        }
    }

    private static void configure(MongoClient client, BsonValue mode, BsonDocument data) {
        BsonDocument command = new BsonDocument("configureFailPoint", new BsonString("failCommand"))
                .append("mode", mode)
                .append("data", data);
        try {
            client.getDatabase("admin").runCommand(command);
        } catch (MongoCommandException unsupported) {
            Assumptions.abort("the server has no such fail point: " + unsupported.getErrorMessage());
        }
    }
}
