/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A client that is made by the first operation that needs it, on a thread of its own: a mongodb+srv URI has to wait for the
 * DNS, which knows nothing of deadlines. If that fails, the next operation tries again. Thread-safe.
 */
final class OwnClient implements ClientSource {

    private static final long SHORTEST_HEARTBEAT_MILLIS = 500;
    private static final long LONGEST_HEARTBEAT_MILLIS = 10_000;

    private final MongoUri uri;
    private final Duration timeout;
    private @Nullable CompletableFuture<MongoClient> client;
    private boolean closed;

    /** @param timeout how long one operation of the store may take */
    OwnClient(MongoUri uri, Duration timeout) {
        this.uri = uri;
        this.timeout = timeout;
    }

    @Override
    public MongoClient client(Deadline deadline) {
        CompletableFuture<MongoClient> coming = coming();
        try {
            return coming.get(deadline.remainingMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException slow) {
            throw new MongoTimeoutException(
                    "the client could not be made in time: either the DNS does not answer for the hosts of the lease store"
                            + " URI, or this process is too busy");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new MongoInterruptedException("interrupted while the client was made", interrupted);
        } catch (ExecutionException failed) {
            throw MongoException.fromThrowableNonNull(forget(coming, failed));
        }
    }

    private synchronized CompletableFuture<MongoClient> coming() {
        if (closed) {
            throw new IllegalStateException("the lease store is closed");
        }
        if (client == null) {
            client = Background.start("lease-mongodb-client", () -> MongoClients.create(settings()));
        }
        return client;
    }

    private MongoClientSettings settings() {
        return MongoClientSettings.builder()
                .applyConnectionString(uri.resolve())
                // Operations bring their own limit. Ending the sessions when the client is closed has no other.
                .applyToSocketSettings(socket -> socket.readTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS))
                .applyToServerSettings(server -> server.heartbeatFrequency(heartbeatMillis(), TimeUnit.MILLISECONDS))
                .inetAddressResolver(new BoundedResolver(timeout.dividedBy(2)))
                .build();
    }

    /**
     * The driver refuses an operation whose timeout is shorter than the round trips that its heartbeats measured. After a
     * pause of the server those are long until the next heartbeat, by default for 10 s.
     */
    private long heartbeatMillis() {
        return Math.max(SHORTEST_HEARTBEAT_MILLIS, Math.min(timeout.toMillis(), LONGEST_HEARTBEAT_MILLIS));
    }

    private synchronized Throwable forget(CompletableFuture<MongoClient> failed, ExecutionException thrown) {
        if (client == failed) {
            client = null;
        }
        return thrown.getCause() == null ? thrown : thrown.getCause();
    }

    @Override
    public void close() {
        CompletableFuture<MongoClient> last;
        synchronized (this) {
            closed = true;
            last = client;
        }
        if (last != null) {
            var unused = last.thenAccept(MongoClient::close);
        }
    }
}
