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

    /** UserNotFound, AuthenticationFailed, MechanismUnavailable; 8000 is Atlas. */
    private static final Set<Integer> CREDENTIALS = Set.of(11, 18, 334, 8000);

    private static final Set<Integer> TRANSIENT = Set.of(
            // InternalError, HostUnreachable, HostNotFound, UnknownError, LockTimeout, CursorNotFound, LockBusy
            1,
            6,
            7,
            8,
            24,
            43,
            46,
            // MaxTimeMSExpired, StaleShardVersion, WriteConcernTimeout, NetworkTimeout, ShutdownInProgress
            50,
            63,
            64,
            89,
            91,
            // UnsatisfiableWriteConcern, WriteConflict, ConflictingOperationInProgress (Cosmos DB too)
            100,
            112,
            117,
            // FailedToSatisfyReadPreference, ReadConcernMajorityNotAvailableYet, OperationFailed, ExceededMemoryLimit
            133,
            134,
            96,
            146,
            // StaleEpoch, QueryPlanKilled, PrimarySteppedDown, CursorKilled, ExceededTimeLimit
            150,
            175,
            189,
            237,
            262,
            // IngressRequestRateLimitExceeded, SocketException, NotWritablePrimary
            462,
            9001,
            10107,
            // InterruptedAtShutdown, Interrupted, InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk
            11600,
            11601,
            11602,
            13435,
            // NotPrimaryOrSecondary, StaleConfig, OutOfDiskSpace; 16500 is "too many requests" of Cosmos DB
            13436,
            13388,
            14031,
            16500);

    private static final int MAX_DETAIL = 500;

    private MongoErrors() {}

    /** Whether somebody else made the record at the same moment. */
    static boolean isDuplicateKey(MongoException thrown) {
        OptionalInt code = serverCode(thrown);
        return code.isPresent() && code.getAsInt() == DUPLICATE_KEY;
    }

    /** What to do about it. */
    static Kind kind(Throwable thrown) {
        OptionalInt code = serverCode(thrown);
        if (code.isPresent()) {
            return kind(code.getAsInt(), isLabelledRetryable(thrown));
        }
        if (thrown instanceof MongoIncompatibleDriverException) {
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
                && (labelled.hasErrorLabel("RetryableWriteError") || labelled.hasErrorLabel("RetryableError"));
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
                        + " database in which the user is defined) and authMechanism";
            case RIGHTS ->
                "the user lacks a right; it needs find, insert and update on " + place.namespace()
                        + ", which the role readWrite on database " + place.database() + " includes";
            case REFUSED -> "the server refuses the command";
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
