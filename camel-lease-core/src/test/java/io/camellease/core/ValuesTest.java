/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the value types accept, refuse and show. */
class ValuesTest {

    private static final LeaseName NAME = new LeaseName("orders");
    private static final HolderId HOLDER = new HolderId("A#1");
    private static final AttemptId ATTEMPT = new AttemptId("attempt");
    private static final Duration TTL = Duration.ofSeconds(30);

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "orders/in", "a.b", "$set", "two words", "Grüße", "注文", "\uD83D\uDE00", "A", "%2F", "\\"})
    void aNameMayBeAnyText(String text) {
        assertThat(new LeaseName(text).value()).isEqualTo(text);
        assertThat(new LeaseName(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " a", "a ", "a\nb", "a\u0000", "\uD83D", "a\uDE00", "\u2003a", "a\u007f"})
    void aNameMayNotBeWhatADatabaseMightChange(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaseName(text))
                .withMessageStartingWith("lease name '" + text + "' must");
    }

    @Test
    void aNameHasAtMost200Characters() {
        assertThat(new LeaseName("a".repeat(200)).value()).hasSize(200);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaseName("a".repeat(201)))
                .withMessageContaining("must have 1 to 200 characters, has 201");
    }

    @Test
    void namesAreComparedExactly() {
        assertThat(new LeaseName("a")).isNotEqualTo(new LeaseName("A")).isLessThan(new LeaseName("b"));
    }

    @Test
    void everyHolderIdOfOneLabelIsAnother() {
        assertThat(IntStream.range(0, 1_000).mapToObj(i -> HolderId.unique("host")))
                .doesNotHaveDuplicates()
                .allSatisfy(id -> assertThat(id.value()).startsWith("host#"));
        assertThatIllegalArgumentException().isThrownBy(() -> HolderId.unique("a".repeat(151)));
        assertThatIllegalArgumentException().isThrownBy(() -> HolderId.unique(""));
    }

    @Test
    void everyAttemptIsAnother() {
        assertThat(AttemptId.unique()).isNotEqualTo(AttemptId.unique());
        assertThatIllegalArgumentException().isThrownBy(() -> new AttemptId("a".repeat(65)));
    }

    @Test
    void aTokenIsAtLeastOneAndOrdered() {
        assertThat(new FencingToken(2)).isGreaterThan(new FencingToken(1)).hasToString("2");
        assertThatIllegalArgumentException().isThrownBy(() -> new FencingToken(0));
        assertThatIllegalArgumentException().isThrownBy(() -> new FencingToken(-1));
    }

    @Test
    void aLeaseAndAClaimHaveAPositiveTtl() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Lease(NAME, HOLDER, new FencingToken(1), ATTEMPT, Duration.ZERO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Claim(NAME, HOLDER, ATTEMPT, 0, 0, false, Duration.ofSeconds(-1), ""));
    }

    @Test
    void aValueHasAtMost1024BytesNotCharacters() {
        LeaseStore.requireValue("a".repeat(1024));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseStore.requireValue("ü".repeat(513)))
                .withMessageContaining("1024 bytes")
                .withMessageContaining("1026");
    }

    @Test
    void aRenewalIsNumberedFromOneAndHasANonce() {
        Lease lease = new Lease(NAME, HOLDER, new FencingToken(1), ATTEMPT, TTL);

        assertThatIllegalArgumentException().isThrownBy(() -> new Renewal(lease, 0, "n"));
        assertThatIllegalArgumentException().isThrownBy(() -> new Renewal(lease, 1, ""));
    }

    @Test
    void aRecordIsHeldUntilItHasExpiredOrWasReleased() {
        assertThat(record(false, Duration.ofMillis(1)).isHeld()).isTrue();
        assertThat(record(false, Duration.ZERO).isHeld()).isFalse();
        assertThat(record(true, Duration.ofMillis(1)).isHeld()).isFalse();
        assertThat(LeaseRecord.absent(NAME).isHeld()).isFalse();
    }

    @Test
    void aRecordKnowsWhoseGrantItIs() {
        assertThat(record(true, Duration.ZERO).isGrantOf(HOLDER)).isTrue();
        assertThat(record(true, Duration.ZERO).isGrantOf(new HolderId("B#1"))).isFalse();
        assertThat(LeaseRecord.absent(NAME).isGrantOf(HOLDER)).isFalse();
    }

    private static LeaseRecord record(boolean released, Duration remaining) {
        return new LeaseRecord(
                NAME, 7, 0, Optional.of(HOLDER), Optional.of(ATTEMPT), released, remaining, TTL, "", Optional.empty());
    }

    @Test
    void storeOptionsShowNoSecret() {
        LeaseStoreOptions options = new LeaseStoreOptions(
                "MongoDB://user:secret@host/db",
                TTL,
                Optional.of("user"),
                Optional.of("secret"),
                Map.of("database", "secret"));

        assertThat(options.scheme()).contains("mongodb");
        assertThat(options.toString()).doesNotContain("secret").contains("mongodb", "database");
        assertThat(LeaseStoreOptions.of("host/db", TTL).scheme()).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> LeaseStoreOptions.of("mongodb://host", Duration.ZERO));
    }

    @Test
    void aStoreThatNoModuleServesIsNamedByItsSchemeOnly() {
        LeaseStoreOptions options = LeaseStoreOptions.of("oracle://user:secret@host", TTL);
        ClassLoader loader = getClass().getClassLoader();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseStores.forUri(options, loader))
                .withMessageContaining("'oracle'")
                .withMessageNotContaining("secret");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseStores.forUri(LeaseStoreOptions.of("host", TTL), loader))
                .withMessageContaining("has no scheme");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseStores.forClient("a client", options, loader))
                .withMessageContaining("java.lang.String");
    }

    @Test
    void aMomentMovesBothClocksOn() {
        Moment begin = new Moment(Long.MAX_VALUE, 1_000);
        Moment later = begin.plusNanos(5_000_000);

        assertThat(later.nanosSince(begin)).isEqualTo(5_000_000);
        assertThat(later.wallNanosSince(begin)).isEqualTo(5_000_000);
        assertThat(begin.wallNanosSince(later)).isEqualTo(-5_000_000);
    }
}
