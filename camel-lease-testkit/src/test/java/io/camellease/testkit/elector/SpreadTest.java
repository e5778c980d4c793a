/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit.elector;

import static io.camellease.testkit.elector.Cluster.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent.Granted;
import io.camellease.core.LeaseName;
import io.camellease.core.Share;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** How many leases spread over some nodes: T = 30 s, K = 3 s, so that a step of a turn is 375 ms. */
@ResourceLock("log")
class SpreadTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** T + K, and a few calls. */
    private static final double TAKEOVER = 33.1;

    private final Cluster cluster = new Cluster();
    private final Cluster.Node a = cluster.node("A");
    private final Cluster.Node b = cluster.node("B");
    private final Cluster.Node c = cluster.node("C");
    private final List<LeaseName> sixty = names(60);

    private static List<LeaseName> names(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new LeaseName("lease-" + i))
                .toList();
    }

    private static void share(Cluster.Node node, List<LeaseName> names) {
        names.forEach(name -> node.share(name, Share.even()));
    }

    private static void answersIn(double millis, Cluster.Node... nodes) {
        Duration there = Duration.ofNanos(Math.round(millis * 500_000));
        Stream.of(nodes).forEach(node -> node.wire.standing(new Fault.Slow(there, there)));
    }

    private void startThree(double secondsApart) {
        share(a, sixty);
        cluster.advance(secondsApart);
        share(b, sixty);
        cluster.advance(secondsApart);
        share(c, sixty);
        cluster.advance(20);
    }

    // ---- the start

    @ParameterizedTest
    @CsvSource({"0, 0", "0, 2", "0, 20", "0.05, 2", "0.2, 2", "0.4, 2"})
    void threeThatStartTogetherHaveAThirdEach(double secondsApart, double callMillis) {
        answersIn(callMillis, a, b, c);
        startThree(secondsApart);

        assertThat(a.held() + b.held() + c.held()).isEqualTo(60);
        assertThat(List.of(a.held(), b.held(), c.held()))
                .allSatisfy(held -> assertThat(held).isBetween(15, 25));
    }

    @Test
    void noneHasAllOfTwoLeases() {
        share(a, names(2));
        share(b, names(2));
        cluster.advance(3);

        assertThat(a.held()).isEqualTo(1);
        assertThat(b.held()).isEqualTo(1);
    }

    @Test
    void oneThatStartsAMomentLaterHasItsPart() {
        share(a, sixty);
        cluster.advance(1.5);
        share(b, sixty);
        cluster.advance(10);

        assertThat(a.held() + b.held()).isEqualTo(60);
        assertThat(b.held()).isBetween(20, 40);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 2})
    void ofThreeThatStartFarApartTheFirstHasNotAll(double secondsApart) {
        startThree(secondsApart);

        assertThat(a.held() + b.held() + c.held()).isEqualTo(60);
        assertThat(a.held()).isLessThan(50);
    }

    @Test
    void oneAloneHasAllAfterOneClaimInterval() {
        share(a, sixty);
        cluster.advance(0);
        assertThat(a.held()).isEqualTo(8);

        cluster.advance(3);
        assertThat(a.held()).isEqualTo(60);
    }

    @Test
    void aSingleLeaseIsHeldAtOnce() {
        a.share(ORDERS, Share.even());
        cluster.advance(0);

        assertThat(a.isUsable()).isTrue();
    }

    @Test
    void aLeaseThatComesToOneAloneIsHeldAtOnce() {
        share(a, sixty);
        cluster.advance(10);
        a.share(ORDERS, Share.even());
        cluster.advance(0);

        assertThat(a.isUsable()).isTrue();
    }

    // ---- takeover

    @ParameterizedTest
    @ValueSource(doubles = {0, 2, 20})
    void theLeasesOfADeadNodeGoToBothOthers(double callMillis) {
        answersIn(callMillis, a, b, c);
        startThree(0);
        cluster.advance(15);
        int before = c.held();
        int hadA = a.held();
        int hadB = b.held();
        c.kill();
        cluster.advance(TAKEOVER + before * callMillis / 1000);

        assertThat(a.held() + b.held()).isEqualTo(60);
        assertThat(a.held() - hadA).isGreaterThanOrEqualTo(6);
        assertThat(b.held() - hadB).isGreaterThanOrEqualTo(6);
    }

    @Test
    void theLeasesOfADeadNodeThatHadAllGoToBothStandbys() {
        answersIn(2, a, b, c);
        share(a, sixty);
        cluster.advance(5);
        share(b, sixty);
        cluster.advance(0.7);
        share(c, sixty);
        cluster.advance(15);
        a.kill();
        cluster.advance(TAKEOVER);

        assertThat(b.held() + c.held()).isEqualTo(60);
        assertThat(b.held()).isBetween(20, 40);
    }

    @Test
    void aSingleLeaseIsTakenOverWhenItRunsOut() {
        a.share(ORDERS, Share.even());
        cluster.advance(1);
        b.share(ORDERS, Share.even());
        cluster.advance(0.5);
        a.kill();

        assertThat(cluster.secondsUntilUsable(b, LIMIT)).isBetween(28.4, 28.6);
    }

    @Test
    void afterAnOutageOfTheStoreNoneHasAll() {
        answersIn(2, a, b, c);
        startThree(0);
        Stream.of(a, b, c).forEach(node -> node.wire.standing(Fault.lostRequest()));
        cluster.advance(60);
        assertThat(a.held() + b.held() + c.held()).isZero();
        answersIn(2, a, b, c);
        cluster.advance(10);

        assertThat(a.held() + b.held() + c.held()).isEqualTo(60);
        assertThat(List.of(a.held(), b.held(), c.held()))
                .as("when each looks first is chance then")
                .allSatisfy(held -> assertThat(held).isLessThan(60));
    }

    // ---- hand-over

    @Test
    void aLeaseThatIsGivenBackGoesAtOnceToOneThatHasFewer() {
        share(a, sixty);
        cluster.advance(5);
        share(b, sixty);
        cluster.advance(5);
        LeaseElector given = a.electors.get(sixty.get(7));
        given.giveAway();
        Duration before = cluster.time.elapsed();
        cluster.time.advanceUntil(() -> b.held() == 1, LIMIT);

        assertThat(cluster.time.elapsed().minus(before)).isLessThanOrEqualTo(Duration.ofSeconds(3));
        assertThat(b.wire.calls(Operation.CLAIM)).isEqualTo(1);
    }

    @Test
    void allThatAStoppedNodeHadIsHeldAgainWithinTwoClaimIntervals() {
        startThree(0);
        List.copyOf(c.electors.values()).forEach(LeaseElector::stop);
        cluster.advance(6);

        assertThat(a.held() + b.held()).isEqualTo(60);
        assertThat(List.of(a.held(), b.held()))
                .allSatisfy(held -> assertThat(held).isBetween(20, 40));
    }

    @Test
    void oneThatIsLeavingIsNotWaitedFor() {
        startThree(0);
        List<LeaseElector> held = c.electors.values().stream()
                .filter(elector -> elector.check().isPresent())
                .toList();
        held.subList(3, held.size()).forEach(LeaseElector::stop);
        cluster.advance(4.5);

        assertThat(c.held()).isEqualTo(3);
        assertThat(a.held() + b.held()).isEqualTo(57);
    }

    @Test
    void ofARestartOneByOneNoneComesOutWithAll() {
        answersIn(2, a, b, c);
        startThree(0);
        List<Cluster.Node> fresh = List.of(cluster.node("A2"), cluster.node("B2"), cluster.node("C2"));
        answersIn(2, fresh.toArray(Cluster.Node[]::new));
        List<Cluster.Node> old = List.of(a, b, c);
        for (int i = 0; i < 3; i++) {
            List.copyOf(old.get(i).electors.values()).forEach(LeaseElector::stop);
            cluster.advance(8);
            share(fresh.get(i), sixty);
            cluster.advance(8);
        }

        assertThat(fresh.stream().mapToInt(Cluster.Node::held).sum()).isEqualTo(60);
        assertThat(fresh).allSatisfy(node -> assertThat(node.held()).isLessThan(60));
    }

    // ---- what is set

    @Test
    void noneHasMoreThanItMay() {
        Share ten = new Share(10, Optional.empty());
        sixty.forEach(name -> {
            a.share(name, ten);
            b.share(name, ten);
        });
        c.share(ORDERS, Share.even());
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger elector = (Logger) LoggerFactory.getLogger(LeaseElector.class);
        elector.addAppender(log);
        cluster.advance(60);
        elector.detachAppender(log);

        assertThat(a.held()).isEqualTo(10);
        assertThat(b.held()).isEqualTo(10);
        assertThat(a.events(Granted.class)).hasSize(10);
        assertThat(log.list)
                .filteredOn(line -> line.getFormattedMessage().contains("maxLeases"))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line.getFormattedMessage())
                        .matches("Nobody holds lease 'lease-\\d+' and 39 more: this node has as many as it may,"
                                + " maxLeases=10, and no other node takes it. Raise maxLeases, or start another node"));
        assertThat(a.electors.values().stream().filter(LeaseElector::isWithheld))
                .hasSize(40);
        share(c, sixty);
        cluster.advance(10);
        assertThat(c.held()).isEqualTo(41);
        assertThat(a.electors.values()).noneMatch(LeaseElector::isWithheld);
    }

    @Test
    void aNodeThatMayHaveMoreTakesOverAgain() {
        Share one = new Share(1, Optional.empty());
        names(2).forEach(name -> a.share(name, one));
        cluster.advance(5);
        assertThat(a.held()).isEqualTo(1);
        LeaseElector held = a.electors.values().stream()
                .filter(elector -> elector.check().isPresent())
                .findFirst()
                .orElseThrow();
        held.giveAway();
        cluster.advance(4);

        assertThat(a.held()).isEqualTo(1);
        assertThat(held.check()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(doubles = {-2, 0, 2})
    void thePreferredNodeHasTheLease(double startsLater) {
        Share onB = new Share(Share.UNLIMITED, Optional.of("B"));
        (startsLater < 0 ? b : a).share(ORDERS, onB);
        cluster.advance(Math.abs(startsLater));
        (startsLater < 0 ? a : b).share(ORDERS, onB);
        cluster.advance(20);

        assertThat(b.isUsable()).isTrue();
        assertThat(a.events(Granted.class)).isEmpty();
    }

    @Test
    void anotherNodeHasTheLeaseWhenThePreferredOneIsNotThereAndKeepsIt() {
        Share onB = new Share(Share.UNLIMITED, Optional.of("B"));
        a.share(ORDERS, onB);
        assertThat(cluster.secondsUntilUsable(a, LIMIT)).isBetween(2.9, 3.0);
        b.share(ORDERS, onB);
        cluster.advance(60);
        assertThat(a.isUsable()).isTrue();

        c.share(ORDERS, onB);
        cluster.advance(4);
        a.kill();
        cluster.advance(TAKEOVER);
        assertThat(b.isUsable()).isTrue();
        b.kill();
        assertThat(cluster.secondsUntilUsable(c, LIMIT)).isLessThanOrEqualTo(30.1);
    }

    // ---- what it costs

    @Test
    void theStoreIsAskedNoMoreOftenThanIfEachClaimedWhateverIsFree() {
        answersIn(2, a, b, c);
        startThree(0);
        int spread = calls();

        Cluster plain = new Cluster();
        List<Cluster.Node> nodes = List.of(plain.node("A"), plain.node("B"), plain.node("C"));
        answersIn(2, nodes.toArray(Cluster.Node[]::new));
        nodes.forEach(node -> sixty.forEach(name -> node.elector(name).start()));
        plain.advance(20);
        int unspread = nodes.stream()
                .mapToInt(node -> node.wire.calls(Operation.FIND) + node.wire.calls(Operation.CLAIM))
                .sum();

        assertThat(spread).isLessThan(unspread);
    }

    private int calls() {
        return Stream.of(a, b, c)
                .mapToInt(node -> node.wire.calls(Operation.FIND) + node.wire.calls(Operation.CLAIM))
                .sum();
    }

    @Test
    void aThousandLeasesSpreadAsWell() {
        List<LeaseName> thousand = names(1_000);
        answersIn(0.5, a, b);
        share(a, thousand);
        share(b, thousand);
        cluster.advance(20);

        assertThat(a.held() + b.held()).isEqualTo(1_000);
        assertThat(a.held()).isBetween(400, 600);
    }
}
