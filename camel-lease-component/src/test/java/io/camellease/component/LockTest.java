/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import static io.camellease.component.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseStoreException;
import io.camellease.policy.LeaseLostException;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import io.camellease.testkit.InMemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Exchange;
import org.apache.camel.ResolveEndpointFailedException;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the producer does for one caller. */
class LockTest {

    private static final HolderId THIEF = HolderId.unique("thief");
    private static final Duration TTL = Duration.ofSeconds(3);

    private final InMemoryLeaseStore shared = new InMemoryLeaseStore();
    private final List<LeaseNode> nodes = new ArrayList<>();

    private LeaseNode node(String label) {
        LeaseNode node = new LeaseNode(label, shared, TTL);
        nodes.add(node);
        return node.start();
    }

    @AfterEach
    void stopAll() {
        nodes.forEach(LeaseNode::close);
    }

    private static <T> T header(Exchange exchange, String name, Class<T> type) {
        return exchange.getMessage().getHeader(name, type);
    }

    @Test
    void aLockIsAcquiredAndGivenBack() {
        LeaseNode a = node("a");

        Exchange exchange = a.call("lease:stock?operation=acquire&ttl=20s");

        assertThat(exchange.getException()).isNull();
        assertThat(header(exchange, LeaseHeaders.ACQUIRED, Boolean.class)).isTrue();
        assertThat(header(exchange, LeaseHeaders.NAME, String.class)).isEqualTo("shop/stock");
        long token = a.record("stock").token();
        assertThat(header(exchange, LeaseHeaders.TOKEN, Long.class)).isEqualTo(token);
        assertThat(exchange.getProperty(LeaseHeaders.TOKEN)).isEqualTo(token);
        assertThat(header(exchange, LeaseHeaders.REMAINING, Long.class)).isBetween(1L, 20_000L);
        assertThat(a.record("stock").isHeld()).isTrue();

        a.call("lease:stock?operation=release", exchange);

        assertThat(exchange.getException()).isNull();
        assertThat(header(exchange, LeaseHeaders.RELEASED, Boolean.class)).isTrue();
        assertThat(header(exchange, LeaseHeaders.TOKEN, Long.class)).isNull();
        assertThat(a.record("stock").released()).isTrue();
    }

    @Test
    void anotherNodeWaitsAndGetsItAfterTheRelease() throws Exception {
        LeaseNode a = node("a");
        LeaseNode b = node("b");
        Exchange first = a.call("lease:stock?operation=acquire&ttl=60s");

        CompletableFuture<Exchange> second =
                CompletableFuture.supplyAsync(() -> b.call("lease:stock?operation=acquire&ttl=60s&timeout=-1"));
        soon().until(() -> b.store.calls(Operation.FIND) > 1);
        assertThat(second).isNotDone();
        a.call("lease:stock?operation=release", first);

        Exchange exchange = second.get(20, TimeUnit.SECONDS);
        assertThat(header(exchange, LeaseHeaders.ACQUIRED, Boolean.class)).isTrue();
        assertThat(header(exchange, LeaseHeaders.TOKEN, Long.class))
                .isEqualTo(a.record("stock").token());
    }

