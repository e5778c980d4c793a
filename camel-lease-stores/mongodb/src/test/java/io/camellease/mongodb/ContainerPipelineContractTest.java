package io.camellease.mongodb;

class ContainerPipelineContractTest extends MongoContract {

    @Override
    Engine engine() {
        return Engine.container().in(new PipelineDialect());
    }
}
