/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Plays a transcript to a {@link LeaseMachine}: each command is carried out, and what the machine decides is written below it.
 * {@code src/test/resources/transcripts/README.md} explains the form.
 */
final class Transcript {

    private final MachineBench bench = new MachineBench();
    private Renewal renewal = new Renewal(
            new Lease(
                    MachineBench.NAME,
                    MachineBench.ME,
                    new FencingToken(1),
                    new AttemptId("none"),
                    MachineBench.SETTINGS.ttl()),
            1,
            "none");
    private Moment renewalSentAt = bench.now;

    /** The transcript as it should read: comments and commands as they are, with what really happens after each. */
    static String play(String text) {
        Transcript transcript = new Transcript();
        StringBuilder out = new StringBuilder();
        for (String line : text.split("\n", -1)) {
            if (line.isBlank() || line.startsWith("#")) {
                out.append(line).append('\n');
            } else if (!line.startsWith(" ")) {
                out.append(line).append('\n').append(transcript.play(line.split(" +")));
            }
        }
        return out.toString().stripTrailing() + "\n";
    }

    private String play(String[] words) {
        bench.at(seconds(words[0]));
        Map<String, String> options = Arrays.stream(words)
                .skip(2)
                .filter(word -> word.contains("="))
                .map(word -> word.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        List<Action> actions = carryOut(words[1], words.length > 2 ? words[2] : "", options);
        return actions.stream().map(action -> "  " + text(action) + "\n").collect(Collectors.joining()) + "  = "
                + state() + "\n";
    }

    private List<Action> carryOut(String command, String what, Map<String, String> options) {
        return switch (command) {
            case "start" -> bench.start();
            case "stop" -> bench.stop();
            case "give-away" -> bench.giveAway();
            case "drained" -> bench.drained();
            case "drain-abandoned" -> bench.take(LeaseMachine::drainAbandoned);
            case "tick" -> bench.tick();
            case "wall-clock" -> stepWallClock(what);
            case "store-clock" -> stepStoreClock(what);
            case "gate-suspects" -> bench.take(LeaseMachine::suspect);
            case "looked" -> bench.looked(record(what, options));
            case "look-failed" ->
                bench.take(
                        (machine, at) -> machine.candidacy().lookFailed(LeaseStoreException.Problem.UNAVAILABLE, at));
            case "granted" -> granted(options);
            case "held-by-other" ->
                bench.claimReplied(
                        claim(), bench.now, new ClaimResult.HeldByOther(record("held", options), Instant.EPOCH));
            case "spent" -> bench.claimReplied(claim(), bench.now, new ClaimResult.Spent(Instant.EPOCH));
            case "claim-failed" -> bench.claimFailed(sent(options), LeaseStoreException.Problem.UNAVAILABLE);
            case "renew" -> renew();
            case "renewed" -> bench.renewReplied(renewal, renewalSentAt, RenewResult.RENEWED);
            case "refused" -> bench.renewReplied(renewal, renewalSentAt, RenewResult.LOST);
            case "stale" -> bench.renewReplied(renewal, renewalSentAt, RenewResult.STALE);
            case "renew-failed" -> bench.take((machine, at) -> machine.renewFailed(renewal, renewalSentAt, at));
            default -> throw new IllegalArgumentException("unknown command " + command);
        };
    }

    private List<Action> stepWallClock(String by) {
        bench.stepWall(
                DurationText.parse("step", by.replace("+", "").replace("-", "")).multipliedBy(sign(by)));
        return bench.tick();
    }

    private List<Action> stepStoreClock(String by) {
        bench.stepStoreClock(
                DurationText.parse("step", by.replace("+", "").replace("-", "")).multipliedBy(sign(by)));
        return List.of();
    }

    private static int sign(String by) {
        return by.startsWith("-") ? -1 : 1;
    }

    private List<Action> granted(Map<String, String> options) {
        Claim claim = claim();
        Lease lease = new Lease(
                claim.name(),
                claim.holder(),
                new FencingToken(Long.parseLong(options.get("token"))),
                claim.attempt(),
                claim.ttl());
        return bench.claimReplied(claim, sent(options), new ClaimResult.Granted(lease, Map.of(), Instant.EPOCH));
    }

    private Claim claim() {
        return bench.claims.get(bench.claims.size() - 1);
    }

    private List<Action> renew() {
        if (!bench.renewalDue()) {
            throw new IllegalArgumentException("no renewal is due at " + bench.second(bench.now.nanos()));
        }
        renewal = bench.renew();
        renewalSentAt = bench.now;
        return List.of();
    }

    private Moment sent(Map<String, String> options) {
        String sent = options.get("sent");
        return sent == null ? bench.now : bench.moment(seconds(sent));
    }

    private static double seconds(String text) {
        return DurationText.parse("time", text.contains(".") ? "PT" + text : text)
                        .toMillis()
                / 1000.0;
    }

    private static LeaseRecord record(String what, Map<String, String> options) {
        if (what.equals("absent")) {
            return MachineBench.absent();
        }
        String by = options.getOrDefault("by", "B#2");
        long token = Long.parseLong(options.get("token"));
        if (by.equals("me")) {
            Duration remaining = DurationText.parse("remaining", options.getOrDefault("remaining", "0"));
            return MachineBench.heldByMe(token, new AttemptId(options.get("attempt")), remaining);
        }
        HolderId holder = by.equals("A#1") ? MachineBench.ME : new HolderId(by);
        long seq = Long.parseLong(options.getOrDefault("seq", "0"));
        return switch (what) {
            case "held" ->
                MachineBench.held(
                        holder, token, seq, DurationText.parse("remaining", options.getOrDefault("remaining", "20s")));
            case "expired" -> MachineBench.expired(holder, token, seq);
            case "released" -> MachineBench.record(holder, token, seq, true, Duration.ZERO);
            default -> throw new IllegalArgumentException("unknown record " + what);
        };
    }

    private static String text(Action action) {
        if (action instanceof Action.SendClaim send) {
            Claim claim = send.claim();
            return "claim " + claim.attempt() + " if token=" + claim.expectedToken() + " seq=" + claim.expectedSeq()
                    + (claim.observed() ? " observed" : "");
        }
        if (action instanceof Action.SendRelease send) {
            return "release token=" + send.lease().token();
        }
        if (action instanceof Action.SendAbandon send) {
            return "abandon " + send.attempt();
        }
        if (action instanceof Action.Tell tell) {
            return "tell " + text(tell.event());
        }
        throw new IllegalArgumentException("unknown action " + action);
    }

    private static String text(LeaseEvent event) {
        String kind = event.getClass().getSimpleName();
        if (event instanceof LeaseEvent.Lost lost) {
            return kind + " token=" + lost.lease().token() + " " + lost.reason();
        }
        if (event instanceof LeaseEvent.AtRisk atRisk) {
            return kind + " token=" + atRisk.lease().token() + " for "
                    + atRisk.untilSuspension().toMillis() + "ms";
        }
        if (event instanceof LeaseEvent.OfGrant ofGrant) {
            return kind + " token=" + ofGrant.lease().token();
        }
        if (event instanceof LeaseEvent.HolderChanged changed) {
            return kind + " " + changed.record().holder().orElseThrow() + " token="
                    + changed.record().token();
        }
        if (event instanceof LeaseEvent.RecordWentBack back) {
            return kind + " from " + back.highestToken() + " to "
                    + back.record().token();
        }
        return kind;
    }

    private String state() {
        StringBuilder out = new StringBuilder(bench.machine.state().toString());
        if (bench.machine.state().hasGrant()) {
            out.append(bench.gateIsOpen() ? ", gate open" : ", gate closed");
        }
        if (bench.lookDue()) {
            out.append(", look due");
        }
        if (bench.renewalDue()) {
            out.append(", renewal due");
        }
        if (bench.wakeAt() > bench.second(bench.now.nanos())) {
            out.append(String.format(Locale.ROOT, ", wakes at %.1fs", bench.wakeAt()));
        }
        return out.toString();
    }
}
