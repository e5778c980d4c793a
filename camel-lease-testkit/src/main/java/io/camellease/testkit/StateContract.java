/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.camellease.core.AdvanceResult;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.FencingToken;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a holder may write into its record: a value for people, and slots that only move forward. */
abstract class StateContract extends ReleaseContract {

    private static final Instant NOON = Instant.parse("2020-03-01T12:00:00.123Z");
    private static final Instant LATER = NOON.plusMillis(1);

    static final List<String> HARD_VALUES = List.of(
            "",
            "$value",
            "$$NOW",
            "$",
            "O'Brien; DROP TABLE lease; --",
            "\"quoted\" \\ back\\slash",
            "two\nlines\tand a tab",
            "{\"$literal\": [1, null]}",
            " spaces at both ends ",
            "%s ? :name {0} ${x}",
            "d\u00e9j\u00e0 \u65e5\u672c\u8a9e \ud83d\ude8c");

    @Test
    final void value_isKeptByClaimsAsItIs() {
        for (String value : HARD_VALUES) {
            LeaseName name = newName();
            granted(store.claim(withValue(claimOn(look(name), ANNA), value)));

            assertThat(look(name).value()).isEqualTo(value);
        }
    }

    @Test
    final void value_isReplacedAsItIs() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);

        for (String value : HARD_VALUES) {
            assertThat(store.setValue(lease, value)).as(value).isTrue();
            assertThat(look(name).value()).isEqualTo(value);
        }
        assertThat(look(name).isHeld()).isTrue();
    }

    @Test
    final void value_hasAtMost1024BytesOfUtf8() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        String longest = "\u00e9".repeat(LeaseStore.MAX_VALUE_BYTES / 2);

        assertThat(store.setValue(lease, longest)).isTrue();
        assertThatThrownBy(() -> store.setValue(lease, longest + "x")).isInstanceOf(IllegalArgumentException.class);

        assertThat(look(name).value()).isEqualTo(longest);
    }

    @Test
    final void value_canOnlyBeReplacedByTheHolderOfTheRunningGrant() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        long token = lease.token().value();
        assertValueRefused(new Lease(name, BERT, lease.token(), lease.attempt(), TTL));
        assertValueRefused(new Lease(name, ANNA, new FencingToken(token - 1), lease.attempt(), TTL));

        fixture.expire(name);
        assertValueRefused(lease);

        store.release(lease);
        assertValueRefused(lease);

        grant(name, BERT);
        assertValueRefused(lease);
    }

    private void assertValueRefused(Lease lease) {
        String before = fixture.raw(lease.name());

        assertThat(store.setValue(lease, "changed")).isFalse();

        assertThat(fixture.raw(lease.name())).isEqualTo(before);
    }

    @Test
    final void value_ofAMissingRecordCannotBeReplaced() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        fixture.wipe(name);

        assertThat(store.setValue(lease, "changed")).isFalse();
    }

    @Test
    final void value_isThatOfTheLatestGrant() {
        LeaseName name = newName();
        granted(store.claim(withValue(claimOn(look(name), ANNA), "of Anna")));
        fixture.expire(name);

        granted(store.claim(withValue(claimOn(look(name), BERT), "of Bert")));

        assertThat(look(name).value()).isEqualTo("of Bert");
    }

    @Test
    final void value_doesNotExtendTheGrant() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        fixture.shiftExpiry(name, TTL.dividedBy(2).negated());

        store.setValue(lease, "changed");

        assertThat(look(name).remaining()).isLessThanOrEqualTo(TTL.dividedBy(2));
    }

    @Test
    final void slot_movesForwardOnly() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);

        assertThat(store.advance(lease, "t", NOON)).isEqualTo(AdvanceResult.ADVANCED);
        assertThat(store.advance(lease, "t", LATER)).isEqualTo(AdvanceResult.ADVANCED);
        assertThat(store.advance(lease, "t", NOON)).isEqualTo(AdvanceResult.REFUSED);

        assertThat(slotsOfNextGrant(lease)).isEqualTo(Map.of("t", LATER));
    }

    @Test
    final void slot_canBeSentAgainUnderTheSameToken() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        store.advance(lease, "t", NOON);
        String before = fixture.raw(name);

        assertThat(store.advance(lease, "t", NOON)).isEqualTo(AdvanceResult.ADVANCED);
        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    @Test
    final void slot_ofAnEarlierGrantIsNotMineToRepeat() {
        LeaseName name = newName();
        Lease first = grant(name, ANNA);
        store.advance(first, "t", NOON);
        fixture.expire(name);
        Lease second = grant(name, BERT);

        assertThat(store.advance(second, "t", NOON)).isEqualTo(AdvanceResult.REFUSED);
        assertThat(store.advance(second, "t", LATER)).isEqualTo(AdvanceResult.ADVANCED);
    }

    @Test
    final void slot_ofAnEarlierGrantOfTheSameHolderIsNotMineToRepeatEither() {
        LeaseName name = newName();
        store.advance(grant(name, ANNA), "t", NOON);

        assertThat(store.advance(grant(name, ANNA), "t", NOON)).isEqualTo(AdvanceResult.REFUSED);
    }

    @Test
    final void slot_isComparedInMilliseconds() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        store.advance(lease, "t", NOON);
        fixture.expire(name);

        Lease next = grant(name, BERT);

        assertThat(store.advance(next, "t", NOON.plusNanos(999_999))).isEqualTo(AdvanceResult.REFUSED);
        assertThat(store.advance(next, "t", NOON.plusNanos(1_000_000))).isEqualTo(AdvanceResult.ADVANCED);
    }

    @Test
    final void slot_laterThanTheStoresClockAllowsIsRefused() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        Instant now = store.find(List.of(name)).storeNow().orElseThrow();
        Instant farthest = now.plus(LeaseStore.MAX_SLOT_AHEAD);

        assertThat(store.advance(lease, "t", farthest.plusSeconds(3600))).isEqualTo(AdvanceResult.REFUSED);
        assertThat(store.advance(lease, "t", farthest)).isEqualTo(AdvanceResult.ADVANCED);
        assertThat(store.advance(lease, "t", farthest.plusSeconds(60))).isEqualTo(AdvanceResult.REFUSED);

        assertThat(slotsOfNextGrant(lease)).isEqualTo(Map.of("t", farthest.truncatedTo(ChronoUnit.MILLIS)));
    }

    @Test
    final void slots_surviveExpiryReleaseAndClaim() {
        LeaseName name = newName();
        Lease first = grant(name, ANNA);
        store.advance(first, "t", NOON);
        fixture.expire(name);
        Lease second = grant(name, BERT);
        store.advance(second, "u", LATER);
        store.setValue(second, "changed");
        renew(second, 1);

        assertThat(slotsOfNextGrant(second)).isEqualTo(Map.of("t", NOON, "u", LATER));
    }

    @Test
    final void slots_comeWithAGrantThatIsSentAgain() {
        LeaseName name = newName();
        Claim claim = claimOn(look(name), ANNA);
        store.advance(granted(store.claim(claim)), "t", NOON);

        ClaimResult again = store.claim(claim);

        granted(again);
        assertThat(((ClaimResult.Granted) again).slots()).isEqualTo(Map.of("t", NOON));
    }

    @Test
    final void slot_canOnlyBeMovedByTheHolderOfTheRunningGrant() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        long token = lease.token().value();
        assertSlotRefused(new Lease(name, BERT, lease.token(), lease.attempt(), TTL));
        assertSlotRefused(new Lease(name, ANNA, new FencingToken(token - 1), lease.attempt(), TTL));

        fixture.expire(name);
        assertSlotRefused(lease);

        store.release(lease);
        assertSlotRefused(lease);

        grant(name, BERT);
        assertSlotRefused(lease);
    }

    private void assertSlotRefused(Lease lease) {
        String before = fixture.raw(lease.name());

        assertThat(store.advance(lease, "t", NOON)).isEqualTo(AdvanceResult.REFUSED);

        assertThat(fixture.raw(lease.name())).isEqualTo(before);
    }

    @Test
    final void slot_ofAMissingRecordIsRefused() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        fixture.wipe(name);

        assertThat(store.advance(lease, "t", NOON)).isEqualTo(AdvanceResult.REFUSED);
    }

    @Test
    final void slots_ofHardKeysAreKeptApart() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        Instant slot = NOON;
        Map<String, Instant> expected = new HashMap<>();
        for (String key : NamesContract.HARD_TEXTS) {
            slot = slot.plusMillis(1);
            expected.put(key, slot);
            assertThat(store.advance(lease, key, slot)).as(key).isEqualTo(AdvanceResult.ADVANCED);
        }

        assertThat(slotsOfNextGrant(lease)).isEqualTo(expected);
    }

    @Test
    final void slot_ofAnIllegalKeyIsRejected() {
        Lease lease = grant(newName(), ANNA);

        for (String key : List.of("", " t", "t\n", "t".repeat(LeaseStore.MAX_KEY_LENGTH + 1))) {
            assertThatThrownBy(() -> store.advance(lease, key, NOON))
                    .as(key)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private Map<String, Instant> slotsOfNextGrant(Lease lease) {
        store.release(lease);
        ClaimResult next = store.claim(claimOn(look(lease.name()), BERT));
        granted(next);
        return ((ClaimResult.Granted) next).slots();
    }
}
