/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.io.IOException;
import java.util.List;

/** The store of a run. Confined to one thread. */
interface Store extends Lane.Target {

    /** Starts it if it is to be started; called once, first. */
    StoreAddress start() throws IOException, InterruptedException;

    /** What can be done to it. */
    List<Harm> harms();

    /** Whether it comes back empty after a {@link Harm#KILL}. */
    boolean forgets();

    /** Leaves it as it was found; called once, last. */
    void leave() throws IOException, InterruptedException;

    /** For people: what it is, without password. */
    String description();
}
