/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

class InProcessContractTest extends MongoContract {

    @Override
    Engine engine() {
        return Engine.inProcess();
    }
}
