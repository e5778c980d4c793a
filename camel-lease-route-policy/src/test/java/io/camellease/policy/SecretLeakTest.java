/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseStoreException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.camel.console.DevConsole;
import org.apache.camel.console.DevConsoleRegistry;
import org.apache.camel.health.HealthCheckHelper;
import org.apache.camel.health.HealthCheckRegistry;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.EventNotifierSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/** Secrets in a URI, an exception, an option and a header, and all places where they could come out. */
@CaseTest
@Isolated("looks at every log line of the library, at every level")
class SecretLeakTest {

    private static final String IN_URI = "hush-in-uri";
    private static final String IN_OPTION = "hush-in-option";
    private static final String IN_HEADER = "hush-in-header";

    @RegisterExtension
    private final Cluster cluster = new Cluster();

    private final List<String> events = new CopyOnWriteArrayList<>();
    private Node node;

    private final class Notes extends EventNotifierSupport {
        @Override
        public void notify(CamelEvent event) {
            if (event instanceof LeaseCamelEvent ofLease) {
                events.add(ofLease + " " + ofLease.getDetail());
            }
        }
    }

    @Test
    void c111_noSecretComesOutAnywhere() throws Exception {
        try (LogLines log = LogLines.openForAll()) {
            node = cluster.node("A").withJmx().ttl(Duration.ofSeconds(1));
            node.leases.setPassword(IN_OPTION);
            node.context.setDevConsole(true);
            node.context.getManagementStrategy().addEventNotifier(new Notes());
            Probe probe = Probe.in(node);
            probe.onStart = () -> {
                throw new IllegalStateException(
                        "login with " + IN_URI + " failed",
                        new LeaseStoreException(
                                LeaseStoreException.Problem.UNAVAILABLE, "password=" + IN_OPTION, null));
            };
            probe.messages.add("message");
            node.routes(routes -> routes.from("probe:x?password=" + IN_URI)
                    .routeId("orders")
                    .routePolicyRef("lease")
                    .setHeader("Authorization")
                    .constant(IN_HEADER)
                    .throwException(new IllegalStateException("with ${header.Authorization}")));
            node.start();
            soon().until(() -> events.toString().contains("START_FAILED"));
            String ill = outside();
            soon().until(() -> events.toString().contains("RELEASED"));
            probe.onStart = () -> {};
            probe.onSuspend = () -> {
                throw new IllegalStateException("logout with " + IN_URI + " failed");
            };
            soon().until(() -> node.holds("orders") && probe.polls.get() > 3);
            cluster.lose(node, cluster.lease("orders"), Duration.ofMillis(300));

            String all = ill + outside() + events + log.text();
            assertThat(ill).as("what went wrong is shown").contains("login with xxxxxx failed");
            assertThat(log.text())
                    .contains("login with xxxxxx failed", "logout with xxxxxx failed", "password=xxxxxx", "DEBUG");
            assertThat(all).doesNotContain(IN_URI, IN_OPTION, IN_HEADER);
        }
    }

    /** Health, console and JMX. */
    private String outside() throws Exception {
        StringBuilder seen = new StringBuilder();
        HealthCheckRegistry.get(node.context).setExposureLevel("full");
        HealthCheckHelper.invoke(node.context)
                .forEach(result -> seen.append(result.getCheck().getId())
                        .append(result.getMessage())
                        .append(result.getError())
                        .append(result.getDetails()));
        DevConsoleRegistry consoles =
                node.context.getCamelContextExtension().getContextPlugin(DevConsoleRegistry.class);
        consoles.loadDevConsoles();
        DevConsole console = consoles.getConsole("lease").orElseThrow();
        seen.append(console.call(DevConsole.MediaType.TEXT)).append(console.call(DevConsole.MediaType.JSON));
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        String services = "org.apache.camel:context=" + node.context.getManagementName() + ",type=services,*";
        for (ObjectName bean : server.queryNames(new ObjectName(services), null)) {
            for (MBeanAttributeInfo attribute : server.getMBeanInfo(bean).getAttributes()) {
                seen.append(attribute.getName()).append(server.getAttribute(bean, attribute.getName()));
            }
        }
        assertThat(seen.toString()).contains("RemainingMillis");
        return seen.toString();
    }
}
