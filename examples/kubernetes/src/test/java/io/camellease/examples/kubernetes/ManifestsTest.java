/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.camellease.core.DurationText;
import io.camellease.core.LeaseSettings;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1SecretKeySelector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The manifests are what Kubernetes understands, and fit each other and the leases. */
class ManifestsTest {

    /** That of MongoDB, as the Deployment sets none. */
    private static final Duration DEFAULT_TTL = Duration.ofSeconds(30);

    private static V1PodSpec pod(V1Deployment deployment) {
        V1DeploymentSpec spec = Objects.requireNonNull(deployment.getSpec());
        return Objects.requireNonNull(spec.getTemplate().getSpec());
    }

    private static V1Container container(V1Deployment deployment) {
        return pod(deployment).getContainers().get(0);
    }

    private static V1EnvVar variable(String name) throws IOException {
        return Objects.requireNonNull(container(Manifests.deployment()).getEnv()).stream()
                .filter(variable -> variable.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Duration duration(String name) throws IOException {
        return DurationText.parse(name, variable(name).getValue());
    }

    @Test
    void everyManifestKeepsToItsSchema() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("manifests"))) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(3);
            for (Path file : all) {
                assertThat(Manifests.parse(Files.readString(file)))
                        .as(file.toString())
                        .isNotNull();
            }
        }
    }

    /** The check itself would notice. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "deployment.yaml          | replicas: 2                          | replica: 2",
                "deployment.yaml          | replicas: 2                          | replicas: two",
                "deployment.yaml          | terminationGracePeriodSeconds: 60    | terminationGracePeriod: 60",
                "deployment.yaml          | periodSeconds: 5                     | periodSeconds: often",
                "deployment.yaml          | readinessProbe:                      | readynessProbe:",
                "deployment.yaml          | secretKeyRef:                        | secretRef:",
                "deployment.yaml          | runAsNonRoot: true                   | runAsNonRoot: yes please",
                "deployment.yaml          | containers:                          | container:",
                "deployment.yaml          | maxSurge: 1                          | maxSurges: 1",
                "deployment.yaml          | apiVersion: apps/v1                  | apiVersion: apps/v1beta1",
                "poddisruptionbudget.yaml | maxUnavailable: 1                    | maxUnavailables: 1",
                "poddisruptionbudget.yaml | matchLabels:                         | matchLabel:",
                "secret.yaml              | stringData:                          | stringdata:"
            })
    void aMisspeltFieldOrAWrongTypeIsRefused(String file, String right, String wrong) throws IOException {
        String yaml = Manifests.text(file);
        assertThat(yaml).contains(right);

        assertThatThrownBy(() -> Manifests.parse(yaml.replace(right, wrong))).isInstanceOf(RuntimeException.class);
    }

    @Test
    void aPodHasTheTimeToGiveItsLeasesBack() throws IOException {
        Duration shutdown = Duration.ofSeconds(Long.parseLong(
                Objects.requireNonNull(variable("CAMEL_MAIN_SHUTDOWNTIMEOUT").getValue())));
        Duration drain = duration("CAMEL_LEASE_DRAINTIMEOUT");
        Duration call = LeaseSettings.of(DEFAULT_TTL).storeTimeout();
        long grace = Objects.requireNonNull(pod(Manifests.deployment()).getTerminationGracePeriodSeconds());

        assertThat(drain).isGreaterThan(shutdown);
        assertThat(Duration.ofSeconds(grace)).isGreaterThan(drain.plus(call.multipliedBy(2)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"CAMEL_LEASE_STORE", "CAMEL_LEASE_USERNAME", "CAMEL_LEASE_PASSWORD"})
    void theStoreComesFromTheSecretAndIsNowhereElse(String name) throws IOException {
        V1EnvVar store = variable(name);
        V1SecretKeySelector key = Objects.requireNonNull(
                Objects.requireNonNull(store.getValueFrom()).getSecretKeyRef());

        assertThat(store.getValue()).isNull();
        assertThat(key.getName())
                .isEqualTo(
                        Objects.requireNonNull(Manifests.secret().getMetadata()).getName());
        assertThat(Manifests.secret().getStringData()).containsKey(key.getKey());
        assertThat(Manifests.text("deployment.yaml")).doesNotContain("mongodb://");
        assertThat(Manifests.text("secret.yaml")).doesNotContainPattern("://[^/]*@");
    }

    @Test
    void oneOfTwoIsAlwaysThereToTakeOver() throws IOException {
        V1DeploymentSpec spec = Objects.requireNonNull(Manifests.deployment().getSpec());
        var rolling = Objects.requireNonNull(
                Objects.requireNonNull(spec.getStrategy()).getRollingUpdate());
        var budget = Objects.requireNonNull(Manifests.disruptionBudget().getSpec());

        assertThat(spec.getReplicas()).isEqualTo(2);
        assertThat(Objects.requireNonNull(rolling.getMaxUnavailable()).getIntValue())
                .isZero();
        assertThat(Objects.requireNonNull(rolling.getMaxSurge()).getIntValue()).isEqualTo(1);
        assertThat(Objects.requireNonNull(budget.getMaxUnavailable()).getIntValue())
                .isEqualTo(1);
        assertThat(Objects.requireNonNull(budget.getSelector()).getMatchLabels())
                .isEqualTo(spec.getSelector().getMatchLabels())
                .isEqualTo(
                        Objects.requireNonNull(spec.getTemplate().getMetadata()).getLabels());
    }

    @Test
    void aPodHasNoMoreRightsThanItNeeds() throws IOException {
        var pod = Objects.requireNonNull(pod(Manifests.deployment()).getSecurityContext());
        var container = Objects.requireNonNull(container(Manifests.deployment()).getSecurityContext());

        assertThat(pod.getRunAsNonRoot()).isTrue();
        assertThat(container.getAllowPrivilegeEscalation()).isFalse();
        assertThat(container.getReadOnlyRootFilesystem()).isTrue();
        assertThat(Objects.requireNonNull(container.getCapabilities()).getDrop())
                .containsExactly("ALL");
    }
}
