/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseTimer;
import io.camellease.core.StoreLane;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A lane whose calls take virtual time, in one thread with everything else. Like the lane of a running process it makes one
 * call after the other, and abandons one that is not back in time. Not thread-safe.
 */
final class SimulatedLane implements StoreLane {

    private final LeaseTimer process;
    private final SimulatedWire wire;
    private final SimulatedNetwork network;
    private final long patienceNanos;
    private final Deque<Call> waiting = new ArrayDeque<>();
    private @Nullable Call running;
    private LeaseTimer.@Nullable Scheduled watchdog;

    SimulatedLane(LeaseTimer process, SimulatedWire wire, SimulatedNetwork network, long patienceNanos) {
        this.process = process;
        this.wire = wire;
        this.network = network;
        this.patienceNanos = patienceNanos;
    }

    @Override
    public void submit(Call call) {
        waiting.addLast(call);
        begin();
    }

    @Override
    public void submitFirst(Call call) {
        waiting.addFirst(call);
        begin();
    }

    private void begin() {
        Call next = running == null ? waiting.poll() : null;
        if (next != null) {
            running = next;
            watchdog = process.schedule(() -> abandon(next), patienceNanos);
            process.execute(() -> send(next));
        }
    }

    private void send(Call call) {
        if (running != call) {
            return;
        }
        call.send();
        Request request = wire.sentBy(call);
        if (request == null) {
            call.call().run();
            ended(call);
        } else {
            network.send(request, reply -> hear(call, request, reply));
        }
    }

    /** A reply to a call that was abandoned is heard by nobody. */
    private void hear(Call call, Request request, Reply reply) {
        if (running == call) {
            wire.answered(call, reply).run();
            network.heard(request, reply);
            ended(call);
        }
    }

    private void ended(Call call) {
        if (running == call) {
            if (watchdog != null) {
                watchdog.cancel();
            }
            running = null;
            begin();
        }
    }

    private void abandon(Call call) {
        call.abandon();
        ended(call);
    }

    boolean isIdle() {
        return running == null && waiting.isEmpty();
    }

    @Override
    public boolean awaitIdle(long maxNanos) {
        return isIdle();
    }

    @Override
    public void close() {
        waiting.clear();
    }
}
