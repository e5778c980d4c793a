/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.camel.spi.IdempotentRepository;
import org.apache.camel.support.service.ServiceSupport;

/** Keys that nodes share, in this process or not: one file each, whose creation is atomic. Thread-safe. */
final class DirectoryRepository extends ServiceSupport implements IdempotentRepository {

    private final Path directory;

    DirectoryRepository(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
    }

    private Path file(String key) {
        String name = key.substring(key.lastIndexOf('/') + 1);
        return directory.resolve(URLEncoder.encode(name, StandardCharsets.UTF_8));
    }

    @Override
    public boolean add(String key) {
        try {
            Files.createFile(file(key));
            return true;
        } catch (FileAlreadyExistsException taken) {
            return false;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public boolean contains(String key) {
        return Files.exists(file(key));
    }

    @Override
    public boolean remove(String key) {
        try {
            return Files.deleteIfExists(file(key));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public boolean confirm(String key) {
        return contains(key);
    }

    @Override
    public void clear() {
        keys().forEach(this::remove);
    }

    /** The file names that were added and not removed. */
    List<String> keys() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
