/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.bulk.BulkWriteError;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews batches of grants, and finds out what became of each (rules S4, S10, S12). Thread-safe. */
final class Renewals {

    private static final Logger LOG = LoggerFactory.getLogger(Renewals.class);

    /** The leases whose renewal was refused last, so that each is reported once. */
    private final Set<LeaseName> refused = ConcurrentHashMap.newKeySet();

    private final Secrets secrets;

    Renewals(Secrets secrets) {
        this.secrets = secrets;
    }

    /**
     * Renews what can be renewed.
     *
     * @param batch for one command
     * @return one result for each, in their order
     */
    List<RenewResult> renew(Call call, Dialect dialect, List<Renewal> batch) {
        Outcome outcome = send(call, dialect, batch);
        if (outcome.refused().isEmpty() && outcome.changed() == batch.size()) {
            return batch.stream().map(renewal -> RenewResult.RENEWED).toList();
        }
        // Only what the server did answer: it may be that it cannot read the others either.
        Records records = Records.read(call, namesAnswered(batch, outcome));
        return IntStream.range(0, batch.size())
                .mapToObj(index ->
                        outcome.refused().containsKey(index) ? RenewResult.STALE : explain(batch.get(index), records))
                .toList();
    }

    private static List<LeaseName> namesAnswered(List<Renewal> batch, Outcome outcome) {
        return IntStream.range(0, batch.size())
                .filter(index -> !outcome.refused().containsKey(index))
                .mapToObj(index -> batch.get(index).lease().name())
                .toList();
    }

    /**
     * What the server said to one command.
     *
     * @param changed how many records it renewed
     * @param refused what it said to those that it did not want to write, by their place in the batch
     */
    private record Outcome(int changed, Map<Integer, BulkWriteError> refused) {}

    private Outcome send(Call call, Dialect dialect, List<Renewal> batch) {
        Outcome outcome = outcome(call, dialect, batch);
        IntStream.range(0, batch.size())
                .forEach(index ->
                        note(batch.get(index).lease().name(), outcome.refused().get(index), call));
        return outcome;
    }

    private static Outcome outcome(Call call, Dialect dialect, List<Renewal> batch) {
        try {
            return new Outcome(dialect.renew(call, batch), Map.of());
        } catch (MongoBulkWriteException thrown) {
            // An error of the write concern is about all of them; and where all were refused, the store is in trouble.
            if (thrown.getWriteConcernError() != null || thrown.getWriteErrors().size() >= batch.size()) {
                throw thrown;
            }
            Map<Integer, BulkWriteError> refused = new HashMap<>();
            thrown.getWriteErrors().forEach(error -> refused.put(error.getIndex(), error));
            return new Outcome(thrown.getWriteResult().getMatchedCount(), refused);
        }
    }

    private void note(LeaseName name, @Nullable BulkWriteError error, Call call) {
        if (error == null) {
            refused.remove(name);
        } else if (refused.add(name)) {
            LOG.warn(
                    "Lease '{}': the server renews others, but does not write {}; the lease expires if that goes on"
                            + " (code {}: {})",
                    name,
                    call.place().recordOf(name.value()),
                    error.getCode(),
                    secrets.appearIn(error.getMessage()) ? "" : error.getMessage());
        }
    }

    /** The server says only how many it renewed; the records say which, and why not the others. */
    private static RenewResult explain(Renewal renewal, Records records) {
        Lease lease = renewal.lease();
        Optional<LeaseDocument> document = records.of(lease.name()).filter(found -> isHeldUnder(lease, found.record()));
        if (document.isEmpty()) {
            return RenewResult.LOST;
        }
        long seq = document.get().record().seq();
        if (seq != renewal.seq()) {
            // A smaller one means that it was not renewed although its record allows it: a fail-over or a step of the
            // server's clock came between. Only this renewal is unknown, so only its holder shall send another.
            return RenewResult.STALE;
        }
        return document.get().nonce().equals(renewal.nonce()) ? RenewResult.RENEWED : RenewResult.LOST;
    }

    private static boolean isHeldUnder(Lease lease, LeaseRecord record) {
        return record.isHeld()
                && record.token() == lease.token().value()
                && MongoLeaseStore.isGrantOf(record, lease.holder(), lease.attempt());
    }
}
