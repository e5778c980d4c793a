/**
 * Leases in a shared database: who may work on a name, until when, and with which fencing token.
 *
 * <p>Reading order: {@link io.camellease.core.LeaseStore} (what a database must do, rules S1-S12),
 * {@link io.camellease.core.LeaseSettings} (the durations and the inequalities between them),
 * {@link io.camellease.core.LeaseMachine} (what a node decides), {@link io.camellease.core.LeaseElector} and
 * {@link io.camellease.core.LeaseClient} (how the decisions are carried out), {@link io.camellease.core.LeaseEvent} (what
 * the user of a lease is told).
 *
 * <p>A <em>lease</em> is a time-bounded exclusive right to a name (Gray and Cheriton, "Leases", SOSP 1989). A
 * <em>candidate</em> claims it, a grant makes it the <em>holder</em>, renewals keep it, a release gives it back, and a
 * holder that may no longer act has <em>lost</em> it. Every grant of a name has a larger <em>fencing token</em> than the
 * one before.
 */
@NullMarked
package io.camellease.core;

import org.jspecify.annotations.NullMarked;
