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
import io.camellease.core.HolderId;
import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseState;
import io.camellease.core.LeaseTimer;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** One process that holds, and one that waits for, a thousand leases: figures for threads and commands. */
@ResourceLock(Engine.REAL)
class ThousandLeasesTest {

    private static final int LEASES = 1000;
    private static final int INTERVALS = 3;
    private static final int MOST_COMMANDS = 12;
    private static final LeaseSettings SETTINGS = LeaseSettings.of(Duration.ofSeconds(12));

    /** Counts commands by name. */
    private static final class Counter implements CommandListener {
        private final ConcurrentMap<String, LongAdder> counts = new ConcurrentHashMap<>();

        @Override
        public void commandStarted(CommandStartedEvent event) {
            counts.computeIfAbsent(event.getCommandName(), name -> new LongAdder())
                    .increment();
        }

        double perInterval(String command) {
            LongAdder count = counts.get(command);
            return count == null ? 0 : (double) count.sum() / INTERVALS;
        }

        Map<String, LongAdder> all() {
            return new TreeMap<>(counts);
        }
    }

    private static MongoClient clientOf(Engine engine, Counter counter) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(engine.uri()))
                .addCommandListener(counter)
                .build());
    }

    private static LeaseClient leases(MongoLeaseStore store, String node) {
        LeaseClient client = new LeaseClient(store, HolderId.unique(node), SETTINGS);
        for (int i = 0; i < LEASES; i++) {
            client.elector(new LeaseName("lease/" + i), event -> {}, () -> "").start();
        }
        return client;
    }

    private static void await(LeaseClient client, LeaseState state) throws InterruptedException {
        for (int tries = 0; tries < 1200; tries++) {
            if (client.electors().stream().map(LeaseElector::state).allMatch(state::equals)) {
                return;
            }
            pause(Duration.ofMillis(100));
        }
        throw new AssertionError("not all leases are " + state);
    }

    private static void pause(Duration duration) throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        try (LeaseTimer timer = LeaseTimer.thread("test-pause")) {
            timer.schedule(over::countDown, duration.toNanos());
            assertThat(over.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    private static long ourThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("lease-"))
                .count();
    }

    @Test
    void aThousandLeasesCostAsMuchAsAFew() throws Exception {
        Engine engine = System.getProperty(Engine.GIVEN_URI, "").isEmpty() ? Engine.inProcess() : Engine.real();
        String collection = Engine.newCollection();
        Counter held = new Counter();
        Counter waited = new Counter();
        long threadsBefore = ourThreads();
        try (MongoClient holderClient = clientOf(engine, held);
                MongoClient waiterClient = clientOf(engine, waited);
                LeaseClient holder = leases(engine.over(holderClient, collection), "holder")) {
            await(holder, LeaseState.HELD);
            long threads = ourThreads() - threadsBefore;
            try (LeaseClient waiter = leases(engine.over(waiterClient, collection), "waiter")) {
                pause(SETTINGS.renewInterval());
                held.counts.clear();
                waited.counts.clear();
                pause(SETTINGS.renewInterval().multipliedBy(INTERVALS));

                System.out.printf(
                        "[lease figures] %s: %d leases held: %d threads, per renew interval %.1f update, %.1f aggregate%n",
                        engine.name(), LEASES, threads, held.perInterval("update"), held.perInterval("aggregate"));
                System.out.printf(
                        "[lease figures] %s: %d leases waited for: per renew interval %.1f aggregate; all commands %s%n",
                        engine.name(), LEASES, waited.perInterval("aggregate"), waited.all());
                assertThat(threads).isLessThanOrEqualTo(4);
                assertThat(held.perInterval("update")).isBetween(1.0, (double) MOST_COMMANDS);
                assertThat(held.perInterval("aggregate")).isLessThanOrEqualTo(MOST_COMMANDS);
                assertThat(waited.perInterval("aggregate")).isBetween(1.0, (double) MOST_COMMANDS);
                assertThat(waited.all()).doesNotContainKeys("update", "findAndModify", "insert");
                assertThat(waiter.electors()).extracting(LeaseElector::state).containsOnly(LeaseState.WAITING);
                assertThat(holder.electors()).extracting(LeaseElector::state).containsOnly(LeaseState.HELD);
            }
        }
    }
}
