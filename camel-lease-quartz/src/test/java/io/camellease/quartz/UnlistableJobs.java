/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.quartz.JobPersistenceException;
import org.quartz.Scheduler;

/** Schedulers whose job store cannot be read at first. */
public final class UnlistableJobs {

    private UnlistableJobs() {}

    /** That scheduler, which cannot list its jobs the first time it is asked to; counts how often it is. */
    public static Scheduler once(Scheduler scheduler, AtomicInteger listings) {
        return (Scheduler) Proxy.newProxyInstance(
                Scheduler.class.getClassLoader(), new Class<?>[] {Scheduler.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getJobKeys") && listings.getAndIncrement() == 0) {
                        throw new JobPersistenceException("for the test");
                    }
                    try {
                        return method.invoke(scheduler, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}
