/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.camellease.component.Member.Told;
import io.camellease.component.Member.Witness;
import io.camellease.core.HolderId;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseState;
import io.camellease.testkit.Fault;
import io.camellease.testkit.InMemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.apache.camel.cluster.CamelClusterMember;
import org.apache.camel.cluster.CamelClusterView;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cluster service without routes: who leads, and what listeners are told. */
class LeaseClusterServiceTest {

    private static final HolderId THIEF = HolderId.unique("thief");

    private final InMemoryLeaseStore store = new InMemoryLeaseStore();
    private final List<Member> members = new ArrayList<>();

    private Member member(String label) throws Exception {
        Member member = new Member(label, "shop", store);
        members.add(member);
        member.context.start();
        return member;
    }

    @AfterEach
    void stopAll() {
        members.forEach(Member::close);
    }

    private static ConditionFactory soon() {
        return Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(Duration.ofSeconds(20));
    }

    private LeaseRecord record(LeaseName name) {
        return Objects.requireNonNull(store.find(List.of(name)).records().get(name));
    }

    /** Takes the lease away; the member may have it again at once. */
    private void loseAndRegain(Member member, String namespace) {
        LeaseName name = member.lease(namespace);
        long stolen = store.steal(name, THIEF, Duration.ofMillis(1)).token().value();
        soon().until(() -> record(name).token() > stolen && member.cluster.isLeader(namespace));
    }

    @Test
    void oneLeadsAndTheOtherSeesWho() throws Exception {
        Member a = member("a");
        CamelClusterView viewOfA = a.cluster.getView("ns");
        soon().until(() -> a.cluster.isLeader("ns"));
        Member b = member("b");
        CamelClusterView viewOfB = b.cluster.getView("ns");

        soon().until(() -> viewOfB.getLeader().isPresent());

        assertThat(b.cluster.isLeader("ns")).isFalse();
        CamelClusterMember leader = viewOfB.getLeader().orElseThrow();
        assertThat(leader.getId()).isEqualTo(viewOfA.getLocalMember().getId()).startsWith("a#");
        assertThat(leader.isLocal()).isFalse();
        assertThat(leader.isLeader()).isTrue();
        assertThat(viewOfB.getMembers()).hasSize(2);
        assertThat(viewOfA.getMembers()).hasSize(1);
        assertThat(viewOfA.getNamespace()).isEqualTo("ns");
        assertThat(a.cluster.getNamespaces()).containsExactly("ns");
    }

    @Test
    void theLeaseIsGivenBackWhenTheContextStops() throws Exception {
        Member a = member("a");
        a.cluster.getView("ns");
        soon().until(() -> a.cluster.isLeader("ns"));
        LeaseName name = a.lease("ns");

        a.close();

        assertThat(record(name).released()).isTrue();
    }

    @Test
    void theLeaseIsGivenBackWhenTheLastUserReleasesTheView() throws Exception {
        Member a = member("a");
        CamelClusterView view = a.cluster.getView("ns");
        a.cluster.getView("ns");
        Witness witness = new Witness();
        view.addEventListener(witness);
        soon().until(() -> witness.told.size() == 1);

        a.cluster.releaseView(view);
        assertThat(a.cluster.isLeader("ns")).isTrue();
        a.cluster.releaseView(view);

        soon().until(() -> record(a.lease("ns")).released());
        assertThat(witness.told).hasSize(2);
        a.cluster.getView("ns");
        soon().until(() -> a.cluster.isLeader("ns"));
    }

    @Test
    void aStoppedViewTellsItsListenersAndGivesTheLeaseBack() throws Exception {
        Member a = member("a");
        CamelClusterView view = a.cluster.getView("ns");
        Witness witness = new Witness();
        view.addEventListener(witness);
        soon().until(() -> witness.told.size() == 1);

        a.cluster.stopView("ns");

        soon().until(() -> record(a.lease("ns")).released());
        assertThat(witness.told)
                .containsExactly(
                        new Told(view.getLocalMember().getId(), true, true, 1), new Told(null, false, false, 1));
        a.cluster.startView("ns");
        soon().until(() -> a.cluster.isLeader("ns"));
    }

