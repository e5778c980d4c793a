/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.camellease.core.LeaseName;
import io.camellease.policy.LeaseConstants;
import io.camellease.policy.LeaseRoutePolicy;
import io.camellease.policy.LeaseService;
import io.camellease.testkit.InMemoryLeaseStore;
import io.camellease.testkit.MemoryLeaseStoreProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases configured by {@code camel.lease.*} alone, on camel-main. */
class CamelMainTest {

    private final BlockingQueue<Exchange> exchanges = new LinkedBlockingQueue<>();
    private final Main main = new Main();

    CamelMainTest() {
        main.configure().setName("shop");
        property("store", "memory:main");
        property("ttl", "2s");
        MemoryLeaseStoreProvider.reset();
    }

    @AfterEach
    void stop() {
        main.stop();
    }

    private void property(String option, String value) {
        main.addOverrideProperty("camel.lease." + option, value);
    }

    private void start(String policyRef) {
        main.configure().addRoutesBuilder(new RouteBuilder() {
            @Override
            public void configure() {
                var route =
                        from("timer:orders?period=50&delay=0").routeId("orders").routeGroup("feeds");
                if (!policyRef.isEmpty()) {
                    route.routePolicyRef(policyRef);
                }
                route.process(exchanges::add);
            }
        });
        main.start();
    }

    private Exchange next() throws InterruptedException {
        return exchanges.poll(5, TimeUnit.SECONDS);
    }

    @Test
    void oneAttributeAndOnePropertyLeaseARoute() throws Exception {
        start("lease");

        assertThat(next().getIn().getHeader(LeaseConstants.LEASE_NAME)).isEqualTo("shop/orders");
    }

    @ParameterizedTest
    @CsvSource({"orders", "ord*", "group:feeds", "'none*, ord.*'"})
    void routesAreLeasedByPattern(String pattern) throws Exception {
        if (pattern.startsWith("none")) {
            property("routes", pattern.replace("none*, ", ""));
        } else {
            property("routes", pattern);
        }

        start("");

        assertThat(next().getProperty(LeaseConstants.LEASE_TOKEN, Long.class)).isPositive();
    }

    @Test
    void aPatternWithoutARouteRefusesTheStart() {
        property("routes", "ordres");

        assertThatThrownBy(() -> start("")).rootCause().hasMessageContaining("no route matches ordres");
    }

    @ParameterizedTest
    @CsvSource({"routes", "ttl", "store", "password", "enabled"})
    void c37_aPlaceholderThatNothingDefinesRefusesTheStart(String option) {
        property("username", "orders");
        property("password", "secret");
        property(option, "secret{{env:CAMEL_LEASE_NOWHERE}}");

        assertThatThrownBy(() -> start(option.equals("routes") ? "" : "lease"))
                .rootCause()
                .hasMessageContaining("camel.lease." + option)
                .hasMessageContaining("{{env:CAMEL_LEASE_NOWHERE}}")
                .hasMessageContaining("no such property or variable")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @CsvSource({"database", "clockBand", "clock-band"})
    void c37_aPlaceholderInASystemPropertyThatNothingDefinesRefusesTheStart(String option) {
        property("database", "of_the_file");
        String name = "camel.lease." + option;
        System.setProperty(name, "secret{{env:CAMEL_LEASE_NOWHERE}}");
        try {
            assertThatThrownBy(() -> start("lease"))
                    .rootCause()
                    .hasMessageContaining(name + " contains {{env:CAMEL_LEASE_NOWHERE}}, and there is no such property")
                    .hasMessageNotContaining("secret");
        } finally {
            System.clearProperty(name);
        }
    }

    @Test
    void aUserNameWithoutAPasswordRefusesTheStart() {
        property("username", "orders");

        assertThatThrownBy(() -> start("lease"))
                .rootCause()
                .hasMessageContaining("camel.lease.username and camel.lease.password belong together")
                .hasMessageContaining("camel.lease.password is not set");
    }

    @Test
    void allThatIsWrongIsToldAtOnceWithWhatIsMisspelt() {
        property("tll", "3s");
        property("ttl", "soon");
        property("renew-interval", "40s");
        property("max-leases", "none");
        property("missed-fires", "twice");
        property("recover-in-flight", "maybe");

        assertThatThrownBy(() -> start("lease"))
                .rootCause()
                .hasMessageContaining("unknown lease option camel.lease.tll")
                .hasMessageContaining("camel.lease.ttl='soon'")
                .hasMessageContaining("camel.lease.maxLeases='none'")
                .hasMessageContaining("camel.lease.missedFires='twice' must be once, all or skip")
                .hasMessageContaining("camel.lease.recoverInFlight='maybe' must be true or false")
                .hasMessageNotContaining("must be less than ttl");
    }

    /** Although nothing in this application is scheduled. */
    @Test
    void aWrongOptionOfScheduledRoutesRefusesTheStart() {
        property("missed-fires", "twice");

        assertThatThrownBy(() -> start("lease")).rootCause().hasMessageContaining("camel.lease.missedFires='twice'");
    }

    @Test
    void anUnknownOptionRefusesTheStart() {
        property("tll", "3s");

        assertThatThrownBy(() -> start("lease"))
                .rootCause()
                .hasMessageContaining("unknown lease option camel.lease.tll")
                .hasMessageContaining("camel.lease.ttl");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "camel.lease.Routes",
                "camel.lease.ROUTES",
                "camel.Lease.routes",
                "camel.leases.routes",
                "camel-lease.routes",
                "camellease.routes"
            })
    void aMisspeltOptionRefusesTheStartHoweverItIsMisspelt(String name) {
        main.addOverrideProperty(name, "orders");

        assertThatThrownBy(() -> start("")).rootCause().hasMessageContaining("unknown lease option " + name);
    }

