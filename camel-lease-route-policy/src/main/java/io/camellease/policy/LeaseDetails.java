/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseState;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A status in words and numbers, as health checks and consoles show it. Stateless. */
final class LeaseDetails {

    private LeaseDetails() {}

    /** By name, in the order in which they are to be read. */
    static Map<String, Object> of(LeaseStatus status) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("role", status.role().name().toLowerCase(Locale.ROOT));
        details.put("state", status.state().name());
        details.put("holder", status.holder().orElse(nobodySeen(status)));
        details.put("token", status.token());
        details.put("remainingMillis", status.remaining().toMillis());
        details.put("inStateSeconds", status.inState().toSeconds());
        details.put("paused", status.paused());
        details.put("store", status.store());
        if (!status.dialect().isEmpty()) {
            details.put("dialect", status.dialect());
        }
        status.lastError().ifPresent(error -> details.put("lastError", error));
        details.put("routes", status.routes().stream().map(LeaseDetails::of).toList());
        return details;
    }

    /** A node that is no candidate does not look, so that another one may hold the lease. */
    private static String nobodySeen(LeaseStatus status) {
        return status.state() == LeaseState.STOPPED ? "unknown" : "nobody";
    }

    private static String of(LeaseStatus.RouteStatus route) {
        String wish = route.wanted() ? "" : ", not wanted";
        return route.id() + (route.running() ? ": runs" : ": does not run") + wish;
    }
}
