package io.camellease.mongodb;

class ContainerClassicContractTest extends MongoContract {

    @Override
    Engine engine() {
        return Engine.container().in(new ClassicDialect());
    }
}
