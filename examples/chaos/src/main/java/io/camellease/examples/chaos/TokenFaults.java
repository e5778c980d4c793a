/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Looks whether tokens grow from grant to grant of a lease, and whether each has one holder. */
final class TokenFaults {

    private TokenFaults() {}

    /** What is wrong, one sentence each. */
    static List<String> of(History history) {
        List<String> faults = new ArrayList<>();
        Map<String, Held> largest = new HashMap<>();
        for (Held grant : history.grants()) {
            Held before = largest.get(grant.lease());
            if (before == null || grant.token() > before.token()) {
                largest.put(grant.lease(), grant);
            } else if (!mayHaveBeenToldLate(history, before, grant)) {
                faults.add("token order: " + grant.lease() + " was granted to " + grant.process() + " under token "
                        + grant.token() + ", after " + before.token());
            }
        }
        faults.addAll(twoHolders(history));
        return faults;
    }

    /** A process that was frozen tells of its grant when it wakes. */
    private static boolean mayHaveBeenToldLate(History history, Held larger, Held grant) {
        Span between = new Span(larger.span().from(), grant.span().from());
        return grant.token() < larger.token() && history.frozen(grant.process()).meets(between);
    }

    private static List<String> twoHolders(History history) {
        List<String> faults = new ArrayList<>();
        Map<String, String> holders = new HashMap<>();
        history.grants().forEach(grant -> check(holders, grant.lease(), grant.token(), grant.process(), faults));
        history.works().forEach(work -> check(holders, work.lease(), work.token(), work.process(), faults));
        return faults.stream().distinct().toList();
    }

    private static void check(
            Map<String, String> holders, String lease, long token, String process, List<String> faults) {
        String other = holders.putIfAbsent(lease + " " + token, process);
        if (other != null && !other.equals(process)) {
            faults.add("two holders: token " + token + " of " + lease + " was used by " + other + " and " + process);
        }
    }
}
