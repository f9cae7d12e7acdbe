package dev.clientgo.controller.internal.cache;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;

/** Which objects a cache has, and so which reads of it have an answer. Safe for many threads. */
public interface ReadScope {

  /** Has all objects. */
  ReadScope ALL =
      new ReadScope() {
        @Override
        public boolean hasNamespace(String other) {
          return true;
        }

        @Override
        public boolean has(KubernetesObject object) {
          return true;
        }

        @Override
        public void requireNamespace(ResourceType<?> type, String other) {}

        @Override
        public void requireLabels(ResourceType<?> type, String namespace, Selector wanted) {}
      };

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
   * @param namespace the namespace that is read, empty for all
   * @throws IllegalArgumentException if no object that the cache has there has the labels that the
   *     caller asks for
   */
  void requireLabels(ResourceType<?> type, String namespace, Selector wanted);

  /** Returns whether the cache follows nothing at all, so that its indices are not known. */
  default boolean isNowhere() {
    return false;
  }
}
