/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseListener;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseState;
import io.camellease.core.Pass;
import io.camellease.core.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A leased route of one simulated process: polls batches while it is open, begins each exchange only if the gate lets it, and
 * says when it has drained. Its gate is that of the route policy: open for one token, barred for all up to another. Not
 * thread-safe.
 */
final class SimulatedRoute implements LeaseListener {

    private final SimulatedProcess process;
    private final SimulatedCluster cluster;
    private final EventOrder order = new EventOrder();
    private final LeaseElector elector;
    private final List<Worker> workers = new ArrayList<>();

    private long openFor;
    private long barredUpTo;
    private int running;
    private int parked;
    private @Nullable Lease draining;
    private boolean inListener;

    SimulatedRoute(SimulatedProcess process, SimulatedCluster cluster, LeaseName name) {
        this.process = process;
        this.cluster = cluster;
        Share share =
                cluster.parts().share(cluster.profile().share(cluster.leases().indexOf(name)));
        this.elector = process.client().elector(name, this, () -> "a note of " + process.holder(), share);
        for (int i = 0; i < cluster.profile().workers(); i++) {
            workers.add(new Worker());
        }
    }

    LeaseElector elector() {
        return elector;
    }

    SimulatedProcess process() {
        return process;
    }

    /** How many exchanges have begun and have not ended. */
    int running() {
        return running;
    }

    @Override
    public void onEvent(LeaseEvent event) {
        process.note(() -> "event: " + text(event));
        boolean isInOrder = order.accepts(event);
        if (!process.isShadow()) {
            cluster.invariants().told(this, event, isInOrder, !inListener && process.isOnEventsThread());
        }
        inListener = true;
        react(event);
        inListener = false;
    }

    private static String text(LeaseEvent event) {
        String kind = event.getClass().getSimpleName();
        if (event instanceof LeaseEvent.Lost lost) {
            return kind + " " + lost.lease().token() + " " + lost.reason();
        }
        return event instanceof LeaseEvent.OfGrant ofGrant
                ? kind + " " + ofGrant.lease().token()
                : kind;
    }

    private void react(LeaseEvent event) {
        if (event instanceof LeaseEvent.Granted || event instanceof LeaseEvent.Resumed) {
            process.later(cluster.faults().slowness(process.dice()), this::settle);
        } else if (event instanceof LeaseEvent.Suspended) {
            cutBatches();
        } else if (event instanceof LeaseEvent.Draining drain) {
            close(drain.lease());
        } else if (event instanceof LeaseEvent.Lost lost) {
            close(lost.lease());
        }
    }

    private void close(Lease lease) {
        barredUpTo = Math.max(barredUpTo, lease.token().value());
        cutBatches();
        draining = lease;
        drain();
    }

    private void cutBatches() {
        workers.forEach(worker -> worker.batch = 0);
    }

    private void drain() {
        Lease lease = draining;
        if (lease != null && cluster.parts().isDrained(running + parked)) {
            draining = null;
            process.note(() -> "drained " + lease.token());
            elector.drained(lease);
        }
    }

    private void settle() {
        Optional<Lease> lease = elector.lease();
        LeaseState state = elector.state();
        if (lease.isPresent() && (state == LeaseState.HELD || state == LeaseState.AT_RISK)) {
            openFor = lease.get().token().value();
            workers.forEach(Worker::wake);
        }
    }

    private Optional<Lease> mayBegin(boolean isFirstOfBatch) {
        Optional<Pass> pass = elector.check();
        Optional<Lease> lease = elector.lease();
        long token = lease.map(each -> each.token().value()).orElse(openFor);
        boolean may = cluster.parts().mayBegin(pass.isPresent(), token == openFor, token <= barredUpTo, isFirstOfBatch);
        return may ? lease : Optional.empty();
    }

    /** One of its threads: takes batch after batch, one exchange after the other. */
    private final class Worker {

        private long batch;
        private boolean firstOfBatch;
        private boolean polling;

        void wake() {
            if (!polling) {
                polling = true;
                poll();
            }
        }

        /** Between exchanges: goes on with the batch, or asks for another one. */
        private void poll() {
            if (elector.lease().isEmpty()) {
                polling = false;
                return;
            }
            if (batch == 0 && mayBegin(true).isPresent()) {
                batch = cluster.faults().batch(process.dice());
                firstOfBatch = true;
            }
            if (batch > 0) {
                batch--;
                parked++;
                look(cluster.profile().timeout());
            } else {
                process.later(cluster.faults().pollInterval(process.dice()), this::poll);
            }
        }

        /** An exchange is at the gate: it begins, waits for a lease that may come back, or is refused. */
        private void look(long patienceNanos) {
            Optional<Lease> lease = mayBegin(firstOfBatch);
            if (lease.isPresent()) {
                parked--;
                begin(lease.get());
            } else if (cluster.parts().goesOnWaiting(mayComeBack(), patienceNanos > 0)) {
                long slice = cluster.profile().timeout() / 5;
                process.later(slice, () -> look(patienceNanos - slice));
            } else {
                parked--;
                batch = 0;
                drain();
                process.later(cluster.faults().pollInterval(process.dice()), this::poll);
            }
        }

        private void begin(Lease lease) {
            running++;
            firstOfBatch = false;
            process.noteRoutine(() -> "begins under " + lease.token());
            if (!process.isShadow()) {
                cluster.invariants()
                        .begins(SimulatedRoute.this, lease, lease.token().value() <= barredUpTo);
            }
            process.later(cluster.faults().exchange(process.dice()), this::end);
        }

        private void end() {
            running--;
            drain();
            poll();
        }
    }

    private boolean mayComeBack() {
        LeaseState state = elector.state();
        return state.hasGrant()
                && state != LeaseState.DRAINING
                && elector.lease()
                        .filter(lease -> lease.token().value() == openFor
                                && lease.token().value() > barredUpTo)
                        .isPresent();
    }
}
