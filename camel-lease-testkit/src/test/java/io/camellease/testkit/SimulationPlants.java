/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseTimer;
import io.camellease.core.Moment;
import io.camellease.core.StoreLane;
import io.camellease.core.Ticker;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Parts of a simulated cluster that are wrong in one point each, as other lock libraries or their users have got it wrong. */
final class SimulationPlants {

    private SimulationPlants() {}

    /**
     * Rules of a store that break a cluster when they are broken alone. The others break nothing as long as the elector and the
     * other rules are right, so only the contract of the store can find them.
     */
    private static final List<String> RULES = List.of(
            "s1 released record is not free",
            "s1 grant keeps the renewal number of its predecessor",
            "s3 observation is ignored",
            "s3 attempt sent again gets a new token",
            "s3 attempt sent again undoes renewals",
            "s4 clone is renewed",
            "s4 older renewal is applied",
            "s4 renewal does not move the expiry",
            "s5 release deletes the record",
            "s5 release frees a successor",
            "s5 release does not compare the token",
            "s6 token starts again when the record is lost",
            "s6 token is the clock alone",
            "s7 grant lasts half its ttl");

    /** By name. Each makes new parts for every run, because some of them count. */
    static Map<String, Supplier<SimulationParts>> all() {
        Map<String, RecordRules> rules = BrokenRules.all();
        Map<String, Supplier<SimulationParts>> all = new LinkedHashMap<>();
        RULES.forEach(name -> {
            RecordRules broken = Objects.requireNonNull(rules.get(name), name);
            all.put(name, () -> withRules(broken));
        });
        routes(all);
        processes(all);
        lanes(all);
        ClientPlants.identities(all);
        ClientPlants.answers(all);
        ClientPlants.surroundings(all);
        return all;
    }

    private static SimulationParts withRules(RecordRules rules) {
        return new SimulationParts() {
            @Override
            InMemoryLeaseStore records(Ticker clock) {
                return new InMemoryLeaseStore(clock, "simulation", rules, new ReentrantLock());
            }
        };
    }

    private static void routes(Map<String, Supplier<SimulationParts>> all) {
        all.put("route says it is drained while exchanges run", () -> new SimulationParts() {
            @Override
            boolean isDrained(int exchangesRunning) {
                return true;
            }
        });
        all.put("route asks the elector for the first exchange of a batch only", () -> new SimulationParts() {
            @Override
            boolean mayBegin(boolean passes, boolean isOpenFor, boolean isBarred, boolean isFirstOfBatch) {
                return super.mayBegin(passes || !isFirstOfBatch, isOpenFor, isBarred, isFirstOfBatch);
            }
        });
        all.put("route goes by events and never asks the elector", () -> new SimulationParts() {
            @Override
            boolean mayBegin(boolean passes, boolean isOpenFor, boolean isBarred, boolean isFirstOfBatch) {
                return super.mayBegin(true, isOpenFor, isBarred, isFirstOfBatch);
            }
        });
        all.put("route works on under a grant that is being given back", () -> new SimulationParts() {
            @Override
            boolean mayBegin(boolean passes, boolean isOpenFor, boolean isBarred, boolean isFirstOfBatch) {
                return super.mayBegin(passes, isOpenFor, false, isFirstOfBatch);
            }
        });
    }

    private static void processes(Map<String, Supplier<SimulationParts>> all) {
        all.put("ticker has no wall clock of its own", () -> new SimulationParts() {
            @Override
            Ticker ticker(VirtualTime.Node clock) {
                return () -> {
                    long nanos = clock.now().nanos();
                    return new Moment(nanos, nanos / 1_000_000);
                };
            }
        });
        all.put("ticker has no monotonic clock of its own", () -> new SimulationParts() {
            @Override
            Ticker ticker(VirtualTime.Node clock) {
                return () -> {
                    long millis = clock.now().wallMillis();
                    return new Moment(millis * 1_000_000, millis);
                };
            }
        });
        all.put(
                "clock runs slower than the allowance by 5 %",
                () -> new SimulationParts() {
                    @Override
                    Ticker ticker(VirtualTime.Node clock) {
                        return () -> {
                            Moment now = clock.now();
                            return new Moment(now.nanos() / 100 * 95, now.wallMillis() / 100 * 95);
                        };
                    }
                });
        all.put("timer loses one wake-up", () -> new SimulationParts() {
            @Override
            LeaseTimer timer(LeaseTimer timer) {
                return new LosingTimer(timer);
            }
        });
    }

    private static void lanes(Map<String, Supplier<SimulationParts>> all) {
        all.put("validity counts from the reply", () -> new SimulationParts() {
            @Override
            StoreLane lane(StoreLane lane) {
                return new RestampingLane(lane);
            }
        });
        all.put("one failure ends all later calls", () -> new SimulationParts() {
            @Override
            StoreLane lane(StoreLane lane) {
                return new DyingLane(lane);
            }
        });
        all.put("call that hangs is never abandoned", () -> new SimulationParts() {
            @Override
            StoreLane lane(StoreLane lane) {
                return new PatientLane(lane);
            }
        });
    }

    /** Drops the 50th task, as a timer does whose queue was changed without its lock. */
    private static final class LosingTimer implements LeaseTimer {
        private final LeaseTimer timer;
        private int tasks;

        LosingTimer(LeaseTimer timer) {
            this.timer = timer;
        }

        @Override
        public void execute(Runnable task) {
            timer.execute(task);
        }

        @Override
        public Scheduled schedule(Runnable task, long delayNanos) {
            return ++tasks % 50 == 0 ? () -> {} : timer.schedule(task, delayNanos);
        }

        @Override
        public void close() {
            timer.close();
        }
    }

    /** Hands each call on, changed. */
    private abstract static class ChangingLane implements StoreLane {
        private final StoreLane lane;

        ChangingLane(StoreLane lane) {
            this.lane = lane;
        }

        abstract Call changed(Call call);

        @Override
        public void submit(Call call) {
            lane.submit(changed(call));
        }

        @Override
        public boolean awaitIdle(long maxNanos) throws InterruptedException {
            return lane.awaitIdle(maxNanos);
        }

        @Override
        public void close() {
            try {
                lane.close();
            } catch (Exception impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    /** Does everything as the call behind. */
    private static class SameCall implements StoreLane.Call {
        final StoreLane.Call call;

        SameCall(StoreLane.Call call) {
            this.call = call;
        }

        @Override
        public void send() {
            call.send();
        }

        @Override
        public Runnable call() {
            return call.call();
        }

        @Override
        public boolean abandon() {
            return call.abandon();
        }
    }

    private static final class RestampingLane extends ChangingLane {

        RestampingLane(StoreLane lane) {
            super(lane);
        }

        @Override
        Call changed(Call call) {
            return new SameCall(call) {
                @Override
                public Runnable call() {
                    call.send();
                    return super.call();
                }
            };
        }
    }

    private static final class DyingLane extends ChangingLane {
        private boolean dead;

        DyingLane(StoreLane lane) {
            super(lane);
        }

        @Override
        public void submit(Call call) {
            if (!dead) {
                super.submit(call);
            }
        }

        @Override
        Call changed(Call call) {
            return new SameCall(call) {
                @Override
                public boolean abandon() {
                    dead = true;
                    return super.abandon();
                }
            };
        }
    }

    private static final class PatientLane extends ChangingLane {

        PatientLane(StoreLane lane) {
            super(lane);
        }

        @Override
        Call changed(Call call) {
            return new SameCall(call) {
                @Override
                public boolean abandon() {
                    return false;
                }
            };
        }
    }
}
