/**
 * Leases in a MongoDB collection, one record per name.
 *
 * <p>Reading order: {@link io.camellease.mongodb.MongoLeaseStore} (the operations),
 * {@link io.camellease.mongodb.LeaseDocument} (the record), {@link io.camellease.mongodb.Conditions} (which record an
 * operation may change), {@link io.camellease.mongodb.Dialect} (how a server is told to grant and to renew),
 * {@link io.camellease.mongodb.Renewals} (what became of each renewal of a batch), {@link
 * io.camellease.mongodb.MongoErrors} (what an error means).
 */
@NullMarked
package io.camellease.mongodb;

import org.jspecify.annotations.NullMarked;
