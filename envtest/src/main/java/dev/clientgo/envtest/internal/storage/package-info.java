/**
 * The objects in memory, their resource versions, and the history that watches read; in place of
 * etcd and the watch cache.
 */
package dev.clientgo.envtest.internal.storage;
