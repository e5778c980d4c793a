/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

class ContainerClassicContractTest extends MongoContract {

    @Override
    Engine engine() {
        return Engine.container().in(new ClassicDialect());
    }
}