    @Test
    void theLockOfANodeThatIsGoneGoesToAnotherAfterItsTtl() {
        LeaseNode a = node("a");
        a.call("lease:stock?operation=acquire&ttl=2s");
        a.store.standing(Fault.lostRequest());
        LeaseNode b = node("b");

        long begin = System.nanoTime();
        Exchange exchange = b.call("lease:stock?operation=acquire&ttl=2s&timeout=20s");

        assertThat(header(exchange, LeaseHeaders.ACQUIRED, Boolean.class)).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void oneTryThatFailsIsNoException() {
        LeaseNode a = node("a");
        LeaseNode b = node("b");
        a.call("lease:stock?operation=acquire&ttl=60s");

        for (LeaseNode node : List.of(a, b)) {
            Exchange exchange = node.call("lease:stock?operation=acquire&ttl=60s&timeout=0");

            assertThat(exchange.getException()).isNull();
            assertThat(header(exchange, LeaseHeaders.ACQUIRED, Boolean.class)).isFalse();
            assertThat(header(exchange, LeaseHeaders.TOKEN, Long.class)).isNull();
        }
        assertThat(b.call("lease:stock?operation=acquire&ttl=60s&timeout=0&ifNotAcquired=throw")
                        .getException())
                .isInstanceOf(LeaseNotAcquiredException.class);
    }

    @Test
    void whoWaitsInVainForALockOfItsOwnProcessIsToldSo() {
        LeaseNode a = node("a");
        a.call("lease:stock?operation=acquire&ttl=60s&value=counting+shelf+7");

        assertThat(a.call("lease:stock?operation=acquire&ttl=60s&timeout=300ms").getException())
                .isInstanceOf(LeaseNotAcquiredException.class)
                .hasMessageContainingAll("shop/stock", "a#", "counting shelf 7", "holds it for another");
    }

    @Test
    void whoWaitsInVainIsToldWhoHoldsIt() {
        LeaseNode a = node("a");
        LeaseNode b = node("b");
        a.call("lease:stock?operation=acquire&ttl=60s&value=counting+shelf+7");

        long begin = System.nanoTime();
        Exchange exchange = b.call("lease:stock?operation=acquire&ttl=60s&timeout=500ms");

        assertThat(exchange.getException())
                .isInstanceOf(LeaseNotAcquiredException.class)
                .hasMessageContainingAll("shop/stock", "500 ms", "a#", "counting shelf 7");
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isBetween(Duration.ofMillis(450), Duration.ofSeconds(10));
        Exchange other = b.call("lease:stock?operation=acquire&ttl=60s&timeout=100ms&ifNotAcquired=continue");
        assertThat(other.getException()).isNull();
        assertThat(header(other, LeaseHeaders.ACQUIRED, Boolean.class)).isFalse();
    }

    @Test
    void aLockThatIsNotRenewedIsLost() {
        LeaseNode a = node("a");
        Exchange exchange = a.call("lease:stock?operation=acquire&ttl=1s");
        assertThat(a.call("lease:stock?operation=check", exchange).getException())
                .isNull();

        soon().until(() -> {
            exchange.setException(null);
            return a.call("lease:stock?operation=check", exchange).getException() != null;
        });

        assertThat(exchange.getException()).isInstanceOf(LeaseLostException.class);
        exchange.setException(null);
        assertThat(a.call("lease:stock?operation=renew", exchange).getException())
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("shop/stock");
        exchange.setException(null);
        assertThat(a.call("lease:stock?operation=release", exchange).getException())
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void renewalsKeepALockBeyondItsTtl() {
        LeaseNode a = node("a");
        Exchange exchange = a.call("lease:stock?operation=acquire&ttl=4s");
        long until = System.nanoTime() + Duration.ofSeconds(6).toNanos();

        soon().until(() -> {
            a.call("lease:stock?operation=renew", exchange);
            assertThat(exchange.getException()).isNull();
            return System.nanoTime() - until > 0;
        });

        assertThat(a.call("lease:stock?operation=check&strict=true", exchange).getException())
                .isNull();
        assertThat(header(exchange, LeaseHeaders.TOKEN, Long.class))
                .isEqualTo(a.record("stock").token());
    }

    @Test
    void onlyAStrictCheckNoticesWhatOnlyTheStoreKnows() {
        LeaseNode a = node("a");
        Exchange exchange = a.call("lease:stock?operation=acquire&ttl=60s");
        int finds = a.store.calls(Operation.FIND);
        shared.steal(a.leases.leaseName("stock"), THIEF, Duration.ofSeconds(60));

        assertThat(a.call("lease:stock?operation=check", exchange).getException())
                .isNull();
        assertThat(a.store.calls(Operation.FIND)).isEqualTo(finds);
        assertThat(a.call("lease:stock?operation=check&strict=true", exchange).getException())
                .isInstanceOf(LeaseLostException.class);

        exchange.setException(null);
        assertThat(a.call("lease:stock?operation=renew", exchange).getException())
                .isInstanceOf(LeaseLostException.class);
        exchange.setException(null);
        assertThat(a.call("lease:stock?operation=check", exchange).getException())
                .isInstanceOf(LeaseLostException.class);
        assertThat(a.record("stock").isGrantOf(THIEF)).isTrue();
    }

    @Test
    void aLockThatTheExchangeDoesNotHaveIsNotReleased() {
        LeaseNode a = node("a");
        LeaseNode b = node("b");
        Exchange owner = a.call("lease:stock?operation=acquire&ttl=60s");

        assertThat(a.call("lease:stock?operation=release").getException())
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("carries no token");
        Exchange stranger = b.call("lease:stock?operation=release", exchange -> exchange.getMessage()
                .setHeader(LeaseHeaders.TOKEN, header(owner, LeaseHeaders.TOKEN, Long.class)));
        assertThat(stranger.getException()).isInstanceOf(LeaseLostException.class);
        assertThat(a.record("stock").isHeld()).isTrue();

        // whoever got the token from the owner in this process may release it
        Exchange friend = a.call("lease:stock?operation=release", exchange -> exchange.getMessage()
                .setHeader(LeaseHeaders.TOKEN, header(owner, LeaseHeaders.TOKEN, Long.class)));
        assertThat(friend.getException()).isNull();
        assertThat(a.record("stock").released()).isTrue();
    }

    @Test
    void peopleSeeWhoHoldsWhat() {
        LeaseNode a = node("a");
        LeaseNode b = node("b");
        Exchange owner = a.call("lease:stock?operation=acquire&ttl=60s");

        Exchange exchange = b.call("lease:stock?operation=get");

        assertThat(exchange.getException()).isNull();
        assertThat(header(exchange, LeaseHeaders.HELD, Boolean.class)).isTrue();
        assertThat(header(exchange, LeaseHeaders.HOLDER, String.class)).startsWith("a#");
        assertThat(header(exchange, LeaseHeaders.HOLDER_TOKEN, Long.class))
                .isEqualTo(header(owner, LeaseHeaders.TOKEN, Long.class));
        assertThat(header(exchange, LeaseHeaders.TOKEN, Long.class)).isNull();
        assertThat(header(exchange, LeaseHeaders.VALUE, String.class))
                .contains("node=a", "pid=" + ProcessHandle.current().pid(), "application=shop", "started=");
        Map<?, ?> record = exchange.getMessage().getBody(Map.class);
        assertThat(record.get("name")).isEqualTo("shop/stock");

        a.call("lease:stock?operation=renew&value=nearly+done", owner);
        assertThat(owner.getException()).isNull();
        assertThat(header(b.call("lease:stock?operation=get"), LeaseHeaders.VALUE, String.class))
                .isEqualTo("nearly done");
        assertThat(header(b.call("lease:other?operation=get"), LeaseHeaders.HELD, Boolean.class))
                .isFalse();
        a.call("lease:other?operation=acquire&ttl=60s");
        List<?> all = a.call("lease:any?operation=list").getMessage().getBody(List.class);
        assertThat(all.stream().map(item -> ((Map<?, ?>) item).get("name")).toList())
                .isEqualTo(List.of("shop/other", "shop/stock"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "operation=acquire                               | needs a ttl",
                "operation=acquire&ttl=30x                       | ttl='30x' is not a duration",
                "operation=acquire&ttl=-5s                       | ttl='-5s' is not a duration",
                "operation=acquire&ttl=0                         | must be from 1s",
                "operation=acquire&ttl=25h                       | must be from 1s",
                "operation=acquire&ttl=30s&timeout=soon          | timeout='soon' is not a duration",
                "operation=acquire&ttl=30s&timeout=-2            | must be 0 for one try, -1",
                "operation=acquire&ttl=30s&ifNotAcquired=ignore  | must be throw or continue",
                "operation=lock                                  | there are acquire, renew, release, get, check, list",
                "operation=get&strict=true                       | for operation=check only",
                "operation=renew&ttl=30s                         | for operation=acquire only",
                "operation=release&timeout=3s                    | for operation=acquire only",
                "operation=check&ifNotAcquired=throw             | for operation=acquire only",
                "operation=release&value=done                    | for operation=acquire and renew only",
                "events=aquired                                  | 'aquired' is no event of a lease",
                "operation=get&tll=3s                            | Unknown parameters"
            })
    void aWrongOptionIsOneClearError(String options, String message) {
        LeaseNode a = node("a");

        assertThatThrownBy(() -> a.context.getEndpoint("lease:stock?" + options))
                .isInstanceOf(ResolveEndpointFailedException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aValueThatIsTooLongIsRefused() {
        LeaseNode a = node("a");

        for (String operation : List.of("acquire&ttl=30s", "renew")) {
            assertThatThrownBy(() ->
                            a.context.getEndpoint("lease:stock?operation=" + operation + "&value=" + "x".repeat(1025)))
                    .hasMessageContaining("at most 1024 bytes");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"strict=true", "operation=get", "ttl=30s", "timeout=3s", "value=x", "ifNotAcquired=throw"})
    void aConsumerTakesNoOptionOfAProducer(String option) {
        LeaseNode a = node("a");

        assertThatThrownBy(() -> a.route("leader", "lease:leader?" + option, exchange -> {}))
                .hasStackTraceContaining("they are for producers");
    }

    /** Or a failure would look like a success. */
    @Test
    void resultsOfAnEarlierOperationAreNotThoseOfALaterOne() {
        LeaseNode a = node("a");
        LeaseNode b = node("b");
        b.call("lease:taken?operation=acquire&ttl=60s");
        Exchange exchange = a.call("lease:stock?operation=acquire&ttl=60s");
        a.call("lease:stock?operation=release", exchange);
        assertThat(exchange.getMessage().getHeaders())
                .containsEntry(LeaseHeaders.ACQUIRED, true)
                .containsEntry(LeaseHeaders.RELEASED, true);

        a.call("lease:taken?operation=acquire&ttl=60s&timeout=100ms", exchange);

        assertThat(exchange.getException()).isInstanceOf(LeaseNotAcquiredException.class);
        assertThat(exchange.getMessage().getHeaders())
                .doesNotContainKeys(
                        LeaseHeaders.ACQUIRED, LeaseHeaders.REMAINING, LeaseHeaders.NAME, LeaseHeaders.TOKEN);
        exchange.setException(null);
        a.call("lease:stock?operation=release", exchange);
        assertThat(exchange.getException()).isInstanceOf(LeaseLostException.class);
        assertThat(exchange.getMessage().getHeaders()).doesNotContainKey(LeaseHeaders.RELEASED);
        exchange.setException(null);
        a.call("lease:taken?operation=get", exchange);
        a.store.standing(Fault.lostRequest());
        a.call("lease:taken?operation=get", exchange);
        assertThat(exchange.getException()).isInstanceOf(LeaseStoreException.class);
        assertThat(exchange.getMessage().getHeaders())
                .doesNotContainKeys(
                        LeaseHeaders.HELD,
                        LeaseHeaders.HOLDER,
                        LeaseHeaders.HOLDER_TOKEN,
                        LeaseHeaders.REMAINING,
                        LeaseHeaders.VALUE);
    }

    @Test
    void aRecordThatCannotBeReadIsListedAndEndsEveryWait() {
        LeaseNode a = node("a");
        a.call("lease:stock?operation=acquire&ttl=60s");
        a.call("lease:other?operation=acquire&ttl=60s");
        shared.damage(a.leases.leaseName("stock"));

        List<?> all = a.call("lease:any?operation=list").getMessage().getBody(List.class);
        assertThat(all).hasSize(2);
        assertThat(((Map<?, ?>) all.get(1)).get("name")).isEqualTo("shop/stock");
        assertThat(((Map<?, ?>) all.get(1)).get("unreadable")).asString().contains("damaged");

        LeaseNode b = node("b");
        assertThat(b.call("lease:stock?operation=acquire&ttl=60s&timeout=-1").getException())
                .hasMessageStartingWith("lock 'shop/stock' was not acquired: the lease store could not say");
    }

    @Test
    void aTokenThatIsNoNumberIsRefusedWithTheRule() {
        LeaseNode a = node("a");

        Exchange exchange = a.call(
                "lease:stock?operation=release", with -> with.getMessage().setHeader(LeaseHeaders.TOKEN, "abc"));

        assertThat(exchange.getException())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("header CamelLeaseToken='abc' must be the token of lease 'shop/stock', a whole number");
    }

    @Test
    void aTtlThatIsOverBeforeItCanBeUsedIsRefused() {
        LeaseNode a = new LeaseNode("a", shared, Duration.ofMinutes(5));
        nodes.add(a);
        a.start();

        assertThatThrownBy(() -> a.call("lease:stock?operation=acquire&ttl=5s"))
                .hasStackTraceContaining("must be at least 2 x (clockBand + storeTimeout)");
    }

    @Test
    void aClaimWhoseReplyIsLostIsFoundAgain() {
        LeaseNode a = node("a");
        a.store.script(Operation.CLAIM, Fault.lostReply());

        Exchange exchange = a.call("lease:stock?operation=acquire&ttl=20s");

        assertThat(exchange.getException()).isNull();
        assertThat(header(exchange, LeaseHeaders.TOKEN, Long.class))
                .isEqualTo(a.record("stock").token());
        assertThat(a.store.calls(Operation.CLAIM)).isEqualTo(2);
    }

    @Test
    void aClaimThatNobodyWaitsForAnyLongerIsGivenUp() {
        LeaseNode a = node("a");
        a.store.script(Operation.CLAIM, Fault.lostReply());

        Exchange exchange = a.call("lease:stock?operation=acquire&ttl=60s&timeout=0");

        assertThat(exchange.getException())
                .isInstanceOf(LeaseNotAcquiredException.class)
                .hasCauseInstanceOf(LeaseStoreException.class);
        soon().until(() -> !a.record("stock").isHeld());
        assertThat(header(a.call("lease:stock?operation=acquire&ttl=60s"), LeaseHeaders.ACQUIRED, Boolean.class))
                .isTrue();
    }

    @Test
    void aGrantThatComesAfterTheTimeoutIsReleased() {
        LeaseNode a = new LeaseNode("a", shared, Duration.ofSeconds(30));
        nodes.add(a);
        a.start();
        a.store.script(Operation.CLAIM, Fault.hangAfterApplying());

        Exchange exchange = a.call("lease:stock?operation=acquire&ttl=60s&timeout=300ms");

        assertThat(exchange.getException()).isInstanceOf(LeaseNotAcquiredException.class);
        assertThat(a.record("stock").isHeld()).isTrue();
        a.store.releaseHanging();
        soon().until(() -> a.record("stock").released());
    }

    @Test
    void aStoreThatIsAwayIsNoRefusal() {
        LeaseNode a = node("a");
        a.store.standing(Fault.lostRequest());

        Exchange exchange = a.call("lease:stock?operation=acquire&ttl=60s&timeout=500ms&ifNotAcquired=continue");

        assertThat(exchange.getException())
                .isInstanceOf(LeaseNotAcquiredException.class)
                .hasMessageContaining("could not say")
                .hasCauseInstanceOf(LeaseStoreException.class);
    }

    @Test
    void aReleaseThatTheStoreIsNotToldOfIsToldAgain() {
        LeaseNode a = node("a");
        Exchange exchange = a.call("lease:stock?operation=acquire&ttl=60s");
        a.store.script(Operation.RELEASE, Fault.lostRequest());

        a.call("lease:stock?operation=release", exchange);

        assertThat(exchange.getException()).isNull();
        assertThat(header(exchange, LeaseHeaders.RELEASED, Boolean.class)).isFalse();
        soon().until(() -> a.record("stock").released());
    }

    @Test
    void aRenewalWithoutAnAnswerLeavesTheLockAsItWas() {
        LeaseNode a = node("a");
        Exchange exchange = a.call("lease:stock?operation=acquire&ttl=60s");
        a.store.script(Operation.RENEW, Fault.lostReply());

        assertThat(a.call("lease:stock?operation=renew", exchange).getException())
                .isInstanceOf(LeaseStoreException.class);

        exchange.setException(null);
        assertThat(a.call("lease:stock?operation=check", exchange).getException())
                .isNull();
        assertThat(a.call("lease:stock?operation=renew", exchange).getException())
                .isNull();
    }

    @Test
    void anExchangeInATransactionStaysOnItsThread() throws Exception {
        LeaseNode a = node("a");
        LeaseNode b = node("b");
        Exchange first = a.call("lease:stock?operation=acquire&ttl=60s");
        LeaseProducer producer = (LeaseProducer)
                b.context.getEndpoint("lease:stock?operation=acquire&ttl=60s").createAsyncProducer();
        producer.start();
        Exchange exchange = new DefaultExchange(b.context);
        exchange.getExchangeExtension().setTransacted(true);

        CompletableFuture<Boolean> sync =
                CompletableFuture.supplyAsync(() -> producer.process(exchange, doneSync -> {}));
        soon().until(() -> b.store.calls(Operation.FIND) > 1);
        a.call("lease:stock?operation=release", first);

        assertThat(sync.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(header(exchange, LeaseHeaders.ACQUIRED, Boolean.class)).isTrue();
        producer.stop();
    }

    @Test
    void aThreadThatIsInterruptedWhileItWaitsKeepsTheLockFromNobody() throws Exception {
        LeaseNode a = node("a");
        LeaseNode b = node("b");
        Exchange first = a.call("lease:stock?operation=acquire&ttl=60s");
        LeaseProducer producer = (LeaseProducer) b.context
                .getEndpoint("lease:stock?operation=acquire&ttl=60s&timeout=-1")
                .createAsyncProducer();
        producer.start();
        Exchange exchange = new DefaultExchange(b.context);
        exchange.getExchangeExtension().setTransacted(true);
        Thread waiting = new Thread(() -> producer.process(exchange, doneSync -> {}));
        waiting.start();
        soon().until(() -> b.store.calls(Operation.FIND) > 1);

        waiting.interrupt();
        waiting.join(Duration.ofSeconds(20).toMillis());
        a.call("lease:stock?operation=release", first);

        assertThat(exchange.getException()).isInstanceOf(InterruptedException.class);
        Exchange next = b.call("lease:stock?operation=acquire&ttl=60s&timeout=5s");
        assertThat(header(next, LeaseHeaders.ACQUIRED, Boolean.class)).isTrue();
        producer.stop();
    }

    @Test
    void everybodyGetsALockWithoutLeases() {
        LeaseNode a = new LeaseNode("a", shared, TTL);
        nodes.add(a);
        a.leases.setEnabled(false);
        a.start();

        Exchange exchange = a.call("lease:stock?operation=acquire&ttl=60s");
        a.call("lease:stock?operation=check", exchange);
        a.call("lease:stock?operation=release", exchange);

        assertThat(exchange.getException()).isNull();
        assertThat(header(exchange, LeaseHeaders.ACQUIRED, Boolean.class)).isTrue();
        exchange.getMessage().setHeader(LeaseHeaders.HOLDER, "somebody");
        a.call("lease:stock?operation=get", exchange);
        assertThat(exchange.getMessage().getHeaders())
                .containsEntry(LeaseHeaders.HELD, false)
                .doesNotContainKey(LeaseHeaders.HOLDER);
        assertThat(a.store.calls(Operation.CLAIM)).isZero();
    }
}
