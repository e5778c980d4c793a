/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.kubernetes;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The manifests, checked by the schemas of Kubernetes. Stateless. */
final class Manifests {

    private static final Path DIRECTORY = Path.of("manifests");

    private Manifests() {}

    static String text(String file) throws IOException {
        return Files.readString(DIRECTORY.resolve(file));
    }

    static V1Deployment deployment() throws IOException {
        return (V1Deployment) parse(text("deployment.yaml"));
    }

    static V1PodDisruptionBudget disruptionBudget() throws IOException {
        return (V1PodDisruptionBudget) parse(text("poddisruptionbudget.yaml"));
    }

    static V1Secret secret() throws IOException {
        return (V1Secret) parse(text("secret.yaml"));
    }

    /**
     * Reads one manifest.
     *
     * @throws RuntimeException if it has a field that its kind does not know, lacks one that it needs, or has one of a wrong type
     */
    static Object parse(String yaml) throws IOException {
        LoaderOptions strict = new LoaderOptions();
        strict.setAllowDuplicateKeys(false);
        JsonElement json = new Gson().toJsonTree(new Yaml(new SafeConstructor(strict)).load(yaml));
        JsonObject object = json.getAsJsonObject();
        String kind = object.get("apiVersion").getAsString() + " "
                + object.get("kind").getAsString();
        Object model =
                switch (kind) {
                    case "apps/v1 Deployment" -> {
                        V1Deployment.validateJsonElement(json);
                        yield JSON.getGson().fromJson(json, V1Deployment.class);
                    }
                    case "policy/v1 PodDisruptionBudget" -> {
                        V1PodDisruptionBudget.validateJsonElement(json);
                        yield JSON.getGson().fromJson(json, V1PodDisruptionBudget.class);
                    }
                    case "v1 Secret" -> {
                        V1Secret.validateJsonElement(json);
                        yield JSON.getGson().fromJson(json, V1Secret.class);
                    }
                    default -> throw new IllegalArgumentException("no manifest of this example is a " + kind);
                };
        requireKept(json, JSON.getGson().toJsonTree(model), kind);
        return model;
    }

    /** A text where a number or a boolean belongs is read as one, and not written as a text again. */
    private static void requireKept(JsonElement read, JsonElement written, String where) {
        if (read.isJsonObject() && written.isJsonObject()) {
            read.getAsJsonObject().entrySet().forEach(entry -> {
                JsonElement kept = written.getAsJsonObject().get(entry.getKey());
                requireKept(entry.getValue(), kept == null ? JsonNull.INSTANCE : kept, where + "." + entry.getKey());
            });
        } else if (read.isJsonArray()
                && written.isJsonArray()
                && read.getAsJsonArray().size() == written.getAsJsonArray().size()) {
            for (int i = 0; i < read.getAsJsonArray().size(); i++) {
                requireKept(
                        read.getAsJsonArray().get(i), written.getAsJsonArray().get(i), where + "[" + i + "]");
            }
        } else if (!read.equals(written)) {
            throw new IllegalArgumentException(where + " has the wrong type: " + read + " is understood as " + written);
        }
    }
}
