/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.time.Duration;
import org.apache.camel.support.service.ServiceSupport;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link LeaseService}, as a bean in Java, XML, YAML or properties. No setter checks anything: all mistakes
 * are told together at the start, and a store URI, which may contain a password, is printed by nobody. Durations are written
 * as {@code 30s}, {@code 500ms}, {@code 2m}, {@code PT30S} or a whole number of milliseconds. To be set before the start.
 */
public abstract sealed class LeaseConfiguration extends ServiceSupport permits LeaseService {

    final LeaseOptions options = new LeaseOptions();

    @Nullable
    Object client;

    LeaseConfiguration() {}

    /** Whether routes are leased; false runs them unleased, for a developer's machine. Default true. */
    public void setEnabled(boolean enabled) {
        options.set(LeaseOption.ENABLED, Boolean.toString(enabled));
    }

    /** The URI of the database, such as {@code mongodb://host/database}, or {@code #bean:name} of a client object. */
    public void setStore(String uri) {
        options.set(LeaseOption.STORE, uri);
    }

    /**
     * The URI, or a client object as {@link #setClient} takes it: Camel looks up {@code #bean:name} of a bean definition itself, and
     * hands over what it has found.
     */
    public void setStore(Object uriOrClient) {
        if (uriOrClient instanceof CharSequence uri) {
            setStore(uri.toString());
        } else {
            setClient(uriOrClient);
        }
    }

    /** A client object to reach the database with, such as a {@code MongoClient}; it stays the application's. */
    public void setClient(Object client) {
        this.client = client;
    }

    /** The user name, instead of one in the URI. */
    public void setUsername(String username) {
        options.set(LeaseOption.USERNAME, username);
    }

    /** The password, instead of one in the URI. */
    public void setPassword(String password) {
        options.set(LeaseOption.PASSWORD, password);
    }

    /** The database, where the store has such. */
    public void setDatabase(String database) {
        options.set(LeaseOption.DATABASE, database);
    }

    /** The collection of the records, where the store has such. */
    public void setCollection(String collection) {
        options.set(LeaseOption.COLLECTION, collection);
    }

    /** What lease names begin with; default the name of the context, if that is fixed. The same on all nodes. */
    public void setApplication(String application) {
        options.set(LeaseOption.APPLICATION, application);
    }

    /** What people call this node; default the host name. A random part is added to it. */
    public void setNode(String node) {
        options.set(LeaseOption.NODE, node);
    }

    /** How long a lease lasts without a renewal, 1 s to 24 h; all other durations follow from it unless set. */
    public void setTtl(String ttl) {
        options.set(LeaseOption.TTL, ttl);
    }

    /** See {@link #setTtl(String)}. */
    public void setTtl(Duration ttl) {
        setTtl(ttl.toString());
    }

    /** The longest time between two renewals; default ttl/3. */
    public void setRenewInterval(String renewInterval) {
        options.set(LeaseOption.RENEW_INTERVAL, renewInterval);
    }

    /** See {@link #setRenewInterval(String)}. */
    public void setRenewInterval(Duration renewInterval) {
        setRenewInterval(renewInterval.toString());
    }

    /** The longest time between two looks of a standby; default ttl/10. */
    public void setClaimInterval(String claimInterval) {
        options.set(LeaseOption.CLAIM_INTERVAL, claimInterval);
    }

    /** See {@link #setClaimInterval(String)}. */
    public void setClaimInterval(Duration claimInterval) {
        setClaimInterval(claimInterval.toString());
    }

    /** How long one call of the store may take; default ttl/10, at most 10 s. */
    public void setStoreTimeout(String storeTimeout) {
        options.set(LeaseOption.STORE_TIMEOUT, storeTimeout);
    }

    /** See {@link #setStoreTimeout(String)}. */
    public void setStoreTimeout(Duration storeTimeout) {
        setStoreTimeout(storeTimeout.toString());
    }

    /** How long before the end of its lease a holder stops beginning work; default ttl/6. */
    public void setSuspendMargin(String suspendMargin) {
        options.set(LeaseOption.SUSPEND_MARGIN, suspendMargin);
    }

    /** See {@link #setSuspendMargin(String)}. */
    public void setSuspendMargin(Duration suspendMargin) {
        setSuspendMargin(suspendMargin.toString());
    }

    /** How far the clocks of the store's own nodes may differ; default ttl/30. */
    public void setClockBand(String clockBand) {
        options.set(LeaseOption.CLOCK_BAND, clockBand);
    }

    /** See {@link #setClockBand(String)}. */
    public void setClockBand(Duration clockBand) {
        setClockBand(clockBand.toString());
    }

    /** How long work in flight is waited for when a lease is given back; default Camel's shutdown timeout + 15 s. */
    public void setDrainTimeout(String drainTimeout) {
        options.set(LeaseOption.DRAIN_TIMEOUT, drainTimeout);
    }

    /** See {@link #setDrainTimeout(String)}. */
    public void setDrainTimeout(Duration drainTimeout) {
        setDrainTimeout(drainTimeout.toString());
    }

    /**
     * How many leases of routes this node may hold at once, a whole number of at least 1; default any number. A lease that no node
     * may hold any more is reported, and its routes run nowhere. Locks and {@code lease:} endpoints do not count.
     */
    public void setMaxLeases(String maxLeases) {
        options.set(LeaseOption.MAX_LEASES, maxLeases);
    }

    /** See {@link #setMaxLeases(String)}. */
    public void setMaxLeases(int maxLeases) {
        setMaxLeases(Integer.toString(maxLeases));
    }

    /** Which missed fires of a scheduled route are still run: {@code once} (the latest; default), {@code all} or {@code skip}. */
    public void setMissedFires(String missedFires) {
        options.set(LeaseOption.MISSED_FIRES, missedFires);
    }

    /** How old a missed fire may be to be run; default 1 h. */
    public void setMissedFireLimit(String missedFireLimit) {
        options.set(LeaseOption.MISSED_FIRE_LIMIT, missedFireLimit);
    }

    /** See {@link #setMissedFireLimit(String)}. */
    public void setMissedFireLimit(Duration missedFireLimit) {
        setMissedFireLimit(missedFireLimit.toString());
    }

    /** Whether fires whose exchange was cut off by a crash or the loss of the lease are run again; default false. */
    public void setRecoverInFlight(boolean recoverInFlight) {
        options.set(LeaseOption.RECOVER_IN_FLIGHT, Boolean.toString(recoverInFlight));
    }
}
