/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeLabelWatchTest {

    private static final HolderId SELF = new HolderId("app-1#aaaa");
    private static final HolderId NAMESAKE = new HolderId("app-1#bbbb");
    private static final HolderId OTHER = new HolderId("app-2#bbbb");

    private final NodeLabelWatch watch = new NodeLabelWatch(SELF);

    private static LeaseRecord record(HolderId holder, long token, long seq) {
        return new LeaseRecord(
                new LeaseName("orders"),
                token,
                seq,
                Optional.of(holder),
                Optional.of(AttemptId.unique()),
                false,
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                "",
                Optional.empty());
    }

    @Test
    void c38_renewalOrGrantOfANamesakeIsProof() {
        assertThat(watch.isFirstProof(record(NAMESAKE, 5, 1), record(NAMESAKE, 5, 2)))
                .isTrue();
        assertThat(new NodeLabelWatch(SELF).isFirstProof(record(OTHER, 5, 9), record(NAMESAKE, 6, 0)))
                .isTrue();
    }

    @Test
    void c38_proofIsNewsOnce() {
        watch.isFirstProof(record(NAMESAKE, 5, 1), record(NAMESAKE, 5, 2));

        assertThat(watch.isFirstProof(record(NAMESAKE, 5, 2), record(NAMESAKE, 5, 3)))
                .isFalse();
    }

    /** As this node itself leaves it behind when it is killed and started again. */
    @Test
    void recordThatDoesNotChangeIsNoProof() {
        assertThat(watch.isFirstProof(null, record(NAMESAKE, 5, 1))).isFalse();
        assertThat(watch.isFirstProof(record(NAMESAKE, 5, 1), record(NAMESAKE, 5, 1)))
                .isFalse();
        assertThat(watch.isFirstProof(record(NAMESAKE, 5, 1), record(NAMESAKE, 4, 9)))
                .isFalse();
    }

    @Test
    void anotherLabelOrThisVeryProcessIsNoProof() {
        assertThat(watch.isFirstProof(record(OTHER, 5, 1), record(OTHER, 5, 2))).isFalse();
        assertThat(watch.isFirstProof(record(SELF, 5, 1), record(SELF, 5, 2))).isFalse();
    }

    @Test
    void labelIsWhatComesBeforeTheRandomPart() {
        assertThat(HolderId.unique("rack#7").label()).isEqualTo("rack#7");
        assertThat(new HolderId("bare").label()).isEqualTo("bare");
    }
}
