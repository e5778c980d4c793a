package io.camellease.mongodb;

class GivenClassicContractTest extends MongoContract {

    @Override
    Engine engine() {
        return Engine.given().in(new ClassicDialect());
    }
}
