package dev.clientgo.controller.internal.cache;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;

/** Which objects a cache has, and so which reads of it have an answer. Safe for many threads. */
public interface ReadScope {

  /** Returns whether the cache can have objects of a namespace, which is empty for all. */
  boolean hasNamespace(String other);

  /** Returns whether the cache has an object, by its namespace and labels. */
  boolean has(KubernetesObject object);

  /**
   * Refuses a read whose answer would be empty whatever the server has.
   *
   * @param other the namespace that is read, empty for all
   * @throws IllegalArgumentException if the cache does not have that namespace
   */
  void requireNamespace(ResourceType<?> type, String other);

  /**
   * Refuses a read whose answer would be empty whatever the server has.
   *
   * @throws IllegalArgumentException if no object of the cache has the labels that the caller asks
   *     for
   */
  void requireLabels(ResourceType<?> type, Selector wanted);
}