    @Test
    void routesWithoutAPatternRefuseTheStart() {
        property("routes", ",");

        assertThatThrownBy(() -> start(""))
                .rootCause()
                .hasMessageContaining("camel.lease.routes is set, but names no route");
    }

    @Test
    void aDashedOptionIsTheSameOption() throws Exception {
        property("renew-interval", "300ms");

        start("lease");

        assertThat(next()).isNotNull();
        LeaseService leases = main.getCamelContext().hasService(LeaseService.class);
        assertThat(leases.settings()).hasValueSatisfying(settings -> assertThat(settings.renewInterval())
                .isEqualTo(Duration.ofMillis(300)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "many", "1.5", "", "1000000000"})
    void aLimitOfLeasesThatIsNoneRefusesTheStart(String maxLeases) {
        property("max-leases", maxLeases);

        assertThatThrownBy(() -> start("lease"))
                .rootCause()
                .hasMessageContaining(
                        "camel.lease.maxLeases='" + maxLeases + "' must be a whole number from 1 to 999999999: set")
                .hasMessageContaining("or remove it for no limit");
    }

    @Test
    void aPreferredNodeThatCannotBeOneIsToldWithTheOtherMistakes() {
        property("ttl", "30x");
        property("maxLeases", "none");
        LeaseRoutePolicy policy = new LeaseRoutePolicy();
        policy.setPreferredNode("x".repeat(151));
        main.bind("preferring", policy);

        assertThatThrownBy(() -> start("preferring"))
                .rootCause()
                .hasMessageContaining("camel.lease.ttl='30x'")
                .hasMessageContaining("camel.lease.maxLeases='none'")
                .hasMessageContaining("preferredNode='xxx")
                .hasMessageContaining("of route 'orders' must be what camel.lease.node of one node is, or be removed")
                .hasMessageContaining("must have 1 to 150 characters, has 151");
    }

    @Test
    void aShutdownTimeoutWithoutAnEndGivesTheLongestDrainThatMayBe() throws Exception {
        main.configure().setShutdownTimeout(Integer.MAX_VALUE);

        start("lease");

        assertThat(main.getCamelContext().isStarted()).isTrue();
    }

    @Test
    void allMistakesAreToldAtOnce() {
        property("store", "oracle:thin@host");
        property("ttl", "30x");
        property("renewInterval", "-1s");

        assertThatThrownBy(() -> start("lease"))
                .rootCause()
                .hasMessageContaining("camel.lease.store: no lease store for the scheme 'oracle'")
                .hasMessageContaining("camel.lease.ttl='30x'")
                .hasMessageContaining("camel.lease.renewInterval");
    }

    @ParameterizedTest
    @CsvSource({
        "0, ttl=0s must be at least 1s",
        "-1, ttl=-1ms must be at least 1s",
        "0s, ttl=0s must be at least 1s",
        "-PT5S, ttl=-5s must be at least 1s",
        "1ms, ttl=1ms must be at least 1s",
        "'', camel.lease.ttl='' is not a duration",
        "abc, camel.lease.ttl='abc' is not a duration",
        "1.5, camel.lease.ttl='1.5' is not a duration",
        "9999d, must be at most"
    })
    void c30_aTtlOutsideItsRangeRefusesTheStart(String ttl, String message) {
        property("ttl", ttl);

        assertThatThrownBy(() -> start("lease")).rootCause().hasMessageContaining(message);
    }

    @Test
    void whatIsOutOfRangeIsToldInTheWordsOfWhoeverWroteIt() {
        property("ttl", "30");

        assertThatThrownBy(() -> start("lease"))
                .hasStackTraceContaining("ttl=30ms must be at least 1s (set: camel.lease.ttl='30')");
    }

    @Test
    void badNamesAreToldTogetherWithAllOtherMistakes() {
        property("node", "a\tb");
        property("application", "x".repeat(201));
        property("ttl", "1ms");

        assertThatThrownBy(() -> start("lease"))
                .hasStackTraceContaining("camel.lease.node: node label")
                .hasStackTraceContaining("camel.lease.application: lease name")
                .hasStackTraceContaining("ttl=1ms must be at least 1s");
    }

    @Test
    void c33_contradictingIntervalsRefuseTheStartWithBothValues() {
        property("ttl", "3s");
        property("renewInterval", "3s");
        property("storeTimeout", "5s");

        assertThatThrownBy(() -> start("lease"))
                .rootCause()
                .hasMessageContaining("renewInterval=3s must be less than ttl=3s")
                .hasMessageContaining("storeTimeout=5s must be less than renewInterval=3s");
    }

    @Test
    void aMissingStoreRefusesTheStart() {
        main.addOverrideProperty("camel.lease.store", "");

        assertThatThrownBy(() -> start("lease")).rootCause().hasMessageContaining("camel.lease.store is not set");
    }

    @Test
    void aMistakeShowsEvenIfNoRouteIsLeased() {
        property("ttl", "abc");

        assertThatThrownBy(() -> start("")).rootCause().hasMessageContaining("camel.lease.ttl='abc'");
    }

    @Test
    void disabledRoutesRunWithoutALease() throws Exception {
        property("enabled", "false");
        main.addOverrideProperty("camel.lease.store", "");

        start("lease");

        assertThat(next().getIn().getHeader(LeaseConstants.LEASE_TOKEN)).isNull();
    }

    @Test
    void enabledIsTrueOrFalse() {
        property("enabled", "maybe");

        assertThatThrownBy(() -> start("lease")).rootCause().hasMessageContaining("camel.lease.enabled='maybe'");
    }

    @Test
    void anApplicationWithoutANameRefusesTheStart() {
        main.configure().setName(null);

        assertThatThrownBy(() -> start("lease")).rootCause().hasMessageContaining("camel.lease.application is not set");
    }

    @Test
    void anUnknownPolicyReferenceRefusesTheStart() {
        assertThatThrownBy(() -> start("leese")).rootCause().hasMessageContaining("leese");
    }

    @Test
    void aPolicyBeanIsMadeByProperties() throws Exception {
        main.addInitialProperty("camel.beans.orderLease", "#class:io.camellease.policy.LeaseRoutePolicy");
        main.addInitialProperty("camel.beans.orderLease.leaseName", "all orders");

        start("orderLease");

        assertThat(next().getIn().getHeader(LeaseConstants.LEASE_NAME)).isEqualTo("all orders");
    }

    @Test
    void aServiceBeanIsMadeByProperties() throws Exception {
        main.addOverrideProperty("camel.lease.store", "");
        main.addInitialProperty("camel.beans.leases", "#class:io.camellease.policy.LeaseService");
        main.addInitialProperty("camel.beans.leases.store", "memory:beans");
        main.addInitialProperty("camel.beans.leases.application", "beans");

        start("lease");

        assertThat(next().getIn().getHeader(LeaseConstants.LEASE_NAME)).isEqualTo("beans/orders");
    }

    @Test
    void aBadDurationOfABeanRefusesTheStart() {
        main.addInitialProperty("camel.beans.leases", "#class:io.camellease.policy.LeaseService");
        main.addInitialProperty("camel.beans.leases.claimInterval", "30x");

        assertThatThrownBy(() -> start("lease")).rootCause().hasMessageContaining("camel.lease.claimInterval='30x'");
    }

    // ---- a client of the application

    private final InMemoryLeaseStore mine = new InMemoryLeaseStore();

    private void assertLeasedIn(InMemoryLeaseStore store, String name) throws Exception {
        assertThat(next().getIn().getHeader(LeaseConstants.LEASE_NAME)).isEqualTo(name);
        assertThat(store.find(List.of(new LeaseName(name))).records()).isNotEmpty();
    }

    @Test
    void aPropertyNamesAClientBean() throws Exception {
        main.bind("mine", mine);
        property("store", "#bean:mine");

        start("lease");

        assertLeasedIn(mine, "shop/orders");
    }

    @Test
    void aServiceBeanOfPropertiesNamesAClientBean() throws Exception {
        main.bind("mine", mine);
        main.addOverrideProperty("camel.lease.store", "");
        main.addInitialProperty("camel.beans.leases", "#class:io.camellease.policy.LeaseService");
        main.addInitialProperty("camel.beans.leases.store", "#bean:mine");

        start("lease");

        assertLeasedIn(mine, "shop/orders");
    }

    @ParameterizedTest
    @CsvSource({"#bean:mine,true", "'{{where}}',false", "memory:yaml,false"})
    void aServiceBeanOfYamlNamesAClientBeanOrAUri(String store, boolean isMine, @TempDir Path directory)
            throws Exception {
        Path beans = Files.writeString(directory.resolve("leases.yaml"), """
                - beans:
                    - name: leases
                      type: io.camellease.policy.LeaseService
                      properties:
                        store: "STORE"
                """.replace("STORE", store));
        main.bind("mine", mine);
        main.addOverrideProperty("camel.lease.store", "");
        main.addInitialProperty("where", "memory:yaml");
        main.configure().withRoutesIncludePattern("file:" + beans);

        start("lease");

        assertLeasedIn(isMine ? mine : MemoryLeaseStoreProvider.named("yaml"), "shop/orders");
    }

    @Test
    void aMissingClientBeanRefusesTheStart() {
        property("store", "#bean:mongo");

        assertThatThrownBy(() -> start("lease")).rootCause().hasMessageContaining("there is no bean 'mongo'");
    }
}
