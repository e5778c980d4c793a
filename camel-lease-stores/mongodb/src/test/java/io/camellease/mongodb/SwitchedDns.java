/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.spi.dns.DnsClient;
import com.mongodb.spi.dns.DnsClientProvider;
import com.mongodb.spi.dns.InetAddressResolver;
import com.mongodb.spi.dns.InetAddressResolverProvider;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The DNS of the driver in this JVM, which a test can make hang. It knows the hosts {@code node.lease.test} and
 * {@code cluster.lease.test} (mongodb+srv), both on this machine; other hosts are looked up as usual. Thread-safe.
 */
final class SwitchedDns {

    private static final String DOMAIN = ".lease.test";

    private static volatile CountDownLatch working = new CountDownLatch(0);
    private static volatile int srvPort;

    private SwitchedDns() {}

    static void hang() {
        working = new CountDownLatch(1);
    }

    static void work() {
        working.countDown();
    }

    /** Where the SRV record of {@code cluster.lease.test} points to. */
    static void setSrvPort(int port) {
        srvPort = port;
    }

    private static void awaitWorking() {
        try {
            working.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Named in META-INF/services. */
    public static final class Addresses implements InetAddressResolverProvider {
        @Override
        public InetAddressResolver create() {
            return Addresses::lookup;
        }

        private static List<InetAddress> lookup(String host) throws UnknownHostException {
            if (!host.endsWith(DOMAIN)) {
                return List.of(InetAddress.getAllByName(host));
            }
            awaitWorking();
            return List.of(InetAddress.getLoopbackAddress());
        }
    }

    /** Named in META-INF/services. */
    public static final class Records implements DnsClientProvider {
        @Override
        public DnsClient create() {
            return Records::lookup;
        }

        private static List<String> lookup(String name, String type) {
            awaitWorking();
            return type.equals("SRV") ? List.of("0 0 " + srvPort + " node" + DOMAIN + ".") : List.of();
        }
    }
}
