/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import static io.camellease.mongodb.LeaseFields.RELEASED;
import static io.camellease.mongodb.LeaseFields.SLOT_AT;
import static io.camellease.mongodb.LeaseFields.SLOT_TOKEN;
import static io.camellease.mongodb.LeaseFields.VALUE;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.camellease.core.AdvanceResult;
import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.FencingToken;
import io.camellease.core.Found;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BSONException;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;

/**
 * Keeps leases in a MongoDB collection. Thread-safe.
 *
 * <p>Every command goes to the primary and is acknowledged by a majority, whatever URI or client say (rule S8), takes no
 * longer than what is left of the timeout (S9), and runs outside any session of the caller. An operation changes at most one
 * record by one command that states its condition (see {@link Conditions}); whatever is read afterwards explains the answer
 * and is read with read concern majority, so that no answer rests on what a fail-over may take back.
 */
public final class MongoLeaseStore implements LeaseStore {

    private static final int RENEWALS_PER_COMMAND = 250;

    private final ClientSource source;
    private final Place place;
    private final Duration timeout;
    private final Secrets secrets;
    private final DialectProbe probe;
    private final Renewals batches;

    MongoLeaseStore(ClientSource source, Place place, Duration timeout, Secrets secrets, List<Dialect> dialects) {
        this.source = source;
        this.place = place;
        this.timeout = timeout;
        this.secrets = secrets;
        this.probe = new DialectProbe(dialects, place);
        this.batches = new Renewals(secrets);
    }

    /**
     * A store with a client of its own, which {@link #close} closes. Does no I/O.
     *
     * @throws IllegalArgumentException if URI, credentials or properties are wrong; the message contains no secret
     */
    public static MongoLeaseStore open(LeaseStoreOptions options) {
        return MongoStoreOptions.open(options, dialects());
    }

    /**
     * A store over a client that the caller made and goes on owning. The URI of the options is not used.
     *
     * @throws IllegalArgumentException if the options are wrong, or contain a user name or password
     */
    public static MongoLeaseStore over(MongoClient client, LeaseStoreOptions options) {
        return MongoStoreOptions.over(client, options, dialects());
    }

    private static List<Dialect> dialects() {
        return List.of(new PipelineDialect(), new ClassicDialect());
    }

    @Override
    public ClaimResult claim(Claim claim) {
        return call("claim of lease '" + claim.name() + "'", call -> claim(call, claim));
    }

    private ClaimResult claim(Call call, Claim claim) {
        Dialect dialect = probe.dialect(call);
        LeaseDocument seen = readOrCreate(call, claim);
        if (isHeldByAnother(seen.record(), claim)) {
            return answer(claim, seen);
        }
        return answer(
                claim,
                dialect.grant(call, claim, seen.storeNow())
                        .or(() -> call.read(claim.name()))
                        .orElseThrow(() -> deleted(claim.name())));
    }

    /** Reads the whole record before it may be granted (S11). A candidate that saw no token most likely saw no record. */
    private LeaseDocument readOrCreate(Call call, Claim claim) {
        LeaseName name = claim.name();
        Optional<LeaseDocument> found = claim.expectedToken() == 0 ? Optional.empty() : call.read(name);
        return found.or(() -> {
                    call.create(new BsonString(name.value()), LeaseFields.neverGranted());
                    return call.read(name);
                })
                .orElseThrow(() -> deleted(name));
    }

    private LeaseStoreException deleted(LeaseName name) {
        return new LeaseStoreException(
                Problem.UNAVAILABLE,
                "the record of lease '" + name + "' in " + place
                        + " was deleted while it was claimed: find out by whom",
                null);
    }

    /** Whether the server would refuse for certain; saves it the write (S2). */
    private static boolean isHeldByAnother(LeaseRecord record, Claim claim) {
        return record.isHeld() && !record.isGrantOf(claim.holder()) && !claim.observed();
    }

    static boolean isGrantOf(LeaseRecord record, HolderId holder, AttemptId attempt) {
        return record.isGrantOf(holder)
                && record.attempt().filter(attempt::equals).isPresent();
    }

