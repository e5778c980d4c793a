/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.Moment;
import io.camellease.core.Ticker;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows that the contract can fail: each broken store breaks at least one test of the rule it is named for. */
class LeaseStoreContractTest {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseStoreContractTest.class);

    private static final int RULES = 12;
    private static final int SPEED = 20;

    /** A clock that makes the one test that waits for a ttl wait a twentieth of it. */
    private static Ticker fastTicker() {
        Ticker system = Ticker.system();
        long begin = system.now().wallMillis();
        return () -> {
            Moment now = system.now();
            return new Moment(now.nanos(), begin + (now.wallMillis() - begin) * SPEED);
        };
    }

    private static InMemoryLeaseStore store(RecordRules rules, Lock lock) {
        return new InMemoryLeaseStore(fastTicker(), "memory", rules, lock);
    }

    @Test
    void soundStorePasses() {
        assertThat(ContractRun.failures(() -> new InMemoryFixture(store(new RecordRules(), new ReentrantLock()))))
                .isEmpty();
    }

    @Test
    void everyRuleHasATest() {
        List<String> names = ContractRun.tests().stream().map(Method::getName).toList();

        IntStream.rangeClosed(1, RULES).filter(rule -> rule != 9).forEach(rule -> assertThat(names)
                .anyMatch(name -> name.startsWith("s" + rule + "_")));
        assertThat(names).doesNotHaveDuplicates();
    }

    @TestFactory
    Stream<DynamicTest> brokenRulesAreFound() {
        return BrokenRules.all().entrySet().stream()
                .map(broken -> found(
                        broken.getKey(), () -> new InMemoryFixture(store(broken.getValue(), new ReentrantLock()))));
    }

    @TestFactory
    Stream<DynamicTest> brokenStoresAreFound() {
        return BrokenStores.all().entrySet().stream()
                .map(broken -> found(
                        broken.getKey(),
                        () -> new BrokenFixture(
                                new InMemoryFixture(store(new RecordRules(), new ReentrantLock())),
                                broken.getValue())));
    }

    @TestFactory
    Stream<DynamicTest> storeThatIsNotAtomicIsFound() {
        return Stream.of(
                found("s8 nothing is atomic", () -> new InMemoryFixture(store(new SlowRules(), new NoLock()))));
    }

    private static DynamicTest found(String broken, Supplier<LeaseStoreFixture> fixtures) {
        return dynamicTest(broken, () -> {
            Map<String, Throwable> failures = ContractRun.failures(fixtures);

            LOG.info("{}: found by {}", broken, failures.keySet());
            String rule = broken.substring(0, broken.indexOf(' '));
            assertThat(failures.keySet()).anyMatch(name -> name.matches(rule + "s?_.*"));
        });
    }

    /** Opens stores that are wrong in one point on records that are right. */
    private record BrokenFixture(InMemoryFixture records, Function<InMemoryLeaseStore, LeaseStore> breaking)
            implements LeaseStoreFixture {

        @Override
        public LeaseStore open() {
            return breaking.apply(records.store());
        }

        @Override
        public void shiftExpiry(LeaseName name, Duration by) {
            records.shiftExpiry(name, by);
        }

        @Override
        public void damage(LeaseName name) {
            records.damage(name);
        }

        @Override
        public void wipe(LeaseName name) {
            records.wipe(name);
        }

        @Override
        public String raw(LeaseName name) {
            return records.raw(name);
        }

        @Override
        public void close() {
            records.close();
        }
    }

    /** Leaves time for others between reading and writing. */
    private static final class SlowRules extends RecordRules {
        @Override
        Change<ClaimResult> claim(StoredRecord record, Claim claim, Instant now) {
            LockSupport.parkNanos(1);
            return super.claim(record, claim, now);
        }
    }

    private static final class NoLock implements Lock {
        @Override
        public void lock() {}

        @Override
        public void lockInterruptibly() {}

        @Override
        public boolean tryLock() {
            return true;
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) {
            return true;
        }

        @Override
        public void unlock() {}

        @Override
        public Condition newCondition() {
            throw new UnsupportedOperationException();
        }
    }
}
