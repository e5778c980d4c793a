/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseTimer;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notes for the next holder since when which schedule is in force. Thread-safe. */
final class ScheduleNotes {

    private static final Logger LOG = LoggerFactory.getLogger(ScheduleNotes.class);
    private static final long RETRY_NANOS = 1_000_000_000L;

    private final LeaseElector elector;
    private final SlotRegister register;
    private final LeaseTimer timer;
    private final Set<UnderWay> underWay = ConcurrentHashMap.newKeySet();

    private record UnderWay(Lease lease, String key) {}

    ScheduleNotes(LeaseElector elector, SlotRegister register, LeaseTimer timer) {
        this.elector = elector;
        this.register = register;
        this.timer = timer;
    }

    /** Else the next holder would take the schedule for a new one, and owe nothing from before its own grant. */
    void note(SingletonTrigger trigger, Lease lease, Map<String, Instant> stored, Instant since) {
        SlotKeys keys = trigger.keys();
        if (!keys.isInForce(trigger.schedule(), stored)) {
            Instant last = keys.scheduleInForce(stored).map(Map.Entry::getValue).orElse(Instant.EPOCH);
            Instant time = CatchUp.later(since, last.plusMillis(1));
            // a trigger that is held back is looked at again and again, and the first time is the one that counts
            if (underWay.add(new UnderWay(lease, keys.since(trigger.schedule())))) {
                store(lease, keys.since(trigger.schedule()), time);
            }
        }
    }

    /** Tries until it is stored, or the grant is over. */
    private void store(Lease lease, String key, Instant time) {
        register.store(lease, key, time).whenComplete((result, failed) -> {
            if (failed == null) {
                underWay.remove(new UnderWay(lease, key));
            } else {
                LOG.debug("Lease '{}': could not store {} yet", elector.name(), key, failed);
                timer.schedule(() -> storeAgain(lease, key, time), RETRY_NANOS);
            }
        });
    }

    private void storeAgain(Lease lease, String key, Instant time) {
        if (elector.lease().filter(lease::equals).isPresent()) {
            store(lease, key, time);
        } else {
            underWay.remove(new UnderWay(lease, key));
        }
    }
}
