/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.quartz.JobKey;

/**
 * Which jobs are meant: patterns of {@code group.name}, in which {@code *} stands for any text.
 *
 * @param texts as they were written; at least one
 */
record JobPatterns(List<String> texts) {

    JobPatterns {
        texts = List.copyOf(texts);
        if (texts.isEmpty()) {
            throw new IllegalArgumentException("no job is named: give patterns of group.name, such as DEFAULT.report or"
                    + " billing.*, separated by commas");
        }
    }

    /**
     * Patterns that are separated by commas.
     *
     * @throws IllegalArgumentException if there is none
     */
    static JobPatterns parse(String text) {
        return new JobPatterns(Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(pattern -> !pattern.isEmpty())
                .toList());
    }

    boolean match(JobKey job) {
        return texts.stream().anyMatch(text -> matches(text, job));
    }

    /** The patterns that none of these jobs matches. */
    List<String> unmatched(Iterable<JobKey> jobs) {
        return texts.stream()
                .filter(text -> {
                    for (JobKey job : jobs) {
                        if (matches(text, job)) {
                            return false;
                        }
                    }
                    return true;
                })
                .toList();
    }

    private static boolean matches(String text, JobKey job) {
        String regex = Arrays.stream(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return (job.getGroup() + "." + job.getName()).matches(regex);
    }
}