    @Test
    void c59_everyTransitionGivesOneEventInWhichTheViewShowsTheNewState() throws Exception {
        Member a = member("a");
        CamelClusterView first = a.cluster.getView("ns1");
        Witness early = new Witness();
        first.addEventListener(early);
        a.cluster.getView("ns2");
        String id = first.getLocalMember().getId();
        soon().until(() -> a.cluster.isLeader("ns1") && a.cluster.isLeader("ns2"));
        Witness late = new Witness();
        first.addEventListener(late);
        soon().until(() -> late.told.size() == 1);

        int rounds = 20;
        for (int round = 0; round < rounds; round++) {
            loseAndRegain(a, "ns1");
        }

        soon().until(() -> early.told.size() >= 1 + 2 * rounds);
        List<Told> own = early.told.stream()
                .filter(told -> told.leader() == null || told.leader().equals(id))
                .toList();
        assertThat(own).hasSize(1 + 2 * rounds);
        for (int i = 0; i < own.size(); i++) {
            boolean leads = i % 2 == 0;
            assertThat(own.get(i)).isEqualTo(new Told(leads ? id : null, leads, leads, 1));
        }
        assertThat(late.told).isEqualTo(early.told);
    }

    @Test
    void c59_namespacesAreLedByDifferentNodes() throws Exception {
        Member a = member("a");
        Member b = member("b");
        a.cluster.getView("ns1");
        soon().until(() -> a.cluster.isLeader("ns1"));
        b.cluster.getView("ns2");
        soon().until(() -> b.cluster.isLeader("ns2"));
        a.cluster.getView("ns2");
        b.cluster.getView("ns1");

        soon().until(() -> b.cluster.getView("ns1").getLeader().isPresent());

        assertThat(a.cluster.isLeader("ns2")).isFalse();
        assertThat(b.cluster.isLeader("ns1")).isFalse();
    }

    @Test
    void aNodeThatIsCutOffStopsLeadingBeforeTheOtherBegins() throws Exception {
        Member a = member("a");
        a.cluster.getView("ns");
        soon().until(() -> a.cluster.isLeader("ns"));
        Member b = member("b");
        b.cluster.getView("ns");
        AtomicInteger both = new AtomicInteger();

        a.store.standing(Fault.lostRequest());

        soon().until(() -> {
            if (a.cluster.isLeader("ns") && b.cluster.isLeader("ns")) {
                both.incrementAndGet();
            }
            return b.cluster.isLeader("ns");
        });
        assertThat(both).hasValue(0);
        assertThat(a.cluster.isLeader("ns")).isFalse();
    }

