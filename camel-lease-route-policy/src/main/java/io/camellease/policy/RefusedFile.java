/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.lang.reflect.Field;
import java.util.List;
import org.apache.camel.Consumer;
import org.apache.camel.Exchange;
import org.apache.camel.component.file.FileComponent;
import org.apache.camel.component.file.GenericFile;
import org.apache.camel.component.file.GenericFileConsumer;
import org.apache.camel.component.file.GenericFileEndpoint;
import org.apache.camel.component.file.GenericFileOnCompletion;
import org.apache.camel.component.file.GenericFileOperations;
import org.apache.camel.component.file.GenericFileProcessStrategy;
import org.apache.camel.spi.Synchronization;
import org.apache.camel.spi.UnitOfWork;
import org.apache.camel.support.DefaultExchange;
import org.apache.camel.support.SynchronizationAdapter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file whose exchange is refused before it begins. For Camel the exchange has failed: it would move the file to where {@code
 * moveFailed} says, and forget that another node may have consumed it meanwhile. Stateless; its inner class is loaded only where
 * camel-file is.
 */
final class RefusedFile {

    private static final Logger LOG = LoggerFactory.getLogger(ExchangeGate.class);

    private RefusedFile() {}

    /** Lets the file be as if its read lock could not be had. */
    static void keep(Exchange exchange, Consumer consumer) {
        UnitOfWork work = exchange.getUnitOfWork();
        if (work == null || !ConsumerKind.isFile(consumer)) {
            return;
        }
        try {
            Completions.replace(exchange, work, consumer);
        } catch (ReflectiveOperationException | RuntimeException unknown) {
            LOG.warn("A file that is refused counts as failed, as this version of Camel is not known", unknown);
        }
    }

    /** Camel's steps at the end of an exchange. */
    private static final class Completions {

        static void replace(Exchange exchange, UnitOfWork work, Consumer consumer) throws ReflectiveOperationException {
            // of what was moved before the exchange, only a failure may know where to
            if (consumer instanceof GenericFileConsumer<?> of
                    && of.getEndpoint() instanceof GenericFileEndpoint<?> endpoint
                    && endpoint.getPreMove() == null
                    && (!isNotedAtOnce(endpoint) || endpoint.getIdempotentKey() == null)) {
                Synchronization kept = new Kept(endpoint, field("operations", of), field("processStrategy", of));
                if (takeFrom(work, exchange)) {
                    exchange.getExchangeExtension().addOnCompletion(kept);
                }
            }
        }

        private static boolean takeFrom(UnitOfWork work, Exchange exchange) {
            Exchange aside = new DefaultExchange(exchange.getContext());
            work.handoverSynchronization(aside, step -> step instanceof GenericFileOnCompletion);
            List<Synchronization> taken = aside.getExchangeExtension().handoverCompletions();
            return taken != null && !taken.isEmpty();
        }

        private static Object field(String name, GenericFileConsumer<?> of) throws ReflectiveOperationException {
            Field field = GenericFileConsumer.class.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(of);
        }
    }

    /** Whether a file counts as consumed as soon as it is listed. */
    private static boolean isNotedAtOnce(GenericFileEndpoint<?> endpoint) {
        return Boolean.TRUE.equals(endpoint.isIdempotent()) && endpoint.isIdempotentEager();
    }

    /** What Camel does with a file whose read lock it did not get. */
    @SuppressWarnings({"rawtypes", "unchecked"})
    private static final class Kept extends SynchronizationAdapter {
        private final GenericFileEndpoint endpoint;
        private final GenericFileOperations operations;
        private final GenericFileProcessStrategy strategy;

        Kept(GenericFileEndpoint endpoint, Object operations, Object strategy) {
            this.endpoint = endpoint;
            this.operations = (GenericFileOperations) operations;
            this.strategy = (GenericFileProcessStrategy) strategy;
        }

        @Override
        public void onDone(Exchange exchange) {
            GenericFile file = exchange.getProperty(FileComponent.FILE_EXCHANGE_FILE, GenericFile.class);
            if (file == null) {
                return;
            }
            try {
                strategy.abort(operations, endpoint, exchange, file);
            } catch (Exception failed) {
                LOG.warn("{} could not be unlocked", file, failed);
            } finally {
                endpoint.getInProgressRepository().remove(file.getAbsoluteFilePath());
                if (isNotedAtOnce(endpoint)) {
                    endpoint.getIdempotentRepository().remove(file.getAbsoluteFilePath());
                }
            }
        }
    }
}
