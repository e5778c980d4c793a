/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseStoreException.Problem;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StoreCallTest {

    private final LeaseTimer timer = LeaseTimer.thread("test-timer");
    private final Outcomes outcomes = new Outcomes();

    @AfterEach
    void close() {
        timer.close();
    }

    private StoreCall<String> call(Supplier<String> work) {
        return new StoreCall<>(work, outcomes, Ticker.system(), timer);
    }

    @Test
    void deliversTheAnswerOnTheTimerThreadWithTheInstantBeforeTheSend() throws Exception {
        Moment before = Ticker.system().now();
        Moment[] working = new Moment[1];
        call(() -> {
                    working[0] = Ticker.system().now();
                    return "yes";
                })
                .run();

        Outcomes.Outcome outcome = outcomes.next();
        assertThat(outcome.answer()).isEqualTo("yes");
        assertThat(outcome.thread()).isEqualTo("test-timer");
        assertThat(outcome.sentAt().nanosSince(before)).isNotNegative();
        assertThat(working[0].nanosSince(outcome.sentAt())).isNotNegative();
        assertThat(outcome.now().nanosSince(working[0])).isNotNegative();
    }

    @Test
    void deliversTheStoresExceptionAsItIs() throws Exception {
        LeaseStoreException thrown = new LeaseStoreException(Problem.MISCONFIGURED, "no rights", null);
        call(() -> {
                    throw thrown;
                })
                .run();

        assertThat(outcomes.next().failure()).isSameAs(thrown);
    }

    /** A store of somebody else's may tell them. */
    @Test
    void deliversNoPasswords() throws Exception {
        call(() -> {
                    throw new LeaseStoreException(Problem.MISCONFIGURED, "no login at x://joe:hush@host", null);
                })
                .run();
        call(() -> {
                    throw new IllegalStateException("password=hush is wrong", new IllegalStateException("pwd: hush"));
                })
                .run();

        for (int i = 0; i < 2; i++) {
            StringWriter printed = new StringWriter();
            outcomes.next().failure().printStackTrace(new PrintWriter(printed));
            assertThat(printed.toString()).contains("xxxxxx").doesNotContain("hush");
        }
    }

    @Test
    void takesEveryOtherThrowableForAnUnknownOutcome() throws Exception {
        call(() -> {
                    throw new IllegalStateException("a bug");
                })
                .run();
        call(() -> {
                    throw new StackOverflowError("a bigger one");
                })
                .run();

        assertThat(outcomes.next().failure())
                .hasMessageContaining("a bug")
                .extracting(LeaseStoreException::problem)
                .isEqualTo(Problem.UNAVAILABLE);
        assertThat(outcomes.next().failure()).hasCauseInstanceOf(StackOverflowError.class);
    }

    @Test
    void takesNullForAnUnknownOutcome() throws Exception {
        call(() -> null).run();

        assertThat(outcomes.next().failure()).isNotNull();
    }

    @Test
    void dropsAnAnswerThatComesAfterItWasAbandoned() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        StoreCall<String> call = call(() -> {
            sent.countDown();
            await(answer);
            return "late";
        });
        Thread thread = new Thread(call::run);
        thread.start();
        await(sent);

        assertThat(call.abandon()).isTrue();
        answer.countDown();
        thread.join();
        call(() -> "next").run();

        assertThat(outcomes.next().failure()).hasMessageContaining("did not answer");
        assertThat(outcomes.next().answer()).isEqualTo("next");
        assertThat(outcomes.size()).isZero();
    }

    @Test
    void isNeverSentOnceItWasAbandonedInTheQueue() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        StoreCall<String> call = call(() -> "sent " + sent.incrementAndGet());

        assertThat(call.abandon()).isTrue();
        call.run();

        assertThat(outcomes.next().failure()).isNotNull();
        assertThat(sent).hasValue(0);
    }

    @Test
    void cannotBeAbandonedOnceItIsOver() throws Exception {
        StoreCall<String> call = call(() -> "yes");
        call.run();

        assertThat(call.abandon()).isFalse();
        assertThat(outcomes.next().answer()).isEqualTo("yes");
    }

    @Test
    void hasExactlyOneOutcomeHoweverAnswerAndAbandonmentMeet() throws Exception {
        int rounds = 5_000;
        CyclicBarrier start = new CyclicBarrier(2);
        AtomicReference<StoreCall<String>> current = new AtomicReference<>(call(() -> "none"));
        Thread abandoner = new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
                meet(start);
                current.get().abandon();
                meet(start);
            }
        });
        abandoner.start();
        for (int i = 0; i < rounds; i++) {
            current.set(call(() -> "yes"));
            meet(start);
            current.get().run();
            meet(start);
        }
        abandoner.join();

        assertThat(timer.awaitIdle(TimeUnit.SECONDS.toNanos(10))).isTrue();
        assertThat(outcomes.size()).isEqualTo(rounds);
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(10, TimeUnit.SECONDS);
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
