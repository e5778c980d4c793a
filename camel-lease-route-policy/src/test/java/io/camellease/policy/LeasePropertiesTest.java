/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which environment variables nobody wrote. */
class LeasePropertiesTest {

    /** Of a service that is called camel-lease-api. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CAMEL_LEASE_API_SERVICE_HOST",
                "CAMEL_LEASE_API_SERVICE_PORT",
                "CAMEL_LEASE_API_SERVICE_PORT_HTTP",
                "CAMEL_LEASE_API_PORT",
                "CAMEL_LEASE_API_PORT_8080_TCP",
                "CAMEL_LEASE_API_PORT_8080_TCP_ADDR"
            })
    void whatKubernetesSetsForAServiceIsNoMisspeltOption(String name) {
        assertThat(name).matches(LeaseProperties.OF_A_SERVICE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CAMEL_LEASE_STOER", "CAMEL_LEASE_SERVICE", "CAMEL_LEASE_PORTS", "CAMEL_LEASE_STORE_HOST"})
    void allElseIs(String name) {
        assertThat(name).doesNotMatch(LeaseProperties.OF_A_SERVICE);
    }
}
