/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.ClaimResult;
import io.camellease.core.Found;
import io.camellease.core.HolderId;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseTimer;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The way from one process to the store and back, on which calls meet the {@link Fate} that is drawn for them. */
final class SimulatedNetwork {

    /** What happens to one call. */
    enum Fate {
        ANSWERED,
        REFUSED_AT_ONCE,
        REQUEST_LOST,
        REPLY_LOST,
        APPLIED_LATE,
        DUPLICATED,
        SENT_AGAIN,
        ANSWERED_LATE,
        HANGS,
        HANGS_AFTER_APPLYING
    }

    private final VirtualTime time;
    private final SimulatedProcess process;
    private final SimulatedCluster cluster;
    private final FaultSchedule faults;
    private int sent;

    SimulatedNetwork(SimulatedProcess process, SimulatedCluster cluster) {
        this.process = process;
        this.cluster = cluster;
        this.time = cluster.time();
        this.faults = cluster.faults();
    }

    /** Sends a request. The reply, if there ever is one, is handed over in the process, once. */
    void send(Request request, Consumer<Reply> receiver) {
        int number = sent++;
        if (process.isShadow()) {
            process.shadow().expect(number, receiver);
            return;
        }
        request.claim().ifPresent(claim -> cluster.invariants().claims(process, claim.name()));
        AtomicBoolean done = new AtomicBoolean();
        Consumer<Reply> once = reply -> {
            if (!done.getAndSet(true)) {
                process.shadow().heard(number, reply);
                receiver.accept(reply);
            }
        };
        Fate fate = faults.fateOf(process, request);
        if (fate != Fate.ANSWERED) {
            note(() -> request.text() + ": " + fate);
            process.lineage().troubled(cluster.now());
        }
        travel(fate, request, once);
    }

    private void travel(Fate fate, Request request, Consumer<Reply> receiver) {
        long there = faults.delay();
        long back = faults.delay();
        switch (fate) {
            case ANSWERED -> apply(request, there, back, receiver);
            case REFUSED_AT_ONCE -> after(there, () -> receiver.accept(Reply.failed("refused")));
            case REQUEST_LOST -> giveUp(receiver);
            case REPLY_LOST -> {
                apply(request, there, 0, reply -> {});
                giveUp(receiver);
            }
            case APPLIED_LATE -> {
                apply(request, faults.longDelay(), 0, reply -> {});
                giveUp(receiver);
            }
            case DUPLICATED -> {
                apply(request, there, back, receiver);
                apply(request, faults.longDelay(), 0, reply -> {});
            }
            case SENT_AGAIN -> {
                // by the driver, which gives the second answer
                apply(request, there, 0, reply -> {});
                apply(request, there + back, back, receiver);
            }
            case ANSWERED_LATE -> apply(request, there, faults.lateReply(), receiver);
            case HANGS -> note(() -> "nothing comes back");
            case HANGS_AFTER_APPLYING -> apply(request, there, 0, reply -> {});
        }
    }

    private void apply(Request request, long there, long back, Consumer<Reply> receiver) {
        faults.underWay(there);
        time.schedule(
                () -> {
                    Reply reply = cluster.applies(process, request);
                    noteAnswer(request, reply);
                    if (reply.answer() instanceof ClaimResult.Granted granted) {
                        cluster.invariants().granted(process, granted.lease());
                    }
                    time.schedule(() -> process.timer().execute(() -> receiver.accept(reply)), back);
                },
                there);
    }

    private static String shortText(Reply reply) {
        if (reply.answer() instanceof ClaimResult.Granted granted) {
            return "token " + granted.lease().token();
        }
        if (reply.answer() instanceof ClaimResult.HeldByOther held) {
            return "held: " + shortText(held.record());
        }
        if (reply.answer() instanceof Found found) {
            StringBuilder text = new StringBuilder();
            found.storeNow().ifPresent(now -> text.append("at ").append(now).append(' '));
            found.records().values().stream()
                    .sorted(Comparator.comparing(record -> record.name().value()))
                    .forEach(record -> text.append(shortText(record)));
            return text.toString();
        }
        return reply.toString();
    }

    private static String shortText(LeaseRecord record) {
        String state =
                record.released() ? " released" : " for " + record.remaining().toMillis() + " ms";
        String holder = record.holder().map(HolderId::value).orElse("nobody");
        return "[" + record.name() + " of " + holder + " " + record.token() + "/" + record.seq() + state + "]";
    }

    /** The driver waits until the timeout of the call has passed, by the clock of the process. */
    void giveUp(Consumer<Reply> receiver) {
        after(cluster.profile().timeout(), () -> receiver.accept(Reply.failed("no answer in time")));
    }

    private void after(long nanos, Runnable then) {
        LeaseTimer timer = process.timer();
        timer.schedule(then, nanos);
    }

    /** The process has been given the reply. */
    void heard(Request request, Reply reply) {
        // after its electors have seen it
        process.later(0, () -> process.knowledge().heard(reply));
        if (reply.failure() != null) {
            note(() -> request.text() + " -> " + reply);
        }
    }

    private void noteAnswer(Request request, Reply reply) {
        Supplier<String> text = () -> "store: " + request.text() + " -> " + shortText(reply);
        if (reply.answer() instanceof Found) {
            process.noteRoutine(text);
        } else {
            process.note(text);
        }
    }

    private void note(Supplier<String> what) {
        process.note(what);
    }
}
