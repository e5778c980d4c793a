/**
 * Camel routes that run on one node at a time, by a lease.
 *
 * <p>Reading order: {@link io.camellease.policy.LeaseRoutePolicy} (what a route refers to), {@link
 * io.camellease.policy.LeaseService} (store, settings and identity of one CamelContext), {@code RunningLeases} and {@code LeasedRoutes} (all routes of
 * one lease), {@code RouteGate} (one route), {@code RouteReconciler} (whether it runs), {@code ExchangeGate} (whether an exchange
 * may begin), {@code ConsumerFence} (how a consumer is held and let go).
 */
@NullMarked
package io.camellease.policy;

import org.jspecify.annotations.NullMarked;
