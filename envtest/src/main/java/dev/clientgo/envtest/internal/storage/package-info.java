/**
 * The objects in memory, their resource versions, and the history that watches read; instead of
 * etcd and the watch cache.
 */
package dev.clientgo.envtest.internal.storage;
