/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz.camel;

import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseName;
import io.camellease.policy.LeaseRoutePolicy;
import io.camellease.policy.LeaseService;
import io.camellease.quartz.Runs;
import io.camellease.testkit.InMemoryLeaseStore;
import io.camellease.testkit.MemoryLeaseStoreProvider;
import java.time.Instant;
import java.util.Date;
import java.util.Properties;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.quartz.QuartzComponent;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.RoutePolicy;
import org.quartz.Scheduler;

/** One node: a context with one leased route, which Quartz starts. */
final class CamelNode implements AutoCloseable {

    final String test;
    final String name;
    final DefaultCamelContext context = new DefaultCamelContext();
    final LeaseService service = new LeaseService();
    final LeaseRoutePolicy policy = new LeaseRoutePolicy();

    /** Whether the route runs before somebody starts it. */
    boolean autoStartup = true;

    /** What the route does after it has written that down. */
    Processor then = exchange -> {};

    CamelNode(String test, String name) {
        this(test, name, quartzProperties(test, name));
    }

    CamelNode(String test, String name, Properties properties) {
        this.test = test;
        this.name = name;
        service.setStore("memory:" + test);
        service.setApplication(test);
        service.setNode(name);
        service.setTtl("2s");
        context.getRegistry().bind("leaseService", service);
        QuartzComponent quartz = new QuartzComponent();
        quartz.setProperties(properties);
        quartz.setPrefixInstanceName(false);
        context.addComponent("quartz", quartz);
    }

    static Properties quartzProperties(String test, String name) {
        Properties properties = new Properties();
        properties.setProperty("org.quartz.scheduler.instanceName", test + "-" + name + "-" + System.nanoTime());
        properties.setProperty("org.quartz.threadPool.threadCount", "4");
        properties.setProperty("org.quartz.scheduler.idleWaitTime", "1000");
        return properties;
    }

    /** A route that writes down what it is run for. */
    CamelNode route(String uri, RoutePolicy... more) throws Exception {
        RoutePolicy[] policies = new RoutePolicy[more.length + 1];
        policies[0] = policy;
        System.arraycopy(more, 0, policies, 1, more.length);
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from(uri)
                        .routeId("job")
                        .autoStartup(autoStartup)
                        .routePolicy(policies)
                        .process(CamelNode.this::record);
            }
        });
        return this;
    }

    private void record(Exchange exchange) throws Exception {
        Date slot = exchange.getIn().getHeader("CamelLeaseScheduledTime", Date.class);
        Runs.of(test)
                .add(new Runs.Run(
                        name,
                        slot == null ? Instant.EPOCH : slot.toInstant(),
                        exchange.getIn().getHeader("CamelLeaseToken", Long.class),
                        exchange.getIn().getHeader("CamelLeaseRecovering", false, Boolean.class),
                        Instant.now()));
        then.process(exchange);
    }

    CamelNode start() {
        context.start();
        return this;
    }

    LeaseElector elector() {
        return service.electors().get(0);
    }

    boolean holds() {
        return elector().check().isPresent();
    }

    Scheduler scheduler() {
        return context.getComponent("quartz", QuartzComponent.class).getScheduler();
    }

    static InMemoryLeaseStore store(String test) {
        return MemoryLeaseStoreProvider.named(test);
    }

    static LeaseName lease(String test) {
        return new LeaseName(test + "/job");
    }

    @Override
    public void close() {
        context.stop();
    }
}
