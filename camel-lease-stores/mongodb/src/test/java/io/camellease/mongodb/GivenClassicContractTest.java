/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

class GivenClassicContractTest extends MongoContract {

    @Override
    Engine engine() {
        return Engine.given().in(new ClassicDialect());
    }
}
