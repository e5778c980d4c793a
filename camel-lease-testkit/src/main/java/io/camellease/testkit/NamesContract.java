/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.Found;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.RenewResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** S10: names do not affect each other and come back as they went in. */
abstract class NamesContract extends TokenContract {

    /** Texts that a path, a pattern, a query language, a collation or an encoding could mistake for something else. */
    static final List<String> HARD_TEXTS = List.of(
            "a",
            "A",
            "aa",
            "a/b",
            "a/b/",
            "/a/b",
            "a//b",
            "a.b",
            "a.b.c",
            "..",
            "../a",
            "$",
            "$set",
            "$$NOW",
            "$a.b",
            "a b",
            "a  b",
            "a\u00a0b",
            "O'Brien",
            "\"a\"",
            "a\\b",
            "a%b",
            "a_b",
            "a%2Fb",
            "a*",
            "a?",
            "[a]",
            "{a}",
            "a:b",
            "a;b",
            "a,b",
            "a=b&c",
            "#a",
            "-a",
            "null",
            "0",
            "_id",
            "e",
            "\u00e9",
            "e\u0301",
            "\u00df",
            "ss",
            "i",
            "\u0131",
            "\u0130",
            "\u65e5\u672c\u8a9e",
            "\u05e9\u05dc\u05d5\u05dd",
            "\ud83d\ude8c",
            "\ud83d\udc68\u200d\ud83d\udc69",
            "x".repeat(200),
            "\u6f22".repeat(200),
            "\ud83d\ude8c".repeat(100));

    @Test
    final void s10_hardNamesAreKeptApart() {
        Map<LeaseName, Lease> leases = new LinkedHashMap<>();
        for (LeaseName name : hardNames()) {
            leases.put(name, grant(name, ANNA));
        }

        Found found = store.find(leases.keySet());

        assertThat(found.unreadable()).isEmpty();
        assertThat(found.records()).containsOnlyKeys(leases.keySet());
        leases.forEach((name, lease) -> {
            LeaseRecord record = recordOf(found, name);
            assertThat(record.name()).isEqualTo(name);
            assertThat(record.attempt()).contains(lease.attempt());
        });
    }

    @Test
    final void s10_operationsOnHardNamesTouchNoOther() {
        List<LeaseName> names = hardNames();
        names.forEach(name -> grant(name, ANNA));

        for (LeaseName name : names) {
            Lease lease = grant(name, ANNA);
            assertThat(renew(lease, 1)).as(name.value()).isEqualTo(RenewResult.RENEWED);
            assertThat(store.setValue(lease, "v")).as(name.value()).isTrue();
            assertThat(store.release(lease)).as(name.value()).isTrue();
            assertThat(heldOf(names)).doesNotContain(name);
        }
        assertThat(heldOf(names)).isEmpty();
    }

    private List<LeaseName> heldOf(List<LeaseName> names) {
        Found found = store.find(names);
        return names.stream().filter(name -> recordOf(found, name).isHeld()).toList();
    }

    /** Every hard text at the end of a name and at its beginning, with a part that no other test uses. */
    private static List<LeaseName> hardNames() {
        String id = UUID.randomUUID().toString();
        return HARD_TEXTS.stream()
                .flatMap(text -> Stream.of(id + shortened(text, id), shortened(text, id) + id))
                .map(LeaseName::new)
                .toList();
    }

    private static String shortened(String text, String id) {
        return text.substring(0, Math.min(text.length(), 200 - id.length()));
    }

    @Test
    final void s10_longestNameIsKeptWhole() {
        String id = UUID.randomUUID().toString();
        LeaseName longest = new LeaseName(id + "\u6f22".repeat(200 - id.length()));
        LeaseName almost = new LeaseName(longest.value().substring(0, 199));
        grant(longest, ANNA);

        assertThat(look(longest).isHeld()).isTrue();
        assertThat(look(almost)).isEqualTo(LeaseRecord.absent(almost));
    }

    @Test
    final void s10_namesThatAreBeginningsOfEachOtherAreKeptApart() {
        LeaseName whole = newName();
        LeaseName longer = new LeaseName(whole.value() + "/0");
        Lease lease = grant(whole, ANNA);
        grant(longer, BERT);

        store.release(lease);

        assertThat(look(whole).isHeld()).isFalse();
        assertThat(look(longer).isHeld()).isTrue();
    }

    @Test
    final void s10_holderIdsComeBackAsTheyWentIn() {
        for (String text : HARD_TEXTS) {
            LeaseName name = newName();
            HolderId holder = new HolderId(text);
            Lease lease = grant(name, holder);

            assertThat(look(name).holder()).as(text).contains(holder);
            assertThat(renew(lease, 1)).as(text).isEqualTo(RenewResult.RENEWED);
            assertThat(store.release(lease)).as(text).isTrue();
        }
    }

    @Test
    final void s10_attemptIdsComeBackAsTheyWentIn() {
        for (String text : HARD_TEXTS) {
            LeaseName name = newName();
            AttemptId attempt = new AttemptId(text.substring(0, Math.min(text.length(), 64)));
            Claim claim = withAttempt(claimOn(look(name), ANNA), attempt);
            Lease lease = granted(store.claim(claim));

            assertThat(granted(store.claim(claim))).as(text).isEqualTo(lease);
            assertThat(look(name).attempt()).as(text).contains(attempt);
            assertThat(renew(lease, 1)).as(text).isEqualTo(RenewResult.RENEWED);
            store.abandon(name, ANNA, attempt);
            assertThat(look(name).released()).as(text).isTrue();
        }
    }

    @Test
    final void s10_nameThatWasNeverGrantedIsAbsent() {
        LeaseName name = newName();

        assertThat(look(name)).isEqualTo(LeaseRecord.absent(name));
    }
}
