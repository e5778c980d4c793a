/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What keeps a queue from telling. */
class NoticeQueueTest {

    private final List<Long> told = new CopyOnWriteArrayList<>();

    private static LeaseNotice notice(long token) {
        return new LeaseNotice(LeaseEventKind.ACQUIRED, token, "granted", null, null);
    }

    @Test
    void whateverATellerOrAStepThrowsTheNextOneIsTold() {
        NoticeQueue queue = new NoticeQueue("consumer", Runnable::run, Runnable::run, (notice, missed) -> {
            told.add(notice.token());
            throw new AssertionError("broken");
        });

        queue.add(notice(1));
        queue.run(() -> {
            throw new IllegalStateException("broken");
        });
        queue.add(notice(2));

        assertThat(told).containsExactly(1L, 2L);
        assertThat(queue.isIdle()).isTrue();
    }

    @Test
    void whatWaitedForAThreadInVainIsToldLater() {
        Queue<Runnable> retries = new ArrayDeque<>();
        AtomicBoolean refuses = new AtomicBoolean(true);
        NoticeQueue queue = new NoticeQueue(
                "consumer",
                task -> {
                    if (refuses.get()) {
                        throw new RejectedExecutionException("no thread");
                    }
                    task.run();
                },
                retries::add,
                (notice, missed) -> told.add(notice.token()));

        queue.add(notice(1));
        queue.run(() -> told.add(2L));
        assertThat(told).isEmpty();
        assertThat(queue.isIdle()).isFalse();

        retries.remove().run();
        assertThat(told).isEmpty();
        refuses.set(false);
        retries.remove().run();

        assertThat(retries).isEmpty();
        assertThat(told).containsExactly(1L, 2L);
        assertThat(queue.isIdle()).isTrue();
    }
}
