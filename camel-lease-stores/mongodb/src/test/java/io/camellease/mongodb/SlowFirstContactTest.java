/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.HolderId;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A server that is fast enough for a claim, but not for the first contact and a claim within one store timeout. */
@ResourceLock(Engine.REAL)
class SlowFirstContactTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final String collection = Engine.newCollection();
    private final List<String> said = new ArrayList<>();

    /** Commands of a first claim: 4, after 7 that find out the dialect. */
    @Test
    void classicGetsItsGrant() {
        assertGranted(Engine.inProcess(), Duration.ofMillis(180));
    }

    /** Commands of a first claim: 3, after 5 that find out the dialect. */
    @Test
    void pipelineGetsItsGrant() {
        assertGranted(Engine.real(), Duration.ofMillis(240));
    }

    private void assertGranted(Engine engine, Duration perCommand) {
        try (MongoClient client = slowClient(engine.uri(), perCommand)) {
            LeaseStore store = MongoStoreOptions.over(client, options(), engine.dialects());
            Claim claim = new Claim(
                    new LeaseName("orders"),
                    new HolderId("anna"),
                    AttemptId.unique(),
                    0,
                    0,
                    false,
                    Duration.ofMinutes(5),
                    "");

            assertThat(lastOf(5, store, claim)).as("%s", said).containsInstanceOf(ClaimResult.Granted.class);
            assertThat(said).isNotEmpty().first().asString().contains("still finding out");
        }
        try (MongoClient client = engine.newClient()) {
            Engine.records(client, collection).drop();
        }
    }

    private Optional<ClaimResult> lastOf(int tries, LeaseStore store, Claim claim) {
        for (int i = 0; i < tries; i++) {
            try {
                return Optional.of(store.claim(claim));
            } catch (LeaseStoreException late) {
                said.add(String.valueOf(late.getMessage()));
            }
        }
        return Optional.empty();
    }

    private LeaseStoreOptions options() {
        return new LeaseStoreOptions(
                "",
                TIMEOUT,
                Optional.empty(),
                Optional.empty(),
                Map.of("database", Engine.DATABASE, "collection", collection));
    }

    private static MongoClient slowClient(String uri, Duration perCommand) {
        CommandListener delay = new CommandListener() {
            @Override
            public void commandStarted(CommandStartedEvent event) {
                LockSupport.parkNanos(perCommand.toNanos());
            }
        };
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .addCommandListener(delay)
                .build());
    }
}
