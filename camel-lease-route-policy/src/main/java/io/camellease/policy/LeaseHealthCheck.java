/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.Map;
import org.apache.camel.health.HealthCheck;
import org.apache.camel.health.HealthCheckResultBuilder;

/** What both health checks of a lease service have in common. Thread-safe. */
abstract class LeaseHealthCheck implements HealthCheck {

    private final String id;
    private volatile boolean enabled = true;

    LeaseHealthCheck(String id) {
        this.id = id;
    }

    @Override
    public String getId() {
        return id;
    }

    @Override
    public String getGroup() {
        return "camel";
    }

    @Override
    public boolean isEnabled() {
        return enabled;
    }

    @Override
    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    @Override
    public Result call(Map<String, Object> options) {
        HealthCheckResultBuilder result = HealthCheckResultBuilder.on(this);
        result.detail(CHECK_ID, id);
        result.detail(CHECK_GROUP, getGroup());
        result.detail(CHECK_KIND, isLiveness() ? Kind.LIVENESS : Kind.READINESS);
        if (enabled) {
            look(result);
        } else {
            result.detail(CHECK_ENABLED, false);
            result.message("Disabled");
            result.unknown();
        }
        return result.build();
    }

    abstract void look(HealthCheckResultBuilder result);

    /**
     * Whether this node does what it holds leases for. A standby is ready, and so is one that cannot reach the store: a node that
     * could take over is not to be taken out of a rollout.
     */
    static final class Readiness extends LeaseHealthCheck {

        private final LeaseService service;

        Readiness(LeaseService service, String suffix) {
            super("lease" + suffix);
            this.service = service;
        }

        @Override
        void look(HealthCheckResultBuilder result) {
            result.up();
            service.statuses().forEach(status -> look(status, result));
        }

        private void look(LeaseStatus status, HealthCheckResultBuilder result) {
            LeaseDetails.of(status).forEach((key, value) -> result.detail(status.name() + "." + key, value));
            status.illness(service.claimInterval()).ifPresent(why -> {
                result.down();
                result.message(
                        why + status.lastError().map(error -> ": " + error).orElse(""));
            });
        }
    }

    /** Whether the thread that renews and ends leases is alive. Nothing but a restart helps if it is not. */
    static final class Liveness extends LeaseHealthCheck {

        private final LeaseService service;

        Liveness(LeaseService service, String suffix) {
            super("lease-timer" + suffix);
            this.service = service;
        }

        @Override
        public boolean isReadiness() {
            return false;
        }

        @Override
        public boolean isLiveness() {
            return true;
        }

        @Override
        void look(HealthCheckResultBuilder result) {
            result.detail("worstLatenessMillis", service.worstTimerLateness().toMillis());
            if (service.isTimerAlive()) {
                result.up();
            } else {
                result.down();
                result.message("the thread that renews and ends leases is dead: restart this process");
            }
        }
    }
}