    @Test
    void aListenerThatTakesLongKeepsTheLeaseFromBeingGivenAway() throws Exception {
        Member a = member("a");
        CamelClusterView view = a.cluster.getView("ns");
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch stopping = new CountDownLatch(1);
        view.addEventListener((CamelClusterEventListener.Leadership) (changed, leader) -> {
            if (leader == null) {
                stopping.countDown();
                awaitQuietly(working);
            }
        });
        soon().until(() -> a.cluster.isLeader("ns"));

        a.cluster.stopView("ns");
        assertThat(stopping.await(20, TimeUnit.SECONDS)).isTrue();

        assertThat(record(a.lease("ns")).released()).isFalse();
        assertThat(a.cluster.isLeader("ns")).isFalse();
        working.countDown();
        soon().until(() -> record(a.lease("ns")).released());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aListenerThatFailsOrCallsBackKeepsNobodyFromBeingTold() throws Exception {
        Member a = member("a");
        CamelClusterView view = a.cluster.getView("ns");
        view.addEventListener((CamelClusterEventListener.Leadership) (changed, leader) -> {
            a.cluster.getView("other");
            changed.addEventListener(new Witness());
            throw new IllegalStateException("broken");
        });
        Witness witness = new Witness();
        view.addEventListener(witness);

        soon().until(() -> witness.told.size() == 1);
        loseAndRegain(a, "ns");

        soon().until(() -> witness.told.size() >= 3);
        soon().until(() -> a.cluster.isLeader("other"));
    }

    @Test
    void aNamespaceThatMakesNoLeaseNameIsRefused() throws Exception {
        Member a = member("a");

        assertThatThrownBy(() -> a.cluster.getView("x".repeat(300)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must have 1 to 200 characters");
    }

    /** A member whose stop has begun, and goes on until the work is let go. */
    private Thread stopping(Member member, CountDownLatch work) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        RouteBuilder.addRoutes(member.context, routes -> routes.from("timer:once?repeatCount=1&delay=0")
                .routeId("busy")
                .process(exchange -> {
                    begun.countDown();
                    work.await(20, TimeUnit.SECONDS);
                }));
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        Thread stop = new Thread(member.context::stop, "stop");
        stop.start();
        soon().until(member.context::isStopping);
        return stop;
    }

    @Test
    void aMemberThatIsStoppingDoesNotComeToLead() throws Exception {
        Member a = member("a");
        a.cluster.getView("ns");
        soon().until(() -> a.cluster.isLeader("ns"));
        Member b = member("b");
        soon().until(() -> b.cluster.getView("ns").getLeader().isPresent());
        CountDownLatch work = new CountDownLatch(1);
        Thread stop = stopping(b, work);
        Awaitility.await()
                .atMost(Duration.ofSeconds(5))
                .until(() -> b.leases.existing(b.lease("ns")).orElseThrow().state() == LeaseState.STOPPED);

        a.cluster.stopView("ns");

        soon().until(() -> record(a.lease("ns")).released());
        Awaitility.await().during(Member.TTL).atMost(Member.TTL.multipliedBy(3)).until(() -> record(a.lease("ns"))
                .released());
        Member c = member("c");
        c.cluster.getView("ns");
        soon().until(() -> c.cluster.isLeader("ns"));
        work.countDown();
        stop.join(Duration.ofSeconds(20).toMillis());
        assertThat(stop.isAlive()).isFalse();
    }

    /** What a listener runs goes on until it is told. */
    @Test
    void aLeaseThatIsLostDuringAStopIsNotGivenBackBeforeTheListenersAreTold() throws Exception {
        Member a = member("a");
        Witness witness = new Witness();
        a.cluster.getView("ns").addEventListener(witness);
        soon().until(() -> witness.told.size() == 1);
        CountDownLatch work = new CountDownLatch(1);
        Thread stop = stopping(a, work);
        LeaseElector elector = a.leases.existing(a.lease("ns")).orElseThrow();

        store.steal(a.lease("ns"), THIEF, Duration.ofMillis(1));

        soon().until(() -> elector.lease().isEmpty());
        Awaitility.await().during(Member.TTL).atMost(Member.TTL.multipliedBy(3)).until(() -> record(a.lease("ns"))
                .holder()
                .filter(THIEF::equals)
                .isPresent());
        assertThat(witness.told).hasSize(1);
        work.countDown();
        stop.join(Duration.ofSeconds(20).toMillis());
        assertThat(stop.isAlive()).isFalse();
        assertThat(witness.told).hasSize(2);
        assertThat(witness.told.get(1).local()).isFalse();
    }

    /** A member whose listener does that as soon as it is told, and whose stop may wait for that long. */
    private Member member(String label, Duration drainTimeout, CamelClusterEventListener.Leadership listener)
            throws Exception {
        Member member = new Member(label, "shop", store);
        members.add(member);
        member.leases.setDrainTimeout(drainTimeout);
        member.context.start();
        member.cluster.getView("ns").addEventListener(listener);
        return member;
    }

    @Test
    void aListenerMayStopTheContext() throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        member("a", Duration.ofSeconds(60), (view, leader) -> {
            if (leader != null && leader.isLocal()) {
                Objects.requireNonNull(view.getCamelContext()).stop();
                stopped.countDown();
            }
        });

        assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
    }

    /** One that calls {@code System.exit} while it leads, or hangs when it is told that it does not. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aListenerThatDoesNotReturnIsWaitedForOnce(boolean leads) throws Exception {
        Duration patience = Duration.ofSeconds(5);
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Member a = member("a", patience, (view, leader) -> {
            if ((leader != null) == leads) {
                hangs.countDown();
                awaitQuietly(end);
            }
        });
        soon().until(() -> a.cluster.isLeader("ns") && (!leads || hangs.getCount() == 0));

        long begun = System.nanoTime();
        a.context.stop();
        Duration took = Duration.ofNanos(System.nanoTime() - begun);

        end.countDown();
        assertThat(hangs.getCount()).isZero();
        assertThat(took).isBetween(patience, patience.multipliedBy(2).minusMillis(500));
    }

    @Test
    void aServiceThatIsStoppedAndStartedTakesPartAgain() throws Exception {
        Member a = member("a");
        Witness witness = new Witness();
        a.cluster.getView("ns").addEventListener(witness);
        soon().until(() -> witness.told.size() == 1);

        a.cluster.stop();
        // asked for, but maybe not done yet
        soon().until(() -> record(a.lease("ns")).released());
        assertThat(a.cluster.isLeader("ns")).isFalse();
        a.cluster.start();

        soon().until(() -> a.cluster.isLeader("ns"));
        soon().until(() -> witness.told.size() == 3);
        assertThat(witness.told.get(2).local()).isTrue();
    }
}
