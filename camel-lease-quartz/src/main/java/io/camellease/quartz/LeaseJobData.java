/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

/** Keys of what a singleton job finds in the merged {@link org.quartz.JobDataMap} of its execution. */
public final class LeaseJobData {

    /** The name of the lease, a {@code String}. */
    public static final String LEASE_NAME = "CamelLeaseName";

    /** The fencing token under which the run began, a {@code Long}. */
    public static final String LEASE_TOKEN = "CamelLeaseToken";

    /** The slot that this run is for, a {@code java.util.Date}; absent if the job was triggered by hand. */
    public static final String SCHEDULED_TIME = "CamelLeaseScheduledTime";

    /** {@code Boolean.TRUE} if this slot may have been begun before, and did not end under the lease; absent otherwise. */
    public static final String RECOVERING = "CamelLeaseRecovering";

    private LeaseJobData() {}
}
