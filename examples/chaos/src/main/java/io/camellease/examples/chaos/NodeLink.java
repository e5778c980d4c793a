/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.RunnerLog;
import java.io.IOException;

/** The connection of one node with the store, as something that can be harmed. Confined to one thread. */
final class NodeLink implements Lane.Target {

    private final String node;
    private final TcpProxy proxy;
    private final RunnerLog log;

    NodeLink(String node, TcpProxy proxy, RunnerLog log) {
        this.node = node;
        this.proxy = proxy;
        this.log = log;
    }

    @Override
    public void harm(PlannedHarm harm) throws IOException, InterruptedException {
        long from = System.nanoTime();
        switch (harm.harm()) {
            case REFUSE -> proxy.refuse();
            case BLACKHOLE -> proxy.blackhole();
            case DELAY -> proxy.delay(harm.amount());
            case HALF_OPEN -> proxy.dropReplies();
            case DROP_REPLY -> proxy.dropReplyToNextWrite();
            case KILL, FREEZE, STOP, CLOCK -> throw new IllegalArgumentException(harm + " is not for a connection");
        }
        log.write("link " + node + " harm=" + harm.harm().word() + " amount="
                + harm.amount().toMillis() + " from=" + from + " now=" + System.nanoTime());
    }

    @Override
    public boolean repair(PlannedHarm harm) throws IOException, InterruptedException {
        long from = System.nanoTime();
        proxy.heal();
        log.write("heal " + node + " from=" + from + " now=" + System.nanoTime());
        return true;
    }
}
