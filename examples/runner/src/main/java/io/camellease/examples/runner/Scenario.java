/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;

/** What happens in a run, and what is looked at afterwards. */
interface Scenario {

    /** How long it takes. */
    Plan plan();

    /**
     * Plays it.
     *
     * @throws GivenUpException if something that must happen does not
     */
    void play(Stage stage) throws IOException, InterruptedException;

    /** Judges the log. */
    Outcome judge(History history);
}
