/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseName;

/** One way to show leases to people, such as JMX. Called on one thread at a time, which serves no lease. */
interface Exhibit {

    /** A lease has routes now. */
    void add(LeaseStatus lease);

    /** It has none any more, or others. */
    void remove(LeaseName lease);

    /** No lease is shown any more. */
    void close();
}