    private static ClaimResult answer(Claim claim, LeaseDocument document) {
        LeaseRecord record = document.record();
        if (!isGrantOf(record, claim.holder(), claim.attempt())) {
            return new ClaimResult.HeldByOther(record, document.storeNow());
        }
        if (!record.isHeld()) {
            return new ClaimResult.Spent(document.storeNow());
        }
        FencingToken token = new FencingToken(record.token());
        Lease lease = new Lease(claim.name(), claim.holder(), token, claim.attempt(), record.ttl());
        return new ClaimResult.Granted(lease, document.slots(), document.storeNow());
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        return call("renewal of " + leases(renewals.size()), call -> {
            List<RenewResult> results = new ArrayList<>(renewals.size());
            for (List<Renewal> chunk : Chunks.of(renewals, RENEWALS_PER_COMMAND)) {
                results.addAll(batches.renew(call, probe.dialect(call), chunk));
            }
            return results;
        });
    }

    private static String leases(int count) {
        return count == 1 ? "1 lease" : count + " leases";
    }

    @Override
    public boolean release(Lease lease) {
        return call(
                "release of lease '" + lease.name() + "'",
                call -> change(call, lease.name(), Conditions.grantOf(lease), RELEASED, true));
    }

    @Override
    public void abandon(LeaseName name, HolderId holder, AttemptId attempt) {
        boolean unused = call(
                "giving up an attempt at lease '" + name + "'",
                call -> change(call, name, Conditions.grantOf(name, holder, attempt), RELEASED, true));
    }

    @Override
    public Found find(Collection<LeaseName> names) {
        return call("look at " + leases(names.size()), call -> Records.read(call, names)
                .found(names));
    }

    @Override
    public boolean setValue(Lease lease, String value) {
        LeaseStore.requireValue(value);
        return call(
                "change of the value of lease '" + lease.name() + "'",
                call -> change(call, lease.name(), Conditions.held(lease), VALUE, value));
    }

    @Override
    public AdvanceResult advance(Lease lease, String key, Instant slot) {
        requireKey(key);
        String path = LeaseFields.slotPath(key);
        Document stored = new Document(SLOT_AT, new BsonDateTime(slot.toEpochMilli()))
                .append(SLOT_TOKEN, lease.token().value());
        boolean advanced = call(
                "advance of lease '" + lease.name() + "'",
                call -> change(call, lease.name(), Conditions.advanceable(lease, path, slot), path, stored));
        return advanced ? AdvanceResult.ADVANCED : AdvanceResult.REFUSED;
    }

    private static void requireKey(String key) {
        // The rule for keys is the rule for names, and core keeps it to itself.
        new LeaseName(key);
    }

    /** Sets one field under a condition, and reports a record that was left alone because it is damaged (S11). */
    private static boolean change(Call call, LeaseName name, Document condition, String field, Object value) {
        boolean changed = call.update(condition, new Document("$set", new Document(field, value)));
        if (!changed) {
            Optional<LeaseDocument> unused = call.read(name);
        }
        return changed;
    }

    @Override
    public String description() {
        return place.toString();
    }

    @Override
    public Optional<String> dialect() {
        return probe.known();
    }

    @Override
    public void close() {
        source.close();
    }

    private <A> A call(String operation, Function<Call, A> work) {
        try {
            Deadline deadline = Deadline.in(timeout);
            return work.apply(new Call(collection(source.client(deadline)), deadline, place));
        } catch (MongoException | BSONException | IllegalStateException failed) {
            throw MongoErrors.translate(failed, operation, place, secrets);
        }
    }

    private MongoCollection<BsonDocument> collection(MongoClient client) {
        return client.getDatabase(place.database())
                .getCollection(place.collection(), BsonDocument.class)
                .withCodecRegistry(MongoClientSettings.getDefaultCodecRegistry())
                .withReadPreference(ReadPreference.primary())
                .withReadConcern(ReadConcern.MAJORITY)
                .withWriteConcern(WriteConcern.MAJORITY);
    }
}
