/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseState;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseThreads;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Consumer;
import org.apache.camel.ServiceStatus;
import org.apache.camel.builder.LambdaRouteBuilder;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.EventNotifierSupport;

/** One node: a CamelContext with its own lease service and its own link to the store that it shares with other nodes. */
final class Node implements AutoCloseable {

    private static final int SHUTDOWN_SECONDS = 20;
    private static final Duration SETTLED = Duration.ofMillis(100);
    private static final Duration SILENCE = Duration.ofMillis(400);

    final String label;
    final FaultyLeaseStore store;
    final Wire wire;
    final DefaultCamelContext context = new DefaultCamelContext();
    final LeaseService leases = new LeaseService();
    final List<LeaseEvent> events = new CopyOnWriteArrayList<>();
    final AtomicInteger refused = new AtomicInteger();
    private final String application;
    private final Journal journal;
    private boolean jmx;
    private Duration ttl = Duration.ofSeconds(2);

    Node(String label, String application, LeaseStore shared, Journal journal) {
        this.label = label;
        this.application = application;
        this.journal = journal;
        store = new FaultyLeaseStore(shared, Waiting::outlast);
        wire = new Wire(store);
        context.getCamelContextExtension().setName(label + "-" + application);
        context.getShutdownStrategy().setTimeout(SHUTDOWN_SECONDS);
        leases.setNode(label);
        leases.setApplication(application);
        leases.setClient(wire);
        leases.setTtl(ttl);
        leases.addListener(events::add);
        context.getRegistry().bind("leases", leases);
        context.getManagementStrategy().addEventNotifier(new Refusals());
    }

    /** Counts the exchanges that were not let in. */
    private final class Refusals extends EventNotifierSupport {
        @Override
        public void notify(CamelEvent event) {
            if (event instanceof CamelEvent.ExchangeFailedEvent failed
                    && failed.getExchange().getException() instanceof LeaseLostException) {
                refused.incrementAndGet();
            }
        }
    }

    /** By default 2 s. */
    Node ttl(Duration newTtl) {
        ttl = newTtl;
        leases.setTtl(newTtl);
        return this;
    }

    /** A grant that is held back for more than a second before it ends. */
    Node withLongHold() {
        leases.setSuspendMargin("1200ms");
        leases.setRenewInterval("600ms");
        leases.setStoreTimeout("200ms");
        leases.setClaimInterval("100ms");
        return ttl(Duration.ofSeconds(3));
    }

    /** A grant that is held back for 6 s before it ends, which is long enough for what waits for a network meanwhile. */
    Node withVeryLongHold() {
        leases.setSuspendMargin("6s");
        leases.setRenewInterval("1s");
        leases.setStoreTimeout("300ms");
        leases.setClaimInterval("100ms");
        return ttl(Duration.ofSeconds(10));
    }

    /** Adds routes, before or after the start. */
    Node routes(LambdaRouteBuilder routes) throws Exception {
        RouteBuilder.addRoutes(context, routes);
        return this;
    }

    /** Adds a leased route that does some work on every file of a directory and deletes it. */
    Node files(String routeId, Path directory, Runnable work) throws Exception {
        return files(routeId, directory, "delete=true", work);
    }

    Node files(String routeId, Path directory, String options, Runnable work) throws Exception {
        return routes(builder -> builder.from("file:" + directory + "?initialDelay=0&delay=20&" + options)
                .routeId(routeId)
                .routePolicyRef("lease")
                .process(journal.work(label, work)));
    }

    /** Makes its routes reachable by JMX. */
    Node withJmx() {
        jmx = true;
        return this;
    }

    Node start() {
        if (!jmx) {
            context.disableJMX();
        }
        context.start();
        return this;
    }

    // ---- what it holds

    LeaseElector elector(LeaseName name) {
        return leases.electors().stream()
                .filter(elector -> elector.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no elector of " + name));
    }

    boolean holds(LeaseName name) {
        LeaseState state = elector(name).state();
        return state == LeaseState.HELD || state == LeaseState.AT_RISK;
    }

    /** The elector of a route that has a lease of its own. */
    LeaseElector elector(String routeId) {
        return elector(new LeaseName(application + "/" + routeId));
    }

    boolean holds(String routeId) {
        return holds(elector(routeId).name());
    }

    /** E: when the node must have stopped unless a later renewal succeeds, by the monotonic clock. */
    long validUntil(String routeId) {
        long ttlNanos = ttl.toNanos();
        long clockBandNanos = ttlNanos / 30;
        return wire.newestSuccess(elector(routeId).name()) + ttlNanos / 100 * 98 - clockBandNanos;
    }

    <E extends LeaseEvent> List<E> events(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    // ---- its routes

    /** Waits until some more exchanges have begun. */
    void assertFlows(String routeId) {
        int before = journal.begun(label, routeId).size();
        Waiting.soon().until(() -> journal.begun(label, routeId).size() > before + 2);
    }

    /** Sees that for some time no exchange begins. */
    void assertSilent(String routeId) {
        int before = journal.begun(label, routeId).size();
        Waiting.stays(SILENCE, () -> journal.begun(label, routeId).size() == before);
    }

    /** Holds its work back, and sees that nothing begins once what was let in just before has begun. */
    void assertHoldsBack(String routeId) {
        holdBack();
        AtomicInteger last = new AtomicInteger(-1);
        Waiting.soon().during(SETTLED).until(() -> {
            int now = journal.begun(label, routeId).size();
            return last.getAndSet(now) == now;
        });
        assertSilent(routeId);
    }

    Consumer consumer(String routeId) {
        return context.getRoute(routeId).getConsumer();
    }

    ServiceStatus status(String routeId) {
        return context.getRouteController().getRouteStatus(routeId);
    }

    // ---- faults

    /** The thread that tells routes what happens to leases stands still once they have been told of an event of that kind. */
    void blockEventsAfter(Class<? extends LeaseEvent> kind, Runnable block) {
        leases.leaseThreads = settings -> {
            LeaseThreads threads = LeaseThreads.system(settings);
            leases.addListener(event -> {
                if (kind.isInstance(event)) {
                    threads.events().execute(block);
                }
            });
            return threads;
        };
    }

    /** Lets renewals fail until the routes are held back; they resume if the node is healed soon. */
    void holdBack() {
        int before = events(LeaseEvent.Suspended.class).size();
        store.standing(Fault.lostRequest());
        Waiting.soon().until(() -> events(LeaseEvent.Suspended.class).size() > before);
    }

    /** From now on it does not reach the store. */
    void isolate() {
        store.standing(Fault.lostRequest());
    }

    /** Nothing goes wrong any more between the node and the store. */
    void heal() {
        store.heal();
        store.releaseHanging();
    }

    @Override
    public void close() {
        context.stop();
    }
}
