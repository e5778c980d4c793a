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
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.camellease.core.HolderId;
import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseStoreOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Many nodes that wait for the same leases, and do not keep step. */
@ResourceLock(Engine.REAL)
class ThunderingHerdTest {

    private static final int STANDBYS = 60;
    private static final int STANDBYS_PER_CLIENT = 10;
    private static final int LEASES = 20;
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final LeaseSettings SETTINGS = LeaseSettings.of(TTL);
    private static final Duration INTERVAL = SETTINGS.claimInterval();
    private static final Duration LOOK_AT = INTERVAL.multipliedBy(3);
    private static final long SLOT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int MOST_LOOKS = 5;
    private static final double MOST_TIMES_MEAN = 3;
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private record Sent(String command, long at) {}

    /** Whose records outlive the server. */
    private static final class Disk extends MemoryBackend {
        @Override
        public void close() {
            // as a disk does
        }
    }

    private final Disk disk = new Disk();
    private final String collection = Engine.newCollection();
    private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private MongoServer server = new MongoServer(disk);
    private final InetSocketAddress address = server.bind();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        server.shutdownNow();
    }

    private MongoClient connect() {
        MongoClient client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString("mongodb://127.0.0.1:" + address.getPort()))
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        sent.add(new Sent(event.getCommandName(), System.nanoTime()));
                    }
                })
                .build());
        open.add(client);
        return client;
    }

    private LeaseClient node(MongoClient client, String label) {
        MongoLeaseStore store = MongoStoreOptions.over(
                client,
                new LeaseStoreOptions(
                        "",
                        SETTINGS.storeTimeout(),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of("database", Engine.DATABASE, "collection", collection)),
                List.of(new ClassicDialect()));
        LeaseClient leases = new LeaseClient(store, HolderId.unique(label), SETTINGS);
        open.add(0, store);
        open.add(0, leases);
        IntStream.range(0, LEASES).forEach(i -> leases.elector(new LeaseName("lease/" + i), event -> {}, () -> "")
                .start());
        return leases;
    }

    private static void await(Duration longest, Callable<Boolean> condition) throws Exception {
        long until = System.nanoTime() + longest.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime() - until).as("nanoseconds too late").isNegative();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private static void pass(Duration time) {
        longestStall(time);
    }

    /** Lets that time pass, and says how many nanoseconds this JVM did not run at most. */
    private static long longestStall(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        long longest = 0;
        for (long now = System.nanoTime(); now - until < 0; ) {
            LockSupport.parkNanos(PACE_NANOS);
            long before = now;
            now = System.nanoTime();
            longest = Math.max(longest, now - before - PACE_NANOS);
        }
        return longest;
    }

    private static boolean isHeld(List<LeaseClient> nodes, int lease) {
        return nodes.stream()
                        .flatMap(node -> node.electors().stream())
                        .filter(elector -> elector.name().equals(new LeaseName("lease/" + lease)))
                        .filter(elector -> elector.check().isPresent())
                        .count()
                == 1;
    }

    private static boolean areAllHeld(List<LeaseClient> nodes) {
        return IntStream.range(0, LEASES).allMatch(lease -> isHeld(nodes, lease));
    }

    /**
     * What is sent from now on, by tenths of a second. What falls due while the machine stands still is sent at once afterwards; who
     * keeps step with others does so all the time, and shows it at the next look as well.
     */
    private int[] slots() {
        long from;
        long stall;
        int looks = 0;
        do {
            sent.clear();
            from = System.nanoTime();
            stall = longestStall(LOOK_AT);
        } while (stall > SLOT_NANOS / 2 && ++looks < MOST_LOOKS);
        return slots(from);
    }

    private int[] slots(long from) {
        int[] slots = new int[(int) (LOOK_AT.toNanos() / SLOT_NANOS)];
        for (Sent each : sent) {
            long slot = (each.at() - from) / SLOT_NANOS;
            if (slot >= 0 && slot < slots.length) {
                slots[(int) slot]++;
            }
        }
        return slots;
    }

    private static void assertSpread(String when, int[] slots) {
        double mean = IntStream.of(slots).average().orElseThrow();
        int most = IntStream.of(slots).max().orElseThrow();
        System.out.printf(
                "[lease figures] C70 %s: %d standbys with %d leases: %.1f commands in 100 ms, at most %d%n",
                when, STANDBYS, LEASES, mean, most);
        assertThat(mean).isPositive();
        assertThat(most / mean).as(when).isLessThan(MOST_TIMES_MEAN);
    }

    @Test
    void c70_attemptsAreSpreadAlsoAfterAKillAndARestartOfTheStore() throws Exception {
        LeaseClient holder = node(connect(), "holder");
        await(LONGEST, () -> areAllHeld(List.of(holder)));
        List<LeaseClient> standbys = new ArrayList<>();
        for (int i = 0; i < STANDBYS / STANDBYS_PER_CLIENT; i++) {
            MongoClient client = connect();
            IntStream.range(0, STANDBYS_PER_CLIENT).forEach(j -> standbys.add(node(client, "standby")));
        }
        pass(INTERVAL.multipliedBy(2));

        int[] steady = slots();
        assertSpread("steady", steady);
        assertThat(IntStream.of(steady).sum())
                .as("one read for all leases of a node each interval")
                .isLessThan((int) (STANDBYS * LOOK_AT.toNanos() / INTERVAL.toNanos() * 2));
        assertThat(sent.stream().map(Sent::command).filter(command -> !command.equals("update")))
                .as("reads, and the renewals of the holder")
                .isSubsetOf("aggregate", "find");

        List.copyOf(holder.electors()).forEach(holder::remove);
        await(TTL.plus(INTERVAL.multipliedBy(2)), () -> areAllHeld(standbys));
        pass(INTERVAL.multipliedBy(2));
        assertSpread("after the kill", slots());

        server.shutdownNow();
        pass(INTERVAL.multipliedBy(2));
        server = new MongoServer(disk);
        server.bind(address);
        pass(INTERVAL.multipliedBy(2));
        assertSpread("after the restart", slots());
        assertThat(areAllHeld(standbys)).isTrue();
    }
}
