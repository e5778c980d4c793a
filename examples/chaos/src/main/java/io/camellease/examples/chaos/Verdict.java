/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether a history keeps what is promised about safety. What is promised about time is judged by {@link Waits}.
 *
 * @param overlaps exchanges that were let in after the first exchange under a larger token of the same lease
 * @param afterEnd exchanges that were let in after their node had been told of the end of the grant
 * @param releasedEarly exchanges that had not ended when their node gave the lease back
 * @param lost files whose work was never done
 * @param begunTwice items that were begun more than once, with or without an excuse
 * @param notExcused second begins of an item for which nothing that was done is an excuse
 * @param tokenFaults where tokens do not grow from grant to grant, or one token has two holders
 * @param lateEffects exchanges let in in time that wrote something after the first exchange under a larger token
 * @param lateWork those of them, and exchanges begun long after they were let in, that nothing explains
 * @param late what is wrong with the latter, one sentence each
 */
record Verdict(
        List<Work> overlaps,
        List<Work> afterEnd,
        List<Work> releasedEarly,
        Set<String> lost,
        Set<String> begunTwice,
        List<Work> notExcused,
        List<String> tokenFaults,
        int lateEffects,
        LateWork lateWork,
        List<String> late) {

    Verdict {
        overlaps = List.copyOf(overlaps);
        afterEnd = List.copyOf(afterEnd);
        releasedEarly = List.copyOf(releasedEarly);
        lost = Set.copyOf(lost);
        begunTwice = Set.copyOf(begunTwice);
        notExcused = List.copyOf(notExcused);
        tokenFaults = List.copyOf(tokenFaults);
        late = List.copyOf(late);
    }

    static Verdict of(History history) {
        Map<String, TreeMap<Long, Long>> firstUnder = firstUnder(history);
        Repeats repeats = Repeats.of(history);
        List<Work> lateEffects = history.works().stream()
                .filter(work -> work.checkedAt() <= successorBegan(firstUnder, work))
                .filter(work -> work.lastSign() > successorBegan(firstUnder, work))
                .toList();
        LateWork lateWork = LateWork.of(history, lateEffects);
        return new Verdict(
                history.works().stream()
                        .filter(work -> work.checkedAt() > successorBegan(firstUnder, work))
                        .toList(),
                afterEnd(history),
                releasedEarly(history),
                lost(history),
                repeats.items(),
                repeats.notExcused(),
                TokenFaults.of(history),
                lateEffects.size(),
                lateWork,
                lateWork.complaints(history));
    }

    /** The exchanges that should not have been. */
    List<Work> wrong() {
        return Stream.of(overlaps, afterEnd, releasedEarly, notExcused, lateWork.begins(), lateWork.effects())
                .flatMap(List::stream)
                .toList();
    }

    /** What is wrong, one sentence each. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        overlaps.forEach(work ->
                complaints.add("overlap: " + text(work) + " was let in after the first exchange under a larger token"));
        afterEnd.forEach(work -> complaints.add("begun after the end: " + text(work)
                + " was let in after its node had been told that the grant is over"));
        releasedEarly.forEach(work ->
                complaints.add("released early: " + text(work) + " had not ended when the lease was given back"));
        new TreeSet<>(lost).forEach(item -> complaints.add("lost: " + item + " was never done"));
        notExcused.forEach(work -> complaints.add(
                "begun twice: " + text(work) + " had been begun before, and nothing that was done explains it"));
        complaints.addAll(tokenFaults);
        complaints.addAll(late);
        return complaints;
    }

    static String text(Work work) {
        return work.item() + " on " + work.process() + ", token " + work.token() + ", checked at " + work.checkedAt();
    }

    /** Per lease and token, when its first exchange was let in. */
    private static Map<String, TreeMap<Long, Long>> firstUnder(History history) {
        Map<String, TreeMap<Long, Long>> first = new HashMap<>();
        history.works().forEach(work -> first.computeIfAbsent(work.lease(), lease -> new TreeMap<>())
                .merge(work.token(), work.checkedAt(), Math::min));
        return first;
    }

    private static long successorBegan(Map<String, TreeMap<Long, Long>> firstUnder, Work work) {
        return firstUnder.getOrDefault(work.lease(), new TreeMap<>()).tailMap(work.token(), false).values().stream()
                .min(Long::compare)
                .orElse(Span.OPEN);
    }

    private static List<Work> afterEnd(History history) {
        Map<String, Held> grants = byKey(history);
        return history.works().stream()
                .filter(work -> {
                    Held grant = grants.get(key(work.process(), work.lease(), work.token()));
                    return grant != null && work.checkedAt() > grant.span().until();
                })
                .toList();
    }

    private static List<Work> releasedEarly(History history) {
        Map<String, Held> grants = byKey(history);
        return history.works().stream()
                .filter(work -> {
                    Held grant = grants.get(key(work.process(), work.lease(), work.token()));
                    return grant != null
                            && grant.ending() == Held.Ending.RELEASED
                            && work.checkedAt() < grant.span().until()
                            && work.endedAt().orElse(Span.OPEN) > grant.span().until();
                })
                .toList();
    }

    private static Map<String, Held> byKey(History history) {
        return history.grants().stream()
                .collect(Collectors.toMap(
                        grant -> key(grant.process(), grant.lease(), grant.token()), grant -> grant, (a, b) -> b));
    }

    private static String key(String process, String lease, long token) {
        return process + " " + lease + " " + token;
    }

    private static Set<String> lost(History history) {
        Set<String> lost = new TreeSet<>(history.fed().keySet());
        history.works().stream()
                .filter(work -> work.doneAt().isPresent())
                .map(Work::item)
                .forEach(lost::remove);
        return lost;
    }
}
