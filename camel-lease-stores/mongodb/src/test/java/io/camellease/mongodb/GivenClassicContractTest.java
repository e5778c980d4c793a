/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(value = Engine.REAL, mode = ResourceAccessMode.READ)
class GivenClassicContractTest extends MongoContract {

    @Override
    Engine engine() {
        return Engine.given().in(new ClassicDialect());
    }
}
