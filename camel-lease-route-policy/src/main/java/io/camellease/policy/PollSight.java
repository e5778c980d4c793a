/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.BeanIntrospection;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ScheduledPollConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a poll fail that does not get to see its source. By default Camel takes a server that lets nobody in, and a directory that
 * cannot be read, for ones that are empty. Told by the names of options, so that no component has to be on the class path.
 * Immutable.
 */
final class PollSight {

    private static final Logger LOG = LoggerFactory.getLogger(PollSight.class);

    /** Of FTP, SFTP, SMB and Azure Files. */
    private static final String FAILS_ON_CONNECT = "throwExceptionOnConnectFailed";

    private final @Nullable Path directory;

    private PollSight(@Nullable Path directory) {
        this.directory = directory;
    }

    /** The sight of a consumer, whose polls fail from now on if they cannot connect or log in. */
    static PollSight of(ScheduledPollConsumer consumer) {
        Endpoint endpoint = consumer.getEndpoint();
        BeanIntrospection beans = PluginHelper.getBeanIntrospection(endpoint.getCamelContext());
        failOnConnect(endpoint, beans);
        boolean isLocal = ConsumerKind.isLocalFile(consumer);
        Object file = isLocal ? beans.getOrElseProperty(endpoint, "file", endpoint, false) : endpoint;
        return new PollSight(file instanceof File directory ? directory.toPath() : null);
    }

    private static void failOnConnect(Endpoint endpoint, BeanIntrospection beans) {
        Object configuration = beans.getOrElseProperty(endpoint, "configuration", endpoint, false);
        if (Boolean.FALSE.equals(beans.getOrElseProperty(configuration, FAILS_ON_CONNECT, true, false))) {
            try {
                beans.setProperty(endpoint.getCamelContext(), configuration, FAILS_ON_CONNECT, true);
            } catch (Exception refused) {
                LOG.warn(
                        "{} could not be set: a server that lets nobody in will look empty", FAILS_ON_CONNECT, refused);
            }
        }
    }

    /**
     * Looks at the source before a poll, as far as that costs next to nothing.
     *
     * @throws UncheckedIOException if there is a local directory, or something else in its place, that cannot be read
     */
    void look() {
        if (directory == null) {
            return;
        }
        try (DirectoryStream<Path> opened = Files.newDirectoryStream(directory)) {
            LOG.trace("Directory '{}' can be read: {}", directory, opened);
        } catch (NoSuchFileException absent) {
            LOG.trace("Whether it has to be there is for Camel to say", absent);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("directory '" + directory + "' cannot be read", unreadable);
        }
    }
}
