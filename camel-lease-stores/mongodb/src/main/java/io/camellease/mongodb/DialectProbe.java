/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.MongoException;
import com.mongodb.MongoTimeoutException;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BSONException;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out once which dialect the server understands, by what it does and never by its version: compatible servers report
 * versions whose features they lack. Each operation that needs it goes on where the one before came to, so that a slow server
 * is found out about in several. Thread-safe.
 */
final class DialectProbe {

    /** The {@code _id} of the record that is tried on. Being a document, it is not the name of a lease. */
    static final BsonDocument SCRATCH = new BsonDocument("camelLease", new BsonString("probe"));

    private static final Logger LOG = LoggerFactory.getLogger(DialectProbe.class);
    private static final BsonDateTime LONG_AGO = new BsonDateTime(0);

    /** For the very statements that leases use, under a token that no record has. */
    private static final Lease NOBODYS = new Lease(
            new LeaseName("camel-lease probe"),
            new HolderId("probe"),
            new FencingToken(Long.MAX_VALUE),
            new AttemptId("probe"),
            Duration.ofMillis(1));

    /** How far it has come: the candidates before are not understood, and the trials before are passed. */
    private record Position(int candidate, int trial) {

        /** There may be no scratch record yet. */
        static final Position START = new Position(-1, 0);

        Position nextTrial() {
            return new Position(candidate, trial + 1);
        }

        Position nextCandidate() {
            return new Position(candidate + 1, 0);
        }
    }

    private final List<Dialect> candidates;
    private final Place place;
    private volatile Position position = Position.START;

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
        try {
            Position at = position;
            while (chosen(at).isEmpty()) {
                at = advance(at, call);
            }
            return chosen(at).orElseThrow();
        } catch (MongoTimeoutException slow) {
            if (position.equals(Position.START)) {
                throw slow;
            }
            throw new MongoTimeoutException(
                    "still finding out which updates the server understands, and going on with that next time: "
                            + slow.getMessage(),
                    slow);
        }
    }

    /** The name of the dialect, if it has been found out. */
    Optional<String> known() {
        return chosen(position).map(Dialect::name);
    }

    private Optional<Dialect> chosen(Position at) {
        if (at.equals(Position.START)) {
            return Optional.empty();
        }
        Dialect candidate = candidates.get(at.candidate());
        return at.trial() == trials(candidate).size() ? Optional.of(candidate) : Optional.empty();
    }

    private static List<Dialect.Trial> trials(Dialect candidate) {
        List<Dialect.Trial> trials = new ArrayList<>(candidate.trials());
        trials.add(
                call -> candidate.grant(call, impossibleClaim(), Instant.EPOCH).isEmpty());
        trials.add(call -> candidate.renew(call, List.of(new Renewal(NOBODYS, 1, "probe"))) == 0);
        return trials;
    }

    private Position advance(Position at, Call call) {
        Position next = next(at, call);
        if (next.candidate() == candidates.size()) {
            move(at, Position.START);
            throw none();
        }
        return move(at, next);
    }

    /** Another operation may have come further meanwhile. */
    private synchronized Position move(Position from, Position to) {
        if (position.equals(from)) {
            position = to;
            chosen(to).ifPresent(dialect -> LOG.debug("{} is spoken to in dialect {}", place, dialect.name()));
        }
        return position;
    }

    private Position next(Position at, Call call) {
        if (at.equals(Position.START)) {
            call.create(SCRATCH, new Document("purpose", "finds out which updates this server understands"));
            return at.nextCandidate();
        }
        Dialect candidate = candidates.get(at.candidate());
        return passes(candidate, at.trial(), call) ? at.nextTrial() : at.nextCandidate();
    }

    private static boolean passes(Dialect candidate, int trial, Call call) {
        try {
            return trials(candidate).get(trial).passes(call);
        } catch (MongoException | BSONException thrown) {
            if (MongoErrors.kind(thrown) != MongoErrors.Kind.REFUSED) {
                throw thrown;
            }
            LOG.debug("Dialect {} is not understood", candidate.name(), thrown);
            return false;
        }
    }

    private static Claim impossibleClaim() {
        return new Claim(NOBODYS.name(), NOBODYS.holder(), NOBODYS.attempt(), -1, -1, true, NOBODYS.ttl(), "");
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
