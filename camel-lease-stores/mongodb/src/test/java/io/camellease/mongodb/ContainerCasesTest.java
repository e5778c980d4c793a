/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

class ContainerCasesTest extends MongoCases {

    @Override
    Engine engine() {
        return Engine.container();
    }
}
