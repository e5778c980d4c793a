package io.camellease.mongodb;

class InProcessContractTest extends MongoContract {

    @Override
    Engine engine() {
        return Engine.inProcess();
    }
}
