/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Runs the contract inside a test, against stores that may break it. */
final class ContractRun {

    private ContractRun() {}

    /** The contract in a small size: a broken rule shows in a few rounds. */
    private static final class SmallContract extends LeaseStoreContract {

        private final Supplier<LeaseStoreFixture> fixtures;

        SmallContract(Supplier<LeaseStoreFixture> fixtures) {
            this.fixtures = fixtures;
        }

        @Override
        protected LeaseStoreFixture newFixture() {
            return fixtures.get();
        }

        @Override
        protected Duration patience() {
            return Duration.ofSeconds(2);
        }

        @Override
        protected int tokenRounds() {
            return 12;
        }

        @Override
        protected int contentionRounds() {
            return 5;
        }

        @Override
        protected int renewalBatch() {
            return 20;
        }

        @Override
        protected int findBatch() {
            return 60;
        }
    }

    /** The tests that fail, by name, with what they throw. */
    static Map<String, Throwable> failures(Supplier<LeaseStoreFixture> fixtures) {
        Map<String, Throwable> failures = new TreeMap<>();
        for (Method test : tests()) {
            SmallContract contract = new SmallContract(fixtures);
            contract.openStore();
            try {
                test.invoke(contract);
            } catch (InvocationTargetException failed) {
                failures.put(test.getName(), failed.getCause());
            } catch (IllegalAccessException impossible) {
                throw new AssertionError("tests are visible in their package", impossible);
            } finally {
                contract.closeStore();
            }
        }
        return failures;
    }

    static List<Method> tests() {
        List<Method> tests = new ArrayList<>();
        for (Class<?> part = LeaseStoreContract.class; part != null; part = part.getSuperclass()) {
            Arrays.stream(part.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(Test.class))
                    .forEach(tests::add);
        }
        return tests;
    }
}
