/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.camellease.core.LeaseStoreOptions;
import io.camellease.core.LeaseStoreProvider;
import io.camellease.core.LeaseStores;
import java.io.File;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The modules as they are packed: by themselves, on a module path, and into one jar with others. */
class PackagingTest {

    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final String SERVICES = "META-INF/services/";
    private static final Pattern SERVICE_FILE = Pattern.compile("`(META-INF/services/[^`*]+)`");

    /** What can be depended on: the directory of the module and the name of its jar as a Java module. */
    private static final Map<String, String> MODULES = Map.of(
            "camel-lease-core", "io.camellease.core",
            "camel-lease-testkit", "io.camellease.testkit",
            "camel-lease-stores/mongodb", "io.camellease.mongodb",
            "camel-lease-route-policy", "io.camellease.policy",
            "camel-lease-component", "io.camellease.component",
            "camel-lease-quartz", "io.camellease.quartz");

    /** Empty if this build has not come to packing them. */
    private static List<Path> jars() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::isRegularFile)
                .filter(path -> path.getFileName()
                        .toString()
                        .matches("camel-lease-(core|testkit|mongodb|route-policy|component|quartz)-[0-9].*\\.jar"))
                .toList();
    }

    @Test
    void c112_everyJarIsAModuleWithANameOfItsOwnAndNoPackageIsSplit() {
        List<Path> jars = jars();
        Assumptions.assumeTrue(jars.size() == MODULES.size(), "the modules are not packed yet; verify does that");
        ModuleFinder finder = ModuleFinder.of(jars.toArray(Path[]::new));

        Set<ModuleDescriptor> modules =
                finder.findAll().stream().map(ModuleReference::descriptor).collect(Collectors.toSet());

        assertThat(modules).extracting(ModuleDescriptor::name).containsExactlyInAnyOrderElementsOf(MODULES.values());
        assertThat(modules.stream().flatMap(module -> module.packages().stream()))
                .doesNotHaveDuplicates();
        assertThat(modules).allSatisfy(module -> assertThat(module.packages())
                .allMatch(name -> name.equals(module.name()) || name.startsWith(module.name() + ".")));
        Configuration together =
                ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), Set.copyOf(MODULES.values()));
        assertThat(together.modules()).hasSize(MODULES.size());
    }

    private static Set<String> shippedServiceFiles() throws IOException {
        Set<String> all = new TreeSet<>();
        for (String module : MODULES.keySet()) {
            for (String resources : List.of("src/main/resources", "src/generated/resources")) {
                Path root = PROJECT.resolve(module).resolve(resources);
                if (Files.isDirectory(root.resolve(SERVICES))) {
                    try (Stream<Path> files = Files.walk(root.resolve(SERVICES))) {
                        files.filter(Files::isRegularFile)
                                .map(file -> root.relativize(file).toString().replace(File.separatorChar, '/'))
                                .forEach(all::add);
                    }
                }
            }
        }
        return all;
    }

    @Test
    void c112_thePageNamesEveryServiceFileThatAPackagerMustKeep() throws IOException {
        String page = Files.readString(PROJECT.resolve("docs/packaging.md"));
        Set<String> named = SERVICE_FILE
                .matcher(page)
                .results()
                .map(MatchResult::group)
                .map(text -> text.replace("`", ""))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(named).isEqualTo(shippedServiceFiles());
    }

    @Test
    void c112_classesAreLookedUpByNameOnlyWhereThePageSaysSo() throws IOException {
        Pattern byName = Pattern.compile("Class\\.forName|resolveClass|getDeclared|getMethods?\\(|setAccessible"
                + "|newInstance|newProxyInstance|MethodHandles|ObjectInputStream");
        Set<String> lookUp = new TreeSet<>();
        for (String module : MODULES.keySet()) {
            try (Stream<Path> files = Files.walk(PROJECT.resolve(module).resolve("src/main/java"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    if (byName.matcher(Files.readString(file)).find()) {
                        lookUp.add(file.getFileName().toString().replace(".java", ""));
                    }
                }
            }
        }

        assertThat(lookUp)
                .containsExactly(
                        "Exhibition", "KameletSources", "NodeNote", "QueuedWork", "RefusedFile", "SpringPropertyNames");
        String page = Files.readString(PROJECT.resolve("docs/packaging.md"));
        assertThat(page).contains(lookUp.stream().map(name -> "`" + name + "`").toList());
    }

    /** A class path on which some service files are missing, as in a jar whose packager kept only one of several. */
    private static final class Repacked extends ClassLoader {
        private final Predicate<URL> kept;

        private Repacked(Predicate<URL> kept) {
            super(PackagingTest.class.getClassLoader());
            this.kept = kept;
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            List<URL> all = Collections.list(super.getResources(name));
            boolean isService = name.equals(SERVICES + LeaseStoreProvider.class.getName());
            return Collections.enumeration(isService ? all.stream().filter(kept).toList() : all);
        }
    }

    private static LeaseStoreOptions mongodb() {
        return new LeaseStoreOptions(
                "mongodb://localhost/leases", Duration.ofSeconds(1), Optional.empty(), Optional.empty(), Map.of());
    }

    @Test
    void c112_aMissingServiceFileIsNamedWithWhatToDo() {
        LeaseStores.forUri(mongodb(), new Repacked(file -> true));

        assertThatThrownBy(() -> LeaseStores.forUri(mongodb(), new Repacked(file -> false)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "scheme 'mongodb'",
                        "camel-lease-mongodb",
                        "No store module was found",
                        "must merge META-INF/services/io.camellease.core.LeaseStoreProvider");
    }

    @Test
    void c112_aServiceFileThatWasOverwrittenIsNamedWithWhatToDo() {
        assertThatThrownBy(() -> LeaseStores.forUri(
                        mongodb(), new Repacked(file -> file.toString().contains("testkit"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "Found: camel-lease-testkit",
                        "must merge META-INF/services/io.camellease.core.LeaseStoreProvider");
    }
}
