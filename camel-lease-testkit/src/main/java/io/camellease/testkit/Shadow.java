/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseElector;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands what one process hears from the store to another that does everything the same way at the same instants, so that the
 * other can become its clone at any time. A running client cannot be copied, but it can be run twice. Not thread-safe.
 */
final class Shadow {

    private final SimulatedProcess process;
    private final Map<Integer, Consumer<Reply>> waiting = new HashMap<>();
    private final Map<Integer, Reply> early = new HashMap<>();
    private @Nullable SimulatedProcess follower;

    /** Of a process without a follower. */
    Shadow(SimulatedProcess process) {
        this.process = process;
    }

    /** From now on this one hears what the process hears. */
    void follow(SimulatedProcess twin) {
        follower = twin;
    }

    Optional<SimulatedProcess> follower() {
        return Optional.ofNullable(follower);
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
        SimulatedProcess twin = follower;
        if (twin != null) {
            Consumer<Reply> receiver = waiting.remove(number);
            if (receiver == null) {
                early.put(number, reply);
            } else {
                twin.timer().execute(() -> receiver.accept(reply));
            }
        }
    }

    /**
     * The follower goes its own way: replies that are under way reach the other one only.
     *
     * @return the follower; empty if there is none, or if the two differ, as they may after coincidences
     */
    Optional<SimulatedProcess> part() {
        SimulatedProcess twin = follower;
        if (twin == null) {
            return Optional.empty();
        }
        follower = null;
        early.clear();
        twin.becomeClone();
        waiting.values().forEach(twin::hearsNothing);
        waiting.clear();
        if (!process.routes().keySet().stream().allMatch(name -> isAlike(process.elector(name), twin.elector(name)))) {
            twin.kill();
            return Optional.empty();
        }
        return Optional.of(twin);
    }

    private static boolean isAlike(LeaseElector one, LeaseElector other) {
        return one.state() == other.state() && one.lease().equals(other.lease());
    }
}
