package io.camellease.mongodb;

class GivenPipelineContractTest extends MongoContract {

    @Override
    Engine engine() {
        return Engine.given().in(new PipelineDialect());
    }
}
