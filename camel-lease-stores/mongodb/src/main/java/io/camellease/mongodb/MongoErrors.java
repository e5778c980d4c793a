/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoIncompatibleDriverException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoServerException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BSONException;

/**
 * What an error of the driver means. Goes by the server's error codes, since drivers and compatible servers wrap one code in
 * different exceptions. Codes are those of <a
 * href="https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml">error_codes.yml</a> unless said
 * otherwise. Stateless.
 */
final class MongoErrors {

    /** What to do about an error. */
    enum Kind {
        /** It may pass by itself: network, fail-over, time limit, write concern. */
        TRANSIENT,
        /** The server does not accept the credentials. */
        CREDENTIALS,
        /** The user lacks a right. */
        RIGHTS,
        /** The server does not carry out the command, and will not next time. */
        REFUSED
    }

    private static final int DUPLICATE_KEY = 11000;
    private static final int UNAUTHORIZED = 13;

    private static final Set<Integer> CREDENTIALS =
            codes("11 UserNotFound, 18 AuthenticationFailed, 334 MechanismUnavailable, 8000 (Atlas)");

    private static final Set<Integer> TRANSIENT = codes("""
            1 InternalError, 6 HostUnreachable, 7 HostNotFound, 8 UnknownError, 24 LockTimeout, 43 CursorNotFound,
            46 LockBusy, 50 MaxTimeMSExpired, 64 WriteConcernTimeout, 89 NetworkTimeout, 91 ShutdownInProgress,
            96 OperationFailed, 100 UnsatisfiableWriteConcern, 112 WriteConflict, 117 ConflictingOperationInProgress,
            133 FailedToSatisfyReadPreference, 134 ReadConcernMajorityNotAvailableYet, 146 ExceededMemoryLimit,
            150 StaleEpoch, 175 QueryPlanKilled, 189 PrimarySteppedDown, 202 NetworkInterfaceExceededTimeLimit,
            215 DatabaseDropPending, 216 ElectionInProgress, 217 IncompleteTransactionHistory, 237 CursorKilled, 246 SnapshotUnavailable,
            249 StaleDbVersion, 262 ExceededTimeLimit, 365 TemporarilyUnavailable, 371 UserWritesBlocked,
            391 ReauthenticationRequired, 402 ResourceExhausted, 433 AdmissionQueueOverflow, 449 RateLimitExceeded,
            9001 SocketException, 10107 NotWritablePrimary, 11600 InterruptedAtShutdown, 11601 Interrupted,
            11602 InterruptedDueToReplStateChange, 13388 StaleConfig, 13435 NotPrimaryNoSecondaryOk,
            13436 NotPrimaryOrSecondary, 14031 OutOfDiskSpace, 16500 (Cosmos DB: too many requests)
            """);

    private static final int MAX_DETAIL = 500;

    private MongoErrors() {}

    /** The numbers in a text that names them for people. */
    private static Set<Integer> codes(String text) {
        return Pattern.compile("\\d+")
                .matcher(text)
                .results()
                .map(number -> Integer.valueOf(number.group()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether somebody else made the record at the same moment. */
    static boolean isDuplicateKey(MongoException thrown) {
        OptionalInt code = serverCode(thrown);
        return code.isPresent() && code.getAsInt() == DUPLICATE_KEY;
    }

    /** What to do about it. */
    static Kind kind(Throwable thrown) {
        OptionalInt code = serverCode(thrown);
        if (code.isPresent()) {
            Kind kind = kind(code.getAsInt(), isLabelledRetryable(thrown));
            // a server that asks for no login does not know the command
            return kind == Kind.REFUSED && thrown instanceof MongoSecurityException ? Kind.CREDENTIALS : kind;
        }
        if (thrown instanceof MongoIncompatibleDriverException || thrown instanceof BSONException) {
            return Kind.REFUSED;
        }
        return thrown instanceof MongoSecurityException && !isNetwork(thrown) ? Kind.CREDENTIALS : Kind.TRANSIENT;
    }

    private static Kind kind(int code, boolean retryable) {
        if (code == UNAUTHORIZED) {
            return Kind.RIGHTS;
        }
        if (CREDENTIALS.contains(code)) {
            return Kind.CREDENTIALS;
        }
        return retryable || TRANSIENT.contains(code) ? Kind.TRANSIENT : Kind.REFUSED;
    }

    /** Servers add codes that pass by themselves, and mark them so. */
    private static boolean isLabelledRetryable(Throwable thrown) {
        return thrown instanceof MongoException labelled
                && Stream.of("RetryableWriteError", "RetryableError", "SystemOverloadedError")
                        .anyMatch(labelled::hasErrorLabel);
    }

    /** The code that the server answered; empty if it did not answer. Authentication wraps either in an exception of its own. */
    private static OptionalInt serverCode(Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof MongoBulkWriteException bulk) {
                return OptionalInt.of(code(bulk));
            }
            if (each instanceof MongoServerException || each instanceof MongoExecutionTimeoutException) {
                return OptionalInt.of(((MongoException) each).getCode());
            }
            if (isNetwork(each)) {
                return OptionalInt.empty();
            }
        }
        return OptionalInt.empty();
    }

    private static int code(MongoBulkWriteException bulk) {
        if (!bulk.getWriteErrors().isEmpty()) {
            return bulk.getWriteErrors().get(0).getCode();
        }
        return bulk.getWriteConcernError() == null
                ? bulk.getCode()
                : bulk.getWriteConcernError().getCode();
    }

    private static boolean isNetwork(Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof MongoSocketException || each instanceof MongoTimeoutException) {
                return true;
            }
        }
        return false;
    }

    /**
     * The exception for the user of the store.
     *
     * @param operation what was asked for, for the message
     */
    static LeaseStoreException translate(RuntimeException thrown, String operation, Place place, Secrets secrets) {
        Kind kind = kind(thrown);
        String message = operation + " in " + place + ": " + advice(kind, place) + detail(thrown, secrets);
        Problem problem = kind == Kind.TRANSIENT ? Problem.UNAVAILABLE : Problem.MISCONFIGURED;
        return new LeaseStoreException(problem, message, secrets.appearIn(thrown) ? null : thrown);
    }

    private static String advice(Kind kind, Place place) {
        return switch (kind) {
            case TRANSIENT -> "no answer, so the outcome is unknown";
            case CREDENTIALS ->
                "the server does not accept the credentials; check user name, password, authSource (the"
                        + " database in which the user is defined) and authMechanism, or leave them out if the server"
                        + " asks for no login";
            case RIGHTS ->
                "the user lacks a right; it needs find, insert and update on " + place.namespace()
                        + ", which the role readWrite on database " + place.database() + " includes";
            case REFUSED -> "the server refuses the command, or answers what no MongoDB would";
        };
    }

    private static String detail(RuntimeException thrown, Secrets secrets) {
        OptionalInt code = serverCode(thrown);
        String what =
                code.isPresent() ? "code " + code.getAsInt() : thrown.getClass().getSimpleName();
        String said = String.valueOf(thrown.getMessage());
        if (secrets.appearIn(thrown)) {
            return " (" + what + ")";
        }
        return " (" + what + ": " + (said.length() > MAX_DETAIL ? said.substring(0, MAX_DETAIL) + "..." : said) + ")";
    }
}
