/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.DurationText;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.LockRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.apache.camel.Category;
import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriPath;
import org.apache.camel.support.DefaultEndpoint;
import org.jspecify.annotations.Nullable;

/** Take part in the election of a lease and be told what happens to it, or lock, renew, check and release by a lease. */
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "lease",
        title = "Lease",
        syntax = "lease:name",
        category = {Category.CLUSTERING},
        headersClass = LeaseHeaders.class)
public class LeaseEndpoint extends DefaultEndpoint {

    private static final String ALL_EVENTS = "acquired,lost,released,holderChanged";
    private static final String DEFAULT_TIMEOUT = "30s";

    @UriPath(
            description = "The name of the lease within the application: the lease is called `application/name`, with"
                    + " `camel.lease.application`.")
    @Metadata(required = true)
    private String name;

    @UriParam(
            label = "consumer",
            defaultValue = ALL_EVENTS,
            description = "What makes an exchange: acquired (a new grant, once per term), lost, released, holderChanged"
                    + " (another process holds the lease), several with commas.")
    private String events = ALL_EVENTS;

    @UriParam(
            label = "producer",
            enums = "acquire,renew,release,get,check,list",
            description = "What to do with the lease; required for a producer.")
    private @Nullable String operation;

    @UriParam(
            label = "producer",
            description =
                    "How long a lock lasts unless it is renewed, 1s to 24h; required for acquire. Written 30s, 500ms, 2m,"
                            + " PT30S or as a whole number of milliseconds.")
    private @Nullable String ttl;

    @UriParam(
            label = "producer",
            defaultValue = DEFAULT_TIMEOUT,
            description = "How long acquire waits for the lock: 0 for one try, -1 for ever.")
    private @Nullable String timeout;

    @UriParam(
            label = "producer",
            enums = "throw,continue",
            description =
                    "What acquire does without the lock: throw LeaseNotAcquiredException, or continue with the header"
                            + " CamelLeaseAcquired=false. Default throw, but continue if the timeout is 0.")
    private @Nullable String ifNotAcquired;

    @UriParam(
            label = "producer",
            description =
                    "A note for people of at most 1 KiB, kept in the record: who holds the lock and why. Set by acquire,"
                            + " replaced by renew. Default what the lease service says of this process.")
    private @Nullable String value;

    @UriParam(
            label = "producer",
            defaultValue = "false",
            description = "Whether check asks the store as well. Without it, check reads clocks only.")
    private boolean strict;

    /** An endpoint whose options are set later. */
    public LeaseEndpoint(String uri, LeaseComponent component, String name) {
        super(uri, component);
        this.name = name;
    }

    /**
     * Checks all options that can be checked without the store.
     *
     * @throws IllegalArgumentException if one is wrong; the message names it
     */
    void checkOptions() {
        var unusedName = new LeaseName(name);
        Set<LeaseEventKind> unusedKinds = kinds();
        if (operation != null) {
            checkProducer(parsedOperation(), unusedName);
        }
    }

    private void checkProducer(LeaseOperation what, LeaseName whole) {
        boolean acquires = what == LeaseOperation.ACQUIRE;
        refuse("ttl", !acquires && ttl != null, "acquire");
        refuse("timeout", !acquires && timeout != null, "acquire");
        refuse("ifNotAcquired", !acquires && ifNotAcquired != null, "acquire");
        refuse("value", !acquires && what != LeaseOperation.RENEW && value != null, "acquire and renew");
        refuse("strict", strict && what != LeaseOperation.CHECK, "check");
        LeaseStore.requireValue(value == null ? "" : value);
        if (acquires) {
            LockRequest unused = request(whole, "");
        }
        if (ifNotAcquired != null && !ifNotAcquired.equals("throw") && !ifNotAcquired.equals("continue")) {
            throw new IllegalArgumentException(
                    "ifNotAcquired='" + ifNotAcquired + "' of " + this + " must be throw or continue");
        }
    }

    private void refuse(String option, boolean isSet, String operations) {
        if (isSet) {
            throw new IllegalArgumentException(
                    option + " of " + this + " would have no effect: it is for operation=" + operations + " only");
        }
    }

    @Override
    public Producer createProducer() {
        return new LeaseProducer(this, parsedOperation());
    }

    @Override
    public Consumer createConsumer(Processor processor) throws Exception {
        boolean isSet = ttl != null || timeout != null || ifNotAcquired != null || value != null;
        if (operation != null || strict || isSet) {
            throw new IllegalArgumentException(
                    "a consumer of " + this
                            + " takes none of operation, ttl, timeout, ifNotAcquired, value and strict: they are for producers");
        }
        LeaseConsumer consumer = new LeaseConsumer(this, processor);
        configureConsumer(consumer);
        return consumer;
    }

    LeaseComponent component() {
        return (LeaseComponent) getComponent();
    }

    Set<LeaseEventKind> kinds() {
        return LeaseEventKind.parse(events);
    }

    private LeaseOperation parsedOperation() {
        String text = operation;
        if (text == null) {
            throw new IllegalArgumentException(
                    "a producer of " + this + " needs an operation: " + LeaseOperation.all());
        }
        return LeaseOperation.parse(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "operation='" + text + "' of " + this + " is not known; there are " + LeaseOperation.all()));
    }

    /**
     * What acquire wants.
     *
     * @param otherwise the note for people if none is set
     * @throws IllegalArgumentException if ttl, timeout or value is wrong
     */
    LockRequest request(LeaseName whole, String otherwise) {
        if (ttl == null) {
            throw new IllegalArgumentException("operation=acquire of " + this
                    + " needs a ttl: how long the lock lasts if nobody renews or releases it, for example ttl=30s");
        }
        Duration lasting = DurationText.parse("ttl", ttl);
        Duration waiting = DurationText.parse("timeout", getTimeout());
        return new LockRequest(whole, lasting, value == null ? otherwise : value, waiting);
    }

    /** Whether acquire fails without the lock. */
    boolean throwsIfNotAcquired(LockRequest request) {
        return ifNotAcquired == null ? !request.isOneTry() : ifNotAcquired.equals("throw");
    }

    // ---- options

    public String getName() {
        return name;
    }

    /** The name of the lease within the application. */
    public void setName(String name) {
        this.name = name;
    }

    public String getEvents() {
        return events;
    }

    /** What makes an exchange, several with commas. */
    public void setEvents(String events) {
        this.events = Objects.requireNonNull(events);
    }

    public @Nullable String getOperation() {
        return operation;
    }

    /** What a producer does. */
    public void setOperation(@Nullable String operation) {
        this.operation = operation;
    }

    public @Nullable String getTtl() {
        return ttl;
    }

    /** How long a lock lasts. */
    public void setTtl(@Nullable String ttl) {
        this.ttl = ttl;
    }

    public String getTimeout() {
        return timeout == null ? DEFAULT_TIMEOUT : timeout;
    }

    /** How long acquire waits. */
    public void setTimeout(String timeout) {
        this.timeout = timeout;
    }

    public @Nullable String getIfNotAcquired() {
        return ifNotAcquired;
    }

    /** What acquire does without the lock. */
    public void setIfNotAcquired(@Nullable String ifNotAcquired) {
        this.ifNotAcquired = ifNotAcquired;
    }

    public @Nullable String getValue() {
        return value;
    }

    /** The note for people. */
    public void setValue(@Nullable String value) {
        this.value = value;
    }

    public boolean isStrict() {
        return strict;
    }

    /** Whether check asks the store. */
    public void setStrict(boolean strict) {
        this.strict = strict;
    }
}
