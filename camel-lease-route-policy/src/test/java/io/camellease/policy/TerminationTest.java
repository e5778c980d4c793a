/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.ChildCluster.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.testkit.TcpProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process is asked to end by a signal. */
@CaseTest
@Timeout(300)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no such signal")
class TerminationTest {

    private static final int LEASES = 5;
    private static final List<String> ROUTES = Stream.concat(
                    Stream.of("orders"), IntStream.range(1, LEASES).mapToObj(i -> "orders-" + i))
            .toList();
    private static final Duration LONGEST = Duration.ofSeconds(20);

    @TempDir
    Path home;

    private static ChildNode holderOfAll(ChildCluster children, ChildNode.Plan plan) throws Exception {
        ChildNode child = children.start(plan.set("leases", LEASES).set("ttl", "30s"));
        soon().until(() -> ROUTES.stream()
                .allMatch(route -> children.record(route).isHeld()
                        && !child.log("children/" + route + "'", "is granted").isEmpty()));
        return child;
    }

    @Test
    void c76_aProcessThatIsAskedToEndGivesAllItsLeasesBackAndIsSilentAboutIt() throws Exception {
        try (ChildCluster children = new ChildCluster(home)) {
            ChildNode child = holderOfAll(children, children.plan("A"));
            Feeder.drop(children.inbox(), 0, 1);
            soon().until(() -> children.begun("A").size() == 1);

            int linesBefore = child.log().size();
            child.terminate();
            child.awaitEnd(LONGEST);
            List<String> goodbye = child.log().stream().skip(linesBefore).toList();

            assertThat(ROUTES).allSatisfy(route -> {
                assertThat(children.record(route).released()).as(route).isTrue();
                assertThat(child.log("children/" + route + "'", "is released")).hasSize(1);
            });
            assertThat(children.ended("A")).hasSize(1);
            assertThat(goodbye)
                    .isNotEmpty()
                    .noneMatch(line -> line.contains("Exception") || line.contains("\tat "))
                    .noneMatch(line -> line.contains(" WARN ") || line.contains(" ERROR "));
        }
    }

    @Test
    void aProcessThatIsAskedTwiceDoesNotWaitTwice() throws Exception {
        try (ChildCluster children = new ChildCluster(home)) {
            ChildNode child = holderOfAll(children, children.plan("A").set("workMillis", 1500));
            Feeder.drop(children.inbox(), 0, 1);
            soon().until(() -> children.begun("A").size() == 1);

            child.terminate();
            child.terminate();
            child.awaitEnd(LONGEST);

            assertThat(children.ended("A")).hasSize(1);
            assertThat(ROUTES)
                    .allSatisfy(route -> assertThat(children.record(route).released())
                            .as(route)
                            .isTrue());
        }
    }

    @Test
    void aProcessThatIsAskedToEndWhileTheStoreIsAwayEndsSoonAndLeavesItsLeasesToExpire() throws Exception {
        try (ChildCluster children = new ChildCluster(home);
                TcpProxy link = new TcpProxy(children.storePort())) {
            ChildNode child =
                    holderOfAll(children, ChildNode.plan("A", "mongodb://" + link.address() + "/leases", home));
            link.freeze();
            Feeder.drop(children.inbox(), 0, 1);
            soon().until(() -> children.begun("A").size() == 1);

            child.terminate();
            Duration took = child.awaitEnd(LONGEST);

            System.out.println(
                    "[lease figures] a process that is asked to end while the store hangs, ttl 30 s, ended after "
                            + took.toMillis() + " ms");
            assertThat(children.ended("A")).hasSize(1);
            assertThat(ROUTES)
                    .allSatisfy(route -> assertThat(children.record(route).isHeld())
                            .as(route)
                            .isTrue());
            assertThat(child.log()).noneMatch(line -> line.contains("\tat "));
        }
    }

    @Test
    void c10_theStartSaysWhereEveryLeaseIsKept() throws Exception {
        try (ChildCluster children = new ChildCluster(home)) {
            ChildNode child = holderOfAll(children, children.plan("A"));

            assertThat(child.log(
                            "INFO", "Leases are kept in MongoDB leases.leases on 127.0.0.1:" + children.storePort()))
                    .hasSize(1);
            assertThat(ROUTES).allSatisfy(route -> assertThat(
                            child.log("INFO", "Route '" + route + "'", "lease 'children/" + route + "'"))
                    .hasSize(1));
        }
    }
}
