/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.MongoException;
import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.FencingToken;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bson.BSONException;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out once which dialect the server understands, by what it does and never by its version: compatible servers report
 * versions whose features they lack. A server that cannot say at the moment is asked again by the next operation. Thread-safe.
 */
final class DialectProbe {

    /** The {@code _id} of the record that is tried on. Being a document, it is not the name of a lease. */
    static final BsonDocument SCRATCH = new BsonDocument("camelLease", new BsonString("probe"));

    private static final Logger LOG = LoggerFactory.getLogger(DialectProbe.class);
    private static final BsonDateTime LONG_AGO = new BsonDateTime(0);

    private final List<Dialect> candidates;
    private final Place place;
    private volatile @Nullable Dialect chosen;

    /** @param candidates the best one first */
    DialectProbe(List<Dialect> candidates, Place place) {
        this.candidates = List.copyOf(candidates);
        this.place = place;
    }

    /** A filter that matches the scratch record on a server that knows {@code $$NOW}. */
    static Document always() {
        return scratchIf("$gt");
    }

    /** A filter that matches nothing on a server that evaluates it: one that ignored it would grant what is held. */
    static Document never() {
        return scratchIf("$lte");
    }

    private static Document scratchIf(String comparison) {
        return new Document(LeaseFields.ID, SCRATCH)
                .append("$expr", new Document(comparison, List.of("$$NOW", LONG_AGO)));
    }

    /** The dialect of this server, tried out now if it was not before. */
    Dialect dialect(Call call) {
        Dialect known = chosen;
        if (known != null) {
            return known;
        }
        call.create(SCRATCH, new Document("purpose", "finds out which updates this server understands"));
        Dialect found = candidates.stream()
                .filter(dialect -> isUnderstood(dialect, call))
                .findFirst()
                .orElseThrow(this::none);
        LOG.debug("{} is spoken to in dialect {}", place, found.name());
        chosen = found;
        return found;
    }

    /** The name of the dialect, if it has been found out. */
    Optional<String> known() {
        return Optional.ofNullable(chosen).map(Dialect::name);
    }

    private static boolean isUnderstood(Dialect dialect, Call call) {
        try {
            return dialect.isUnderstood(call) && refusesTheImpossible(dialect, call);
        } catch (MongoException | BSONException thrown) {
            if (MongoErrors.kind(thrown) != MongoErrors.Kind.REFUSED) {
                throw thrown;
            }
            LOG.debug("Dialect {} is not understood", dialect.name(), thrown);
            return false;
        }
    }

    /** Sends the very statements that leases use, under tokens that no record has. */
    private static boolean refusesTheImpossible(Dialect dialect, Call call) {
        Lease lease = new Lease(
                new LeaseName("camel-lease probe"),
                new HolderId("probe"),
                new FencingToken(Long.MAX_VALUE),
                new AttemptId("probe"),
                Duration.ofMillis(1));
        Claim claim = new Claim(lease.name(), lease.holder(), lease.attempt(), -1, -1, true, lease.ttl(), "");
        return dialect.grant(call, claim, Instant.EPOCH).isEmpty()
                && dialect.renew(call, List.of(new Renewal(lease, 1, "probe"))) == 0;
    }

    private LeaseStoreException none() {
        return new LeaseStoreException(
                LeaseStoreException.Problem.MISCONFIGURED,
                place + " understands none of the ways to grant a lease by the server's own clock ("
                        + String.join(
                                ", ", candidates.stream().map(Dialect::name).toList())
                        + "): it must support $expr and $$NOW in the filter of an update, as MongoDB does from 4.2 on."
                        + " Some compatible servers do so only while the collection has no index but that of _id",
                null);
    }
}
