/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import org.apache.camel.Endpoint;
import org.apache.camel.spi.BeanIntrospection;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ScheduledPollConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a poll fail that did not get to see its source. By default Camel takes a server that lets nobody in for one that has no
 * files. Told by the names of options, so that no component has to be on the class path.
 */
final class PollSight {

    private static final Logger LOG = LoggerFactory.getLogger(PollSight.class);

    /** Of FTP, SFTP, SMB and Azure Files. */
    private static final String FAILS_ON_CONNECT = "throwExceptionOnConnectFailed";

    private PollSight() {}

    /** Lets the polls of a consumer fail from now on if they cannot connect or log in. */
    static void failOnConnect(ScheduledPollConsumer consumer) {
        Endpoint endpoint = consumer.getEndpoint();
        BeanIntrospection beans = PluginHelper.getBeanIntrospection(endpoint.getCamelContext());
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
}
