/** The objects that replicas share: which requests belong to this one, and when it may join. */
package dev.clientgo.controller.internal.shards;
