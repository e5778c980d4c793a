/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands what one process hears from the store to another that does everything the same way at the same instants, so that the
 * other can become its clone at any time. A running client cannot be copied, but it can be run twice. Not thread-safe.
 */
final class Shadow {

    private final Map<Integer, Consumer<Reply>> waiting = new HashMap<>();
    private final Map<Integer, Reply> early = new HashMap<>();
    private @Nullable SimulatedProcess follower;

    /** From now on this process hears what the other one hears. */
    void follow(SimulatedProcess process) {
        follower = process;
    }

    /** The follower has made its n-th call. */
    void expect(int number, Consumer<Reply> receiver) {
        Reply reply = early.remove(number);
        if (reply == null) {
            waiting.put(number, receiver);
        } else {
            receiver.accept(reply);
        }
    }

    /** The process has heard the reply to its n-th call. */
    void heard(int number, Reply reply) {
        SimulatedProcess process = follower;
        if (process != null) {
            Consumer<Reply> receiver = waiting.remove(number);
            if (receiver == null) {
                early.put(number, reply);
            } else {
                process.timer().execute(() -> receiver.accept(reply));
            }
        }
    }

    /** The follower goes its own way: replies that are under way reach the other one only. */
    void part() {
        SimulatedProcess process = follower;
        follower = null;
        early.clear();
        if (process != null) {
            waiting.values().forEach(process::hearsNothing);
        }
        waiting.clear();
    }
}
