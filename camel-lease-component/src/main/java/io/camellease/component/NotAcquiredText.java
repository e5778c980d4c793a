/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LockRequest;
import io.camellease.core.LockResult;

/** Says why a lock was not acquired. */
final class NotAcquiredText {

    private NotAcquiredText() {}

    static String of(LeaseName name, LockRequest request, LockResult.NotAcquired why) {
        String wait = request.isOneTry() || request.timeout().equals(LockRequest.FOR_EVER)
                ? ""
                : " within " + request.timeout().toMillis() + " ms";
        return switch (why.why()) {
            case TIMEOUT ->
                "lock '" + name + "' was not acquired" + wait
                        + why.seen().map(NotAcquiredText::holder).orElse("");
            case STORE ->
                "lock '" + name + "' was not acquired" + wait + ": the lease store could not say whether it is free";
            case STOPPED -> "lock '" + name + "' was not acquired: this process is about to stop";
        };
    }

    private static String holder(LeaseRecord record) {
        String holder = record.holder().map(HolderId::value).orElse("nobody");
        String value = record.value().isEmpty() ? "" : " (" + record.value() + ")";
        return record.isHeld()
                ? ": " + holder + value + " holds it for another "
                        + record.remaining().toMillis() + " ms unless it renews it"
                : "";
    }
}
