/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import static io.camellease.component.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.camellease.component.Member.Witness;
import io.camellease.core.HolderId;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import io.camellease.testkit.InMemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.apache.camel.cluster.CamelClusterView;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who uses a view, on which thread its listeners are told, and how it ends. */
class ClusterViewsTest {

    private static final HolderId THIEF = HolderId.unique("thief");

    private final InMemoryLeaseStore store = new InMemoryLeaseStore();
    private final List<Member> members = new ArrayList<>();

    private Member member(String label) throws Exception {
        Member member = new Member(label, "shop", store);
        members.add(member);
        return member;
    }

    private Member started(String label) throws Exception {
        Member member = member(label);
        member.context.start();
        return member;
    }

    @AfterEach
    void stopAll() {
        members.forEach(Member::close);
    }

    private LeaseRecord record(LeaseName name) {
        return Objects.requireNonNull(store.find(List.of(name)).records().get(name));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            boolean unused = latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aNamespaceThatIsRefusedIsNotKept() throws Exception {
        Member a = member("a");
        assertThatThrownBy(() -> a.cluster.getView("x".repeat(300))).isInstanceOf(IllegalArgumentException.class);
        a.context.start();
        // with the name of the application it is too long
        assertThatThrownBy(() -> a.cluster.getView("y".repeat(189))).isInstanceOf(IllegalArgumentException.class);

        assertThat(a.cluster.getNamespaces()).isEmpty();
        a.cluster.stop();
        a.cluster.start();
        a.cluster.getView("ns");
        soon().until(() -> a.cluster.isLeader("ns"));
    }

    @Test
    void aViewThatIsGivenBackTwiceCountsRightAfterwards() throws Exception {
        Member a = started("a");
        CamelClusterView view = a.cluster.getView("ns");
        a.cluster.releaseView(view);
        a.cluster.releaseView(view);

        a.cluster.getView("ns");
        soon().until(() -> a.cluster.isLeader("ns"));
        a.cluster.releaseView(view);

        soon().until(() -> record(a.lease("ns")).released());
    }

    @Test
    void aViewThatNobodyUsesDoesNotTakePart() throws Exception {
        Member a = started("a");
        LeaseClusterView view = (LeaseClusterView) a.cluster.getView("ns");
        a.cluster.releaseView(view);

        a.cluster.startView("ns");

        assertThat(view.isStarted()).isFalse();
    }

    @Test
    void aViewThatOneGivesBackWhileAnotherComesTakesPart() throws Exception {
        Member a = started("a");
        LeaseClusterView view = (LeaseClusterView) a.cluster.getView("ns");
        int rounds = 3000;
        CyclicBarrier both = new CyclicBarrier(2);
        Thread other = new Thread(() -> {
            try {
                for (int i = 0; i < rounds; i++) {
                    both.await(20, TimeUnit.SECONDS);
                    a.cluster.releaseView(view);
                    both.await(20, TimeUnit.SECONDS);
                }
            } catch (Exception failed) {
                Thread.currentThread().interrupt();
            }
        });
        other.start();

        for (int i = 0; i < rounds; i++) {
            both.await(20, TimeUnit.SECONDS);
            a.cluster.getView("ns");
            both.await(20, TimeUnit.SECONDS);
            assertThat(view.isStarted()).as("round %s", i).isTrue();
        }
        other.join(Duration.ofSeconds(20).toMillis());
    }

    @Test
    void listenersAreToldOnAThreadOfTheNamespaceWhateverTheDefaultPoolIs() throws Exception {
        Member a = member("a");
        a.context.getExecutorServiceManager().getDefaultThreadPoolProfile().setMaxQueueSize(0);
        a.context.start();
        CamelClusterView view = a.cluster.getView("ns");
        Queue<String> threads = new ConcurrentLinkedQueue<>();
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch work = new CountDownLatch(1);
        view.addEventListener((CamelClusterEventListener.Leadership) (changed, leader) -> {
            threads.add(Thread.currentThread().getName());
            busy.countDown();
            awaitQuietly(work);
        });
        assertThat(busy.await(20, TimeUnit.SECONDS)).isTrue();

        view.addEventListener((CamelClusterEventListener.Leadership)
                (changed, leader) -> threads.add(Thread.currentThread().getName()));
        work.countDown();

        soon().until(() -> threads.size() == 2);
        assertThat(threads).containsOnly("lease-cluster-ns");
    }

    @Test
    void aListenerThatComesWhileAChangeIsToldIsToldOnce() throws Exception {
        Member a = started("a");
        CamelClusterView view = a.cluster.getView("ns");
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch work = new CountDownLatch(1);
        view.addEventListener((CamelClusterEventListener.Leadership) (changed, leader) -> {
            busy.countDown();
            awaitQuietly(work);
        });
        assertThat(busy.await(20, TimeUnit.SECONDS)).isTrue();
        store.steal(a.lease("ns"), THIEF, Duration.ofSeconds(60));
        LeaseElector elector = a.leases.existing(a.lease("ns")).orElseThrow();
        soon().until(() ->
                elector.lastSeen().filter(record -> record.isGrantOf(THIEF)).isPresent());
        // on the thread of events, so after the change was handed over
        CountDownLatch handedOver = new CountDownLatch(1);
        a.leases
                .elector(a.leases.leaseName("marker"), event -> handedOver.countDown())
                .start();
        assertThat(handedOver.await(20, TimeUnit.SECONDS)).isTrue();

        Witness late = new Witness();
        view.addEventListener(late);
        Witness last = new Witness();
        view.addEventListener(last);
        work.countDown();

        soon().until(() -> !last.told.isEmpty());
        assertThat(late.told).hasSize(1).isEqualTo(last.told);
        assertThat(late.told.get(0).leader()).isEqualTo(THIEF.value());
    }

    @Test
    void twoMembersOfOneIdAreOne() throws Exception {
        Member a = started("a");
        CamelClusterView view = a.cluster.getView("ns");
        soon().until(() -> a.cluster.isLeader("ns"));

        assertThat(view.getLeader()).contains(view.getLocalMember());
        assertThat(view.getLeader().hashCode()).isEqualTo(view.getLeader().hashCode());
        assertThat(view.getMembers().get(0)).isNotEqualTo(new LeaseClusterMember("b#1", false, () -> true));
    }

    @Test
    void aListenerThatHangsKeepsOnlyItsOwnNamespaceFromBeingGivenBack() throws Exception {
        Member a = member("a");
        a.leases.setDrainTimeout(Duration.ofSeconds(6));
        a.context.start();
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        a.cluster.getView("stuck").addEventListener((CamelClusterEventListener.Leadership) (view, leader) -> {
            hangs.countDown();
            awaitQuietly(end);
        });
        CountDownLatch ended = new CountDownLatch(1);
        a.cluster.getView("healthy").addEventListener(stopsSlowly(a, ended));
        soon().until(() -> a.cluster.isLeader("healthy") && hangs.getCount() == 0);
        LeaseName healthy = a.lease("healthy");

        a.context.stop();

        assertThat(ended.getCount()).isZero();
        assertThat(record(healthy).released()).isTrue();
        end.countDown();
    }

    /** It takes two renewals to end what it runs. */
    private static CamelClusterEventListener.Leadership stopsSlowly(Member member, CountDownLatch ended) {
        return (view, leader) -> {
            if (leader == null) {
                int before = member.store.calls(Operation.RENEW);
                soon().until(() -> member.store.calls(Operation.RENEW) >= before + 2);
                ended.countDown();
            }
        };
    }

    @Test
    void aListenerThatStopsTheContextKeepsOnlyItsOwnNamespaceFromBeingGivenBack() throws Exception {
        Member a = member("a");
        a.leases.setDrainTimeout(Duration.ofSeconds(30));
        a.context.start();
        Witness witness = new Witness();
        a.cluster.getView("healthy").addEventListener(witness);
        soon().until(() -> witness.told.size() == 1);
        LeaseName healthy = a.lease("healthy");
        CountDownLatch stopped = new CountDownLatch(1);

        a.cluster.getView("stops").addEventListener((CamelClusterEventListener.Leadership) (view, leader) -> {
            a.context.stop();
            stopped.countDown();
        });

        assertThat(stopped.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(record(healthy).released()).isTrue();
        assertThat(witness.told).hasSize(2);
    }

    @Test
    void aLeaseServiceThatIsStartedAgainGivesTheLeaseBackAtItsNextEnd() throws Exception {
        Member a = started("a");
        Witness witness = new Witness();
        a.cluster.getView("ns").addEventListener(witness);
        soon().until(() -> witness.told.size() == 1);
        a.leases.stop();
        a.leases.start();
        a.cluster.stop();
        a.cluster.start();
        soon().until(() -> witness.told.size() == 3);
        LeaseName name = a.lease("ns");

        a.leases.stop();

        assertThat(record(name).released()).isTrue();
        assertThat(witness.told).hasSize(4);
    }
}
