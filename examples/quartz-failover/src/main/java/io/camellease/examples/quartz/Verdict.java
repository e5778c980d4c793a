/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import io.camellease.examples.runner.Outcome;
import io.camellease.quartz.MissedFires;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What is wrong with a history, by what the options promise. */
final class Verdict {

    private Verdict() {}

    /**
     * Judges; the line of it has the figures, for people and scripts.
     *
     * @param longestPause how long no run of the job of every second may begin
     */
    static Outcome of(History history, MissedFires missedFires, boolean recover, Duration longestPause) {
        List<Account> accounts =
                ScheduledJob.all().stream().map(job -> Account.of(job, history)).toList();
        List<String> complaints = new ArrayList<>();
        int excused = 0;
        for (Account account : accounts) {
            complaints.addAll(complaintsAboutRuns(account, recover));
            complaints.addAll(Promises.broken(account, missedFires));
            pause(account, longestPause).ifPresent(complaints::add);
            Set<Long> allowed = allowed(account, missedFires, recover);
            Set<Long> unexplained = new HashSet<>(account.missed());
            unexplained.removeAll(allowed);
            excused += account.missed().size() - unexplained.size();
            unexplained.stream()
                    .sorted()
                    .forEach(slot -> complaints.add(
                            account.job().title() + ": nobody ran " + Texts.time(slot) + ", and nothing excuses it"));
        }
        return new Outcome(line(history, accounts, excused), complaints);
    }

    private static List<String> complaintsAboutRuns(Account account, boolean recover) {
        List<String> complaints = new ArrayList<>();
        String job = account.job().title();
        if (account.due().isEmpty()) {
            complaints.add(job + ": nothing was run");
        }
        account.doubled().forEach(slot -> complaints.add(job + ": " + Texts.time(slot) + " was begun twice"));
        account.outside().forEach(begin -> complaints.add(Texts.about(begin) + " at no time of its schedule"));
        Overlaps.of(account.history(), account.job())
                .forEach(begin -> complaints.add(Texts.about(begin) + " after one under a larger token"));
        if (!recover) {
            account.repeats()
                    .forEach(begin -> complaints.add(Texts.about(begin) + " as a repeat, which nobody asked for"));
        } else {
            Repeats.unfounded(account)
                    .forEach(begin -> complaints.add(
                            Texts.about(begin) + " as a repeat, though nothing had cut off the run before"));
        }
        return complaints;
    }

    private static Optional<String> pause(Account account, Duration longest) {
        Duration pause = Promises.longestPause(account);
        // the others miss a few in a row by chance
        return account.job() == ScheduledJob.EVERY_SECOND && pause.compareTo(longest) > 0
                ? Optional.of(account.job().title() + ": nothing was begun for " + pause.toMillis() + " ms")
                : Optional.empty();
    }

    /** Which missed slots are allowed by the options. */
    private static Set<Long> allowed(Account account, MissedFires missedFires, boolean recover) {
        if (missedFires != MissedFires.ALL) {
            return new HashSet<>(account.missedBetweenGrants());
        }
        return recover ? Set.of() : account.reservedAtCuts();
    }

    private static String line(History history, List<Account> accounts, int excused) {
        return "RESULT slots=" + sum(accounts, Account::due)
                + " begun=" + sum(accounts, Account::begun)
                + " missed=" + sum(accounts, Account::missed)
                + " doubled=" + sum(accounts, Account::doubled)
                + " excused=" + excused
                + " repeats=" + sum(accounts, Account::repeats)
                + " outside=" + sum(accounts, Account::outside)
                + " overlaps=" + sum(accounts, account -> Overlaps.of(history, account.job()))
                + " kills=" + history.harms("kill")
                + " freezes=" + history.harms("freeze")
                + " stops=" + history.harms("stop")
                + " grants=" + history.grants().size()
                + " unfounded=" + sum(accounts, Repeats::unfounded)
                + " longest_pause_ms=" + longestPause(accounts);
    }

    /** Of the job that is due most often. */
    private static long longestPause(List<Account> accounts) {
        return accounts.stream()
                .filter(account -> account.job() == ScheduledJob.EVERY_SECOND)
                .mapToLong(account -> Promises.longestPause(account).toMillis())
                .sum();
    }

    private static int sum(List<Account> accounts, Function<Account, Collection<?>> of) {
        return accounts.stream().mapToInt(account -> of.apply(account).size()).sum();
    }
}
