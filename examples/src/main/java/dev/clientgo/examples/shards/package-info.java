/** The lesson of shards: replicas of a controller that share the objects. */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.shards;
