/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client that answers findAndModify as MongoDB answers one that the driver sent again because its reply was lost: with the
 * record as it was stored, whatever the projection asks for.
 */
final class ReplayingClient implements InvocationHandler {

    private static final List<Class<?>> DECORATED =
            List.of(MongoClient.class, MongoDatabase.class, MongoCollection.class);

    private final Object target;

    private ReplayingClient(Object target) {
        this.target = target;
    }

    static MongoClient over(MongoClient client) {
        return (MongoClient) decorate(MongoClient.class, client);
    }

    private static Object decorate(Class<?> type, Object target) {
        return Proxy.newProxyInstance(
                ReplayingClient.class.getClassLoader(), new Class<?>[] {type}, new ReplayingClient(target));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals("findOneAndUpdate") && arguments != null) {
            ((FindOneAndUpdateOptions) arguments[arguments.length - 1]).projection(null);
        }
        try {
            Object answer = method.invoke(target, arguments);
            return answer != null && DECORATED.contains(method.getReturnType())
                    ? decorate(method.getReturnType(), answer)
                    : answer;
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause() == null ? thrown : thrown.getCause();
        }
    }
}
