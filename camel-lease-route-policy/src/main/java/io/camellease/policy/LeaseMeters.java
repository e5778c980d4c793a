/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseCounts;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseListener;
import io.camellease.core.LeaseName;
import io.camellease.core.Moment;
import io.camellease.core.Ticker;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * Meters for the leases of a service, one set for each route: those of routes that share a lease are equal. What is counted is
 * counted in the electors, and only read here: each meter reads the elector alone, since a lease may have many routes. Not thread-safe but for {@link #onEvent}.
 */
final class LeaseMeters implements Exhibit, LeaseListener {

    private static final LeaseCounts NOTHING = new LeaseCounts(0, 0, 0, 0, 0, 0, 0, 0, Duration.ZERO);

    private final LeaseService service;
    private final MeterRegistry registry;
    private final Ticker ticker = Ticker.system();
    private final Map<LeaseName, List<Meter>> meters = new ConcurrentHashMap<>();
    private final Map<LeaseName, Moment> draining = new ConcurrentHashMap<>();

    private LeaseMeters(LeaseService service, MeterRegistry registry) {
        this.service = service;
        this.registry = registry;
    }

    /** Those of a service, if the registry of its context has a meter registry. */
    static Optional<LeaseMeters> of(LeaseService service) {
        Optional<LeaseMeters> found = service.context().getRegistry().findByType(MeterRegistry.class).stream()
                .findFirst()
                .map(registry -> new LeaseMeters(service, registry));
        found.ifPresent(service::addListener);
        return found;
    }

    @Override
    public void add(LeaseStatus lease) {
        List<Meter> made = new ArrayList<>();
        for (LeaseStatus.RouteStatus route : lease.routes()) {
            Tags tags = Tags.of(
                    "kind", "CamelLease",
                    "camelContext", service.context().getName(),
                    "routeId", route.id());
            addCounters(lease.name(), tags, made);
            addGauges(lease.name(), tags, made);
        }
        meters.put(lease.name(), made);
    }

    private void addCounters(LeaseName lease, Tags tags, List<Meter> made) {
        made.add(counter("camel.lease.terms", lease, tags, LeaseCounts::granted));
        made.add(counter("camel.lease.claims", lease, tags.and("outcome", "granted"), LeaseCounts::granted));
        made.add(counter("camel.lease.claims", lease, tags.and("outcome", "heldByOther"), LeaseCounts::heldByOther));
        made.add(counter("camel.lease.claims", lease, tags.and("outcome", "spent"), LeaseCounts::spent));
        made.add(counter("camel.lease.claims", lease, tags.and("outcome", "failed"), LeaseCounts::claimsFailed));
        made.add(counter("camel.lease.renewals", lease, tags.and("outcome", "renewed"), LeaseCounts::renewed));
        made.add(counter("camel.lease.renewals", lease, tags.and("outcome", "refused"), LeaseCounts::refused));
        made.add(counter("camel.lease.renewals", lease, tags.and("outcome", "stale"), LeaseCounts::stale));
        made.add(counter("camel.lease.renewals", lease, tags.and("outcome", "failed"), LeaseCounts::renewalsFailed));
        made.add(FunctionTimer.builder(
                        "camel.lease.renewal",
                        service,
                        from -> answered(counts(from, lease)),
                        from -> counts(from, lease).renewing().toNanos(),
                        TimeUnit.NANOSECONDS)
                .tags(tags)
                .description("Time that the store took to answer renewals")
                .register(registry));
        made.add(Timer.builder("camel.lease.handover")
                .tags(tags)
                .description("Time from the wish to give the lease back until it was given back")
                .register(registry));
    }

    private FunctionCounter counter(String name, LeaseName lease, Tags tags, ToLongFunction<LeaseCounts> count) {
        return FunctionCounter.builder(name, service, from -> count.applyAsLong(counts(from, lease)))
                .tags(tags)
                .register(registry);
    }

    private void addGauges(LeaseName lease, Tags tags, List<Meter> made) {
        made.add(TimeGauge.builder("camel.lease.remaining", service, TimeUnit.MILLISECONDS, from -> from.existing(lease)
                        .map(elector -> elector.remaining().toMillis())
                        .orElse(0L))
                .tags(tags)
                .description("How long the grant of this node lasts unless it is renewed")
                .register(registry));
        made.add(Gauge.builder(
                        "camel.lease.held",
                        service,
                        from -> from.existing(lease)
                                        .filter(elector -> LeaseRole.in(elector.state()) == LeaseRole.HOLDER)
                                        .isPresent()
                                ? 1
                                : 0)
                .tags(tags)
                .description("1 on the node that holds the lease, 0 on the others")
                .register(registry));
    }

    private static long answered(LeaseCounts counts) {
        return counts.renewed() + counts.refused() + counts.stale();
    }

    private static LeaseCounts counts(LeaseService service, LeaseName lease) {
        return service.existing(lease).map(LeaseElector::counts).orElse(NOTHING);
    }

    @Override
    public void remove(LeaseName lease) {
        Optional.ofNullable(meters.remove(lease)).ifPresent(gone -> gone.forEach(registry::remove));
        draining.remove(lease);
    }

    @Override
    public void close() {
        service.removeListener(this);
    }

    @Override
    public void onEvent(LeaseEvent event) {
        if (event instanceof LeaseEvent.Draining) {
            draining.put(event.name(), ticker.now());
        } else if (event instanceof LeaseEvent.Released) {
            Optional.ofNullable(draining.remove(event.name())).ifPresent(began -> handedOver(event.name(), began));
        } else if (event instanceof LeaseEvent.Lost) {
            draining.remove(event.name());
        }
    }

    private void handedOver(LeaseName lease, Moment began) {
        long nanos = ticker.now().nanosSince(began);
        meters.getOrDefault(lease, List.of()).stream()
                .filter(Timer.class::isInstance)
                .map(Timer.class::cast)
                .forEach(timer -> timer.record(nanos, TimeUnit.NANOSECONDS));
    }
}
