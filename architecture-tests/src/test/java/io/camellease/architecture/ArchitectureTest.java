/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;

/** The edges between modules, the doors to time, and the names of public types. */
@AnalyzeClasses(packages = "io.camellease", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String CORE = "io.camellease.core..";
    private static final String TESTKIT = "io.camellease.testkit..";
    private static final String MONGODB = "io.camellease.mongodb..";
    private static final String POLICY = "io.camellease.policy..";
    private static final String QUARTZ = "io.camellease.quartz..";
    private static final String QUARTZ_CAMEL = "io.camellease.quartz.camel..";
    private static final String COMPONENT = "io.camellease.component..";
    private static final String EXAMPLES = "io.camellease.examples..";
    private static final String CAMEL = "org.apache.camel..";

    private static final Set<String> DOORS = Set.of(
            "java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis",
            "java.lang.Thread.sleep",
            "java.util.concurrent.TimeUnit.sleep",
            "java.util.concurrent.CompletableFuture.delayedExecutor",
            "java.util.concurrent.Executors.newScheduledThreadPool",
            "java.util.concurrent.Executors.newSingleThreadScheduledExecutor",
            "java.util.concurrent.ScheduledThreadPoolExecutor.<init>",
            "java.util.Timer.<init>",
            "java.util.Date.<init>");

    /** Without this a module that is missing on the class path would keep every rule about it. */
    @ArchTest
    static void everyModuleIsThere(JavaClasses imported) {
        for (String module : List.of(CORE, TESTKIT, MONGODB, POLICY, QUARTZ, QUARTZ_CAMEL, COMPONENT, EXAMPLES)) {
            if (imported.that(resideInAPackage(module)).stream()
                    .allMatch(type -> type.getSimpleName().equals("package-info"))) {
                throw new AssertionError("no class of " + module + " was imported, so no rule about it was checked");
            }
        }
    }

    @ArchTest
    static final ArchRule coreStandsAlone = classes()
            .that()
            .resideInAPackage(CORE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(CORE, "java..", "org.slf4j..", "org.jspecify..")
            .because("the core is used without Camel and without any driver");

    @ArchTest
    static final ArchRule testkitKnowsOnlyCore = classes()
            .that()
            .resideInAPackage(TESTKIT)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    TESTKIT, CORE, "java..", "org.slf4j..", "org.jspecify..", "org.junit.jupiter..", "org.assertj..")
            .because("whoever writes a store tests it with the testkit and takes on nothing else");

    @ArchTest
    static final ArchRule mongodbKnowsOnlyCore = noClasses()
            .that()
            .resideInAPackage(MONGODB)
            .should()
            .dependOnClassesThat(resideInAPackage(CAMEL).or(ours().and(not(resideInAnyPackage(CORE, MONGODB)))))
            .because("a store serves any user of the core, with Camel or without");

    @ArchTest
    static final ArchRule policyKnowsOnlyCore = noClasses()
            .that()
            .resideInAPackage(POLICY)
            .should()
            .dependOnClassesThat(ours().and(not(resideInAnyPackage(CORE, POLICY))))
            .because("the policy works with every store, so it may know none");

    @ArchTest
    static final ArchRule quartzJobsNeedNoCamel = noClasses()
            .that()
            .resideInAPackage(QUARTZ)
            .and()
            .resideOutsideOfPackage(QUARTZ_CAMEL)
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage(CAMEL, QUARTZ_CAMEL).or(ours().and(not(resideInAnyPackage(CORE, QUARTZ)))))
            .because("jobs of a plain scheduler run without Camel on the class path");

    @ArchTest
    static final ArchRule quartzRoutesKnowOnlyThePolicy = noClasses()
            .that()
            .resideInAPackage(QUARTZ_CAMEL)
            .should()
            .dependOnClassesThat(ours().and(not(resideInAnyPackage(CORE, POLICY, QUARTZ))))
            .because("scheduled routes work with every store, so they may know none");

    @ArchTest
    static final ArchRule componentKnowsOnlyCoreAndPolicy = noClasses()
            .that()
            .resideInAPackage(COMPONENT)
            .should()
            .dependOnClassesThat(ours().and(not(resideInAnyPackage(CORE, POLICY, COMPONENT))))
            .because("the component works with every store, so it may know none");

    @ArchTest
    static final ArchRule nobodyKnowsTheExamples = noClasses()
            .that()
            .resideOutsideOfPackage(EXAMPLES)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(EXAMPLES)
            .because("examples show the library and are no part of it");

    @ArchTest
    static final ArchRule timeHasTwoDoors = classes()
            .that()
            .resideOutsideOfPackage(EXAMPLES)
            .and()
            .haveNameNotMatching("io\\.camellease\\.core\\.(Ticker|LeaseTimer).*")
            .should(notReadAClockOrWait())
            .because("time comes in through Ticker and LeaseTimer alone, so that tests can drive it");

    @ArchTest
    static final ArchRule namesSayWhatATypeIs = noClasses()
            .that()
            .arePublic()
            .should()
            .haveNameMatching(".*(Impl|Manager|Helper|Utils?)")
            .because("these endings say nothing about what the type is");

    private static DescribedPredicate<JavaClass> ours() {
        return resideInAPackage("io.camellease..");
    }

    private static ArchCondition<JavaClass> notReadAClockOrWait() {
        return new ArchCondition<>("not read a clock, wait or start a timer") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getCodeUnitAccessesFromSelf().stream()
                        .filter(access -> isDoorToTime(access.getTarget()))
                        .forEach(access -> events.add(SimpleConditionEvent.violated(type, access.getDescription())));
            }
        };
    }

    private static boolean isDoorToTime(CodeUnitAccessTarget target) {
        String owner = target.getOwner().getName();
        String name = target.getName();
        return DOORS.contains(owner + "." + name)
                || (owner.startsWith("java.time.") && name.equals("now"))
                || (owner.equals("java.time.Clock") && (name.startsWith("system") || name.startsWith("tick")));
    }
}
