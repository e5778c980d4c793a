/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.AdvanceResult;
import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.Found;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import io.camellease.core.Moment;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import io.camellease.core.Share;
import io.camellease.core.Ticker;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/** Parts of a simulated cluster that are wrong in who a process is, or in what it makes of the store's answers. */
final class ClientPlants {

    private ClientPlants() {}

    static void identities(Map<String, Supplier<SimulationParts>> all) {
        all.put("all processes are one holder and count their attempts", () -> new SimulationParts() {
            @Override
            HolderId holder(String label, int start) {
                return new HolderId("service");
            }

            @Override
            String id(String label, int start, int number) {
                return "attempt-" + number;
            }
        });
        all.put("holder is the host, and a restart counts its attempts from 1 again", () -> new SimulationParts() {
            @Override
            HolderId holder(String label, int start) {
                return new HolderId(label.substring(0, 1));
            }

            @Override
            String id(String label, int start, int number) {
                return label + "-" + number;
            }
        });
        all.put("clones draw the same random texts", () -> new SimulationParts() {
            @Override
            String id(String label, int start, int number) {
                return super.id(label.substring(0, 1), start, number);
            }
        });
    }

    static void answers(Map<String, Supplier<SimulationParts>> all) {
        all.put(
                "renewal with an unknown outcome counts",
                () -> withRenewals(wire -> renewals -> {
                    try {
                        return wire.renew(renewals);
                    } catch (LeaseStoreException unknown) {
                        return renewals.stream()
                                .map(renewal -> RenewResult.RENEWED)
                                .toList();
                    }
                }));
        all.put(
                "refused renewal is taken for an unknown one",
                () -> withRenewals(wire -> renewals -> {
                    List<RenewResult> results = wire.renew(renewals);
                    if (results.contains(RenewResult.LOST)) {
                        throw new LeaseStoreException(Problem.UNAVAILABLE, "refused", null);
                    }
                    return results;
                }));
        all.put(
                "refused renewal counts",
                () -> withRenewals(wire -> renewals -> wire.renew(renewals).stream()
                        .map(result -> RenewResult.RENEWED)
                        .toList()));
        all.put(
                "every renewal has the number 1",
                () -> withRenewals(wire -> renewals -> wire.renew(renewals.stream()
                        .map(renewal -> new Renewal(renewal.lease(), 1, renewal.nonce()))
                        .toList())));
        all.put("exception ends the renewal loop", () -> withRenewals(MortalRenewals::new));
    }

    static void surroundings(Map<String, Supplier<SimulationParts>> all) {
        all.put("exchange waits at the gate for ever", () -> new SimulationParts() {
            @Override
            boolean goesOnWaiting(boolean mayComeBack, boolean hasTime) {
                return true;
            }
        });
        all.put("nodes may hold fewer leases than there are", () -> new SimulationParts() {
            @Override
            Share share(Share share) {
                return new Share(1, share.preferredNode());
            }
        });
        all.put("batch is not stopped when the lease ends", () -> new SimulationParts() {
            @Override
            boolean mayBegin(boolean passes, boolean isOpenFor, boolean isBarred, boolean isFirstOfBatch) {
                return !isFirstOfBatch || super.mayBegin(passes, isOpenFor, isBarred, isFirstOfBatch);
            }
        });
        all.put(
                "each event is told twice",
                () -> withEvents(events -> task -> {
                    events.execute(task);
                    events.execute(task);
                }));
        all.put("listeners are called by whoever has news", () -> withEvents(events -> Runnable::run));
        all.put("clocks of the store differ by more than the band", () -> new SimulationParts() {
            @Override
            InMemoryLeaseStore records(Ticker clock) {
                AtomicInteger reads = new AtomicInteger();
                return super.records(() -> {
                    Moment now = clock.now();
                    return reads.incrementAndGet() % 2 == 0 ? now : now.plusNanos(1_500_000_000);
                });
            }
        });
    }

    private static SimulationParts withEvents(Function<Executor, Executor> change) {
        return new SimulationParts() {
            @Override
            Executor events(Executor events) {
                return change.apply(events);
            }
        };
    }

    private interface Renewing {
        List<RenewResult> renew(List<Renewal> renewals);
    }

    private static SimulationParts withRenewals(Function<LeaseStore, Renewing> change) {
        return new SimulationParts() {
            @Override
            LeaseStore wire(LeaseStore wire) {
                return new ChangedWire(wire, change.apply(wire));
            }
        };
    }

    /** Renews nothing any more once a renewal has failed. */
    private static final class MortalRenewals implements Renewing {
        private final LeaseStore wire;
        private boolean dead;

        MortalRenewals(LeaseStore wire) {
            this.wire = wire;
        }

        @Override
        public List<RenewResult> renew(List<Renewal> renewals) {
            if (dead) {
                throw new IllegalStateException("the loop has ended");
            }
            try {
                return wire.renew(renewals);
            } catch (LeaseStoreException failed) {
                dead = !SimulatedWire.isRehearsal(failed);
                throw failed;
            }
        }
    }

    private record ChangedWire(LeaseStore wire, Renewing renewing) implements LeaseStore {

        @Override
        public ClaimResult claim(Claim claim) {
            return wire.claim(claim);
        }

        @Override
        public List<RenewResult> renew(List<Renewal> renewals) {
            return renewing.renew(renewals);
        }

        @Override
        public boolean release(Lease lease) {
            return wire.release(lease);
        }

        @Override
        public void abandon(LeaseName name, HolderId holder, AttemptId attempt) {
            wire.abandon(name, holder, attempt);
        }

        @Override
        public Found find(Collection<LeaseName> names) {
            return wire.find(names);
        }

        @Override
        public boolean setValue(Lease lease, String value) {
            return wire.setValue(lease, value);
        }

        @Override
        public AdvanceResult advance(Lease lease, String key, Instant slot) {
            return wire.advance(lease, key, slot);
        }

        @Override
        public String description() {
            return wire.description();
        }

        @Override
        public void close() {
            wire.close();
        }
    }
}
