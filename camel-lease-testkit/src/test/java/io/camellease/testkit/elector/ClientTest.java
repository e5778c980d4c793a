/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit.elector;

import static io.camellease.testkit.elector.Cluster.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseState;
import io.camellease.core.LeaseStore;
import io.camellease.core.RenewResult;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users and stores may do wrong to one client, and how electors come and go. */
class ClientTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Cluster cluster = new Cluster();
    private final Cluster.Node a = cluster.node("A");
    private final Cluster.Node b = cluster.node("B");

    @Test
    void aValueThatCannotBeHadKeepsNobodyFromHisLease() {
        LeaseName first = new LeaseName("first");
        LeaseName second = new LeaseName("second");
        LeaseName third = new LeaseName("third");
        List<LeaseElector> electors = List.of(
                a.client.elector(first, event -> {}, () -> {
                    throw new IllegalStateException("thrown on purpose");
                }),
                a.client.elector(second, event -> {}, () -> "x".repeat(LeaseStore.MAX_VALUE_BYTES + 1)),
                a.client.elector(third, event -> {}, () -> "fine"));
        electors.forEach(LeaseElector::start);
        cluster.advance(0);

        assertThat(electors).allSatisfy(elector -> assertThat(elector.check()).isPresent());
        assertThat(value(first)).isEmpty();
        assertThat(value(second)).isEmpty();
        assertThat(value(third)).isEqualTo("fine");
    }

    private String value(LeaseName name) {
        return cluster.store.find(List.of(name)).records().get(name).value();
    }

    @Test
    void aListenerThatThrowsIsToldTheNextEventAllTheSame() {
        AtomicInteger told = new AtomicInteger();
        LeaseElector elector = a.client.elector(
                ORDERS,
                event -> {
                    told.incrementAndGet();
                    throw new AssertionError("thrown on purpose");
                },
                () -> "");
        elector.start();
        cluster.advance(1);
        elector.stop();
        cluster.advance(1);

        assertThat(told).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "null", "too few", "too many", "not all", "throws"})
    void aStoreThatAnswersNonsenseCountsAsOneThatCouldNotSay(String how) {
        AtomicInteger nonsense = new AtomicInteger();
        LeaseStore broken = broken(method -> nonsense.get() > 0 && method.equals("renew") ? nonsense(how) : null);
        Cluster.Node node = cluster.node(
                new HolderId("C#1"), broken, () -> UUID.randomUUID().toString());
        List<LeaseName> names =
                IntStream.range(0, 3).mapToObj(i -> new LeaseName("lease-" + i)).toList();
        names.forEach(name -> node.elector(name).start());
        cluster.advance(5);

        nonsense.set(1);
        cluster.advance(10);
        assertThat(node.events(LeaseEvent.AtRisk.class)).hasSize(3);
        nonsense.set(0);
        cluster.advance(60);

        assertThat(names)
                .allSatisfy(name -> assertThat(node.elector(name).check()).isPresent());
        assertThat(node.events(LeaseEvent.Lost.class)).isEmpty();
    }

    private static Supplier<Object> nonsense(String how) {
        return switch (how) {
            case "none" -> List::of;
            case "null" -> () -> null;
            case "too few" -> () -> List.of(RenewResult.RENEWED);
            case "too many" -> () -> Collections.nCopies(4, RenewResult.RENEWED);
            case "not all" -> () -> Arrays.asList(RenewResult.RENEWED, null, RenewResult.RENEWED);
            default ->
                () -> {
                    throw new StackOverflowError("thrown on purpose");
                };
        };
    }

    private interface Answers {
        Supplier<Object> to(String method);
    }

    private LeaseStore broken(Answers answers) {
        return (LeaseStore) Proxy.newProxyInstance(
                LeaseStore.class.getClassLoader(), new Class<?>[] {LeaseStore.class}, (proxy, method, arguments) -> {
                    Supplier<Object> instead = answers.to(method.getName());
                    if (instead != null) {
                        return instead.get();
                    }
                    try {
                        return method.invoke(cluster.store, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    @Test
    void aStepThatFailsReachesNoOtherLeaseAndIsTriedAgain() {
        AtomicInteger ids = new AtomicInteger();
        Cluster.Node node = cluster.node(new HolderId("C#1"), cluster.store, () -> {
            if (ids.incrementAndGet() == 1) {
                throw new IllegalStateException("thrown on purpose");
            }
            return "id-" + ids;
        });
        List<LeaseName> names =
                IntStream.range(0, 3).mapToObj(i -> new LeaseName("lease-" + i)).toList();
        names.forEach(name -> node.elector(name).start());
        cluster.advance(0);
        assertThat(names.stream().filter(name -> node.elector(name).check().isPresent()))
                .hasSize(2);

        cluster.advance(3);
        assertThat(names)
                .allSatisfy(name -> assertThat(node.elector(name).check()).isPresent());
    }

    @Test
    void anElectorThatIsRemovedClosesItsGateAndLeavesItsLeaseToExpire() {
        a.start();
        cluster.secondsUntilUsable(a, LIMIT);
        b.start();
        cluster.advance(1);
        a.client.remove(a.elector());
        cluster.advance(0);

        assertThat(a.isUsable()).isFalse();
        assertThat(a.elector().state()).isEqualTo(LeaseState.STOPPED);
        assertThat(a.wire.calls(Operation.RELEASE)).isZero();
        assertThat(cluster.secondsUntilUsable(b, LIMIT)).isBetween(28.0, 33.0);
    }

    @Test
    void anElectorThatIsRemovedWhileItsLookOrClaimIsUnderWayIsGrantedNothing() {
        a.wire.script(Operation.FIND, Fault.slow(Duration.ofSeconds(2)));
        a.start();
        cluster.advance(1);
        a.client.remove(a.elector());
        cluster.advance(60);
        assertThat(a.wire.calls(Operation.CLAIM)).isZero();

        b.wire.script(Operation.CLAIM, Fault.slow(Duration.ofSeconds(2)));
        b.start();
        cluster.advance(1);
        b.client.remove(b.elector());
        cluster.advance(2);
        assertThat(b.kinds()).isEmpty();
        assertThat(cluster.store.find(List.of(ORDERS)).records().get(ORDERS).isHeld())
                .isFalse();
    }

    @Test
    void anElectorThatWasRemovedCanNoLongerBeStarted() {
        LeaseElector removed = a.elector();
        a.client.remove(removed);
        removed.start();
        cluster.advance(60);

        assertThat(removed.state()).isEqualTo(LeaseState.STOPPED);
        assertThat(a.wire.calls(Operation.FIND)).isZero();
    }

    @Test
    void aNameCanHaveAnotherElectorOnceTheFirstWasRemoved() {
        LeaseElector first = a.elector();
        assertThatIllegalStateException()
                .isThrownBy(() -> a.client.elector(ORDERS, event -> {}, () -> ""))
                .withMessage("lease 'orders' already has an elector in this client");
        a.client.remove(first);

        LeaseElector second = a.client.elector(ORDERS, event -> {}, () -> "");
        second.start();
        cluster.advance(0);
        a.client.remove(first);
        cluster.advance(0);

        assertThat(second.check()).isPresent();
        assertThat(a.client.electors()).containsExactly(second);
    }

    @Test
    void aNewElectorDoesNotGetTheLeaseThatAnOldOneOfTheSameClientLeftToExpire() {
        a.start();
        cluster.secondsUntilUsable(a, LIMIT);
        long first = a.token();
        a.client.remove(a.electors.remove(ORDERS));
        a.start();

        assertThat(cluster.secondsUntilUsable(a, LIMIT)).isBetween(29.0, 33.0);
        assertThat(a.token()).isGreaterThan(first);
    }

    @Test
    void theNoteAndTheRecordCanBeSeen() {
        a.start();
        cluster.secondsUntilUsable(a, LIMIT);
        b.start();
        cluster.advance(0);

        assertThat(b.elector().lastSeen()).hasValueSatisfying(record -> {
            assertThat(record.holder()).contains(a.holder);
            assertThat(record.value()).isEqualTo("a note of A#1");
        });
        assertThat(a.client.holder()).isEqualTo(a.holder);
        assertThat(a.client.settings()).isEqualTo(cluster.settings);
        assertThat(a.client.ticker()).isSameAs(a.clock);
    }

    @Test
    void twoLeasesOfOneClientHaveNothingToDoWithEachOther() {
        LeaseName other = new LeaseName("other");
        a.start();
        a.elector(other).start();
        cluster.advance(1);
        a.elector(other).stop();
        cluster.advance(60);

        assertThat(a.isUsable()).isTrue();
        assertThat(a.elector(other).state()).isEqualTo(LeaseState.STOPPED);
    }
}
