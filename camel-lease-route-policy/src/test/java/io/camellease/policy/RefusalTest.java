/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.testkit.Fault;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.component.file.GenericFile;
import org.apache.camel.component.file.GenericFileEndpoint;
import org.apache.camel.component.file.GenericFileExclusiveReadLockStrategy;
import org.apache.camel.component.file.GenericFileOperations;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.spi.IdempotentRepository;
import org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Even if nobody hears of the loss, nothing begins; and what is not begun stays where it is. */
@CaseTest
class RefusalTest {

    private static final int FILES = 10;
    private static final Duration STOLEN_FOR = Duration.ofMillis(1500);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");
    private final Brake work = new Brake();
    private final Brake news = new Brake();

    @TempDir
    Path directory;

    @AfterEach
    void letGo() {
        work.release();
        news.release();
    }

    /** A node whose routes hear nothing of what happens to the lease once they run. */
    private Node deafNode(String options) throws Exception {
        Node a = cluster.node("A").files("orders", directory, options, work);
        a.blockEventsAfter(LeaseEvent.Granted.class, news);
        return a;
    }

    private void loseUnheard(Node node) {
        cluster.steal(lease, STOLEN_FOR);
        soon().until(() -> node.elector(lease).lease().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "delete=true",
                "move=done",
                "delete=true&idempotent=true",
                "noop=true",
                "delete=true&preMove=work",
                "delete=true&moveFailed=failed",
                "delete=true&readLock=markerFile",
                "delete=true&greedy=true",
                "delete=true&maxMessagesPerPoll=3&greedy=true"
            })
    void aListIsCutWhenTheLeaseEndsThoughNoNewsOfItArrives(String options) throws Exception {
        Feeder.drop(directory, 0, FILES);
        Node a = deafNode(options).start();
        soon().until(() -> work.holding() == 1);

        loseUnheard(a);
        work.release();
        soon().until(() -> journal.ended("A").size() == 1);
        a.assertSilent("orders");
        assertThat(a.refused).hasValue(0);
        assertThat(directory.toFile().listFiles(File::isFile)).hasSizeGreaterThanOrEqualTo(FILES - 1);

        news.release();
        soon().until(() -> journal.ended("A").size() == FILES);
        journal.assertEachOnce(FILES);
        assertThat(Journal.tokens(journal.begun("A"))).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "delete=true",
                "move=done",
                "delete=true&idempotent=true",
                "noop=true",
                "delete=true&moveFailed=.error",
                "move=done&moveFailed=.error&idempotent=true"
            })
    void aFileThatIsRefusedStaysAndComesAgain(String options) throws Exception {
        Feeder.drop(directory, 0, FILES);
        SlowLock lock = new SlowLock();
        Node a = deafNode(options + "&exclusiveReadLockStrategy=#lock");
        a.context.getRegistry().bind("lock", lock);
        work.release();
        a.start();
        soon().until(() -> lock.brake.holding() == 1);

        loseUnheard(a);
        lock.brake.release();
        soon().until(() -> a.refused.get() == 1);
        a.assertSilent("orders");
        assertThat(journal.begun("A")).hasSize(SlowLock.SLOW - 1);
        assertThat(a.refused).hasValue(1);

        news.release();
        soon().until(() -> journal.ended("A").size() == FILES);
        journal.assertEachOnce(FILES);
        assertThat(directory.resolve(".error")).doesNotExist();
    }

    /** And has said so in the repository that both share. */
    @Test
    void aFileThatIsRefusedAfterAnotherNodeHasConsumedItStaysConsumed() throws Exception {
        Feeder.drop(directory, 0, FILES);
        SlowLock lock = new SlowLock();
        IdempotentRepository consumed = MemoryIdempotentRepository.memoryIdempotentRepository();
        Node a = deafNode(
                "noop=true&idempotentEager=false&idempotentRepository=#consumed&exclusiveReadLockStrategy=#lock");
        a.context.getRegistry().bind("lock", lock);
        a.context.getRegistry().bind("consumed", consumed);
        work.release();
        a.start();
        soon().until(() -> lock.brake.holding() == 1);
        loseUnheard(a);

        consumed.add(lock.slow);
        lock.brake.release();
        soon().until(() -> a.refused.get() == 1);
        a.assertSilent("orders");

        assertThat(consumed.contains(lock.slow)).isTrue();
        news.release();
        soon().until(() -> journal.ended("A").size() == FILES - 1);
        a.assertSilent("orders");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRefusedFileDoesNotReachTheDeadLetterChannel(boolean handledByRoute) throws Exception {
        Feeder.drop(directory, 0, FILES);
        SlowLock lock = new SlowLock();
        Node a = cluster.node("A");
        a.context.getRegistry().bind("lock", lock);
        a.blockEventsAfter(LeaseEvent.Granted.class, news);
        a.routes(routes -> {
            routes.errorHandler(
                    routes.deadLetterChannel("mock:dead").maximumRedeliveries(2).redeliveryDelay(10));
            if (handledByRoute) {
                routes.onException(Exception.class).handled(true).to("mock:dead");
            }
            routes.from("file:" + directory + "?initialDelay=0&delay=20&delete=true&exclusiveReadLockStrategy=#lock")
                    .routeId("orders")
                    .routePolicyRef("lease")
                    .process(journal.note("A"));
        });
        MockEndpoint dead = a.context.getEndpoint("mock:dead", MockEndpoint.class);
        a.start();
        soon().until(() -> lock.brake.holding() == 1);

        loseUnheard(a);
        lock.brake.release();
        soon().until(() -> a.refused.get() == 1);
        news.release();
        soon().until(() -> journal.ended("A").size() == FILES);

        assertThat(dead.getReceivedCounter()).isZero();
        journal.assertEachOnce(FILES);
        assertThat(directory.toFile().list()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"delete=true", "delete=true&preMove=work"})
    void anotherNodeDoesWhatWasNotBegun(String options) throws Exception {
        Feeder.drop(directory, 0, FILES);
        Node a = deafNode(options).start();
        soon().until(() -> work.holding() == 1);
        cluster.node("B").files("orders", directory, options, () -> {}).start();

        loseUnheard(a);
        work.release();
        a.store.standing(Fault.lostRequest());
        soon().until(() -> journal.ended().size() == FILES);

        assertThat(journal.ended("A")).hasSize(1);
        journal.assertOneAfterTheOther("A", "B");
        journal.assertEachOnce(FILES);
    }

    /** Makes the consumer wait for one of its files, so that the lease can be lost between the list and the exchange. */
    static final class SlowLock implements GenericFileExclusiveReadLockStrategy<File> {

        static final int SLOW = 3;

        final Brake brake = new Brake();
        private final AtomicInteger acquired = new AtomicInteger();
        private volatile String slow = "";

        @Override
        public boolean acquireExclusiveReadLock(
                GenericFileOperations<File> operations, GenericFile<File> file, Exchange exchange) {
            if (acquired.incrementAndGet() == SLOW) {
                slow = file.getAbsoluteFilePath();
                brake.run();
            }
            return true;
        }

        @Override
        public void prepareOnStartup(GenericFileOperations<File> operations, GenericFileEndpoint<File> endpoint) {}

        @Override
        public void releaseExclusiveReadLockOnAbort(
                GenericFileOperations<File> operations, GenericFile<File> file, Exchange exchange) {}

        @Override
        public void releaseExclusiveReadLockOnRollback(
                GenericFileOperations<File> operations, GenericFile<File> file, Exchange exchange) {}

        @Override
        public void releaseExclusiveReadLockOnCommit(
                GenericFileOperations<File> operations, GenericFile<File> file, Exchange exchange) {}

        @Override
        public void setTimeout(long timeout) {}

        @Override
        public void setCheckInterval(long checkInterval) {}

        @Override
        public void setReadLockLoggingLevel(org.apache.camel.LoggingLevel readLockLoggingLevel) {}

        @Override
        public void setMarkerFiler(boolean markerFile) {}

        @Override
        public void setDeleteOrphanLockFiles(boolean deleteOrphanLockFiles) {}
    }
}
