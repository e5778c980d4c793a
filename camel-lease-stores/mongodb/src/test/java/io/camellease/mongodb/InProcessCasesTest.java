/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

class InProcessCasesTest extends MongoCases {

    @Override
    Engine engine() {
        return Engine.inProcess();
    }
}
