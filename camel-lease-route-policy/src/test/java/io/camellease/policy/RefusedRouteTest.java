/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A route that another module refuses, because an option of it is wrong, is as if it had never been there. */
@CaseTest
class RefusedRouteTest {

    @RegisterExtension
    final Cluster cluster = new Cluster();

    /** Refuses routes of one name. */
    public static final class Refusing implements LeasedRouteExtension {
        @Override
        public Optional<Extended> extend(LeasedRoute route) {
            if (route.route().getRouteId().equals("refused")) {
                throw new IllegalArgumentException("refused on purpose");
            }
            return Optional.empty();
        }
    }

    private static ClassLoader withRefusing(Path services) throws IOException {
        Path list = services.resolve("META-INF/services").resolve(LeasedRouteExtension.class.getName());
        Files.createDirectories(list.getParent());
        Files.writeString(list, Refusing.class.getName());
        URL[] urls = {services.toUri().toURL()};
        return new URLClassLoader(urls, RefusedRouteTest.class.getClassLoader());
    }

    @Test
    void aRouteThatIsRefusedLeavesNothingToTheOthersOfItsLease(@TempDir Path services) throws Exception {
        Node a = cluster.node("A");
        a.context.setApplicationContextClassLoader(withRefusing(services));
        LeaseRoutePolicy policy = new LeaseRoutePolicy();
        policy.setLeaseName(cluster.lease("shared").value());
        a.start();

        assertThatThrownBy(() -> a.routes(builder -> builder.from("seda:refused")
                        .routeId("refused")
                        .routePolicy(policy)
                        .to("log:done")))
                .hasStackTraceContaining("refused on purpose");
        assertThat(a.leases.statuses()).isEmpty();
        a.routes(builder ->
                builder.from("seda:good").routeId("good").routePolicy(policy).to("log:done"));

        soon().until(() -> a.holds(cluster.lease("shared")));
        assertThat(a.leases.statuses().get(0).routes())
                .extracting(LeaseStatus.RouteStatus::id)
                .containsExactly("good");
    }
}
