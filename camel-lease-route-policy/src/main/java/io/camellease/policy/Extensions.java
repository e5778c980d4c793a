/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseSettings;
import io.camellease.core.Ticker;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.apache.camel.Exchange;
import org.apache.camel.Route;
import org.jspecify.annotations.Nullable;

/** What other modules do for one leased route, and what they are told of it. Thread-safe. */
final class Extensions implements LeasedRoute {

    private final LeaseRequest request;
    private final LeaseElector elector;
    private final LeaseSettings settings;
    private final BooleanSupplier isOpen;
    private final List<LeasedRouteExtension.Extended> extended = new CopyOnWriteArrayList<>();
    private volatile @Nullable LeaseOptions options;
    private volatile @Nullable Ticker ticker;

    /**
     * None, until {@link #extend}.
     *
     * @param isOpen whether an exchange may begin now
     */
    Extensions(LeaseRequest request, LeaseElector elector, LeaseSettings settings, BooleanSupplier isOpen) {
        this.request = request;
        this.elector = elector;
        this.settings = settings;
        this.isOpen = isOpen;
    }

    /** Lets extensions take part; whether any does. */
    boolean extend(Iterable<LeasedRouteExtension> extensions, LeaseOptions contextOptions, Ticker clocks) {
        options = contextOptions;
        ticker = clocks;
        extensions.forEach(extension -> extension.extend(this).ifPresent(extended::add));
        return !extended.isEmpty();
    }

    // ---- what they see

    @Override
    public Route route() {
        return request.route();
    }

    @Override
    public LeaseElector elector() {
        return elector;
    }

    @Override
    public LeaseSettings settings() {
        return settings;
    }

    @Override
    public Ticker ticker() {
        return Objects.requireNonNull(ticker, "a route is extended before it is asked");
    }

    @Override
    public boolean isOpen() {
        return isOpen.getAsBoolean();
    }

    @Override
    public Optional<String> option(String key) {
        LeaseOptions known = Objects.requireNonNull(options, "a route is extended before it is asked");
        return LeaseOption.named(LeaseOption.PREFIX + key)
                .flatMap(option -> request.options().option(option).or(() -> known.get(option)));
    }

    // ---- what they are told and asked

    boolean areReady() {
        return extended.stream().allMatch(LeasedRouteExtension.Extended::isReady);
    }

    /** Whether the route may run at this time, as far as they know. */
    boolean isTime() {
        return extended.stream().allMatch(LeasedRouteExtension.Extended::isTime);
    }

    /** Whether it is a schedule that starts or stops the route just now. */
    boolean areSwitching() {
        return extended.stream().anyMatch(LeasedRouteExtension.Extended::isSwitching);
    }

    void starting() {
        extended.forEach(LeasedRouteExtension.Extended::starting);
    }

    void opened(Lease grant) {
        extended.forEach(some -> some.opened(grant));
    }

    void shut() {
        extended.forEach(LeasedRouteExtension.Extended::shut);
    }

    /** Whether they all let an exchange begin. */
    boolean begin(Exchange exchange) {
        return extended.stream().allMatch(some -> some.begin(exchange));
    }

    /** See {@link LeasedRouteExtension.Extended#hasBegun}. */
    boolean hasBegun(Exchange exchange) {
        return extended.stream().anyMatch(some -> some.hasBegun(exchange));
    }

    void refused(Exchange exchange) {
        extended.forEach(some -> some.refused(exchange));
    }

    boolean areAboutToBegin() {
        return extended.stream().anyMatch(LeasedRouteExtension.Extended::isAboutToBegin);
    }

    void contextStopping() {
        extended.forEach(LeasedRouteExtension.Extended::contextStopping);
    }

    boolean areQuiet() {
        return extended.stream().allMatch(LeasedRouteExtension.Extended::isQuiet);
    }

    void close() {
        extended.forEach(LeasedRouteExtension.Extended::close);
    }
}
