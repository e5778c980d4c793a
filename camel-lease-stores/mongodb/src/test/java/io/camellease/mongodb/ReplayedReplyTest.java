/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.HolderId;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A retried findAndModify is answered from what was stored for it, and that answer has no clock of the server in it. */
@ResourceLock(Engine.REAL)
class ReplayedReplyTest {

    private static final HolderId ANNA = new HolderId("anna");

    private final LeaseName name = new LeaseName("orders");
    private final String collection = Engine.newCollection();
    private Engine engine;
    private MongoClient client;

    @BeforeEach
    void connect() {
        engine = Engine.real();
        client = engine.newClient();
    }

    @AfterEach
    void disconnect() {
        if (client != null) {
            Engine.records(client, collection).drop();
            client.close();
        }
    }

    @Test
    void claimIsAnsweredWithItsGrant() {
        Instant slot = Instant.ofEpochMilli(5);
        LeaseStore normal = engine.in(new PipelineDialect()).over(client, collection);
        ClaimResult.Granted before = granted(normal.claim(claim(0)));
        normal.advance(before.lease(), "k", slot);
        normal.release(before.lease());
        LeaseStore replayed = engine.in(new PipelineDialect()).over(ReplayingClient.over(client), collection);

        ClaimResult.Granted grant =
                granted(replayed.claim(claim(before.lease().token().value())));

        LeaseRecord record =
                Objects.requireNonNull(normal.find(List.of(name)).records().get(name));
        assertThat(grant.lease().token().value())
                .isEqualTo(record.token())
                .isGreaterThan(before.lease().token().value());
        assertThat(grant.slots()).isEqualTo(Map.of("k", slot));
        assertThat(record.isHeld()).isTrue();
    }

    @Test
    void dialectIsNotDowngraded() {
        LeaseStore store = engine.over(ReplayingClient.over(client), collection);

        granted(store.claim(claim(0)));

        assertThat(store.dialect()).contains("pipeline");
    }

    private Claim claim(long token) {
        return new Claim(name, ANNA, AttemptId.unique(), token, 0, false, Duration.ofMinutes(5), "");
    }

    private static ClaimResult.Granted granted(ClaimResult result) {
        assertThat(result).isInstanceOf(ClaimResult.Granted.class);
        return (ClaimResult.Granted) result;
    }
}
