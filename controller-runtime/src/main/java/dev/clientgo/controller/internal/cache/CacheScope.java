package dev.clientgo.controller.internal.cache;

import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.labels.Requirement;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ResourceType;
import java.util.Optional;

/**
 * The part of a collection that a cache has: one namespace, or what its selectors select.
 *
 * <p>Immutable.
 */
final class CacheScope implements ReadScope {

  static final CacheScope EVERYTHING = new CacheScope("", ListOptions.NONE);

  /** Empty for all. */
  private final String namespace;

  private final ListOptions selectors;
  private final Selector labels;
  private final FieldSelector fields;

  CacheScope(String namespace, ListOptions selectors) {
    this.namespace = namespace;
    this.selectors = selectors;
    String labelText = selectors.labelSelector();
    labels = labelText == null ? Selector.everything() : Selector.parse(labelText);
    String fieldText = selectors.fieldSelector();
    fields = fieldText == null ? FieldSelector.everything() : FieldSelector.parse(fieldText);
  }

  String namespace() {
    return namespace;
  }

  Selector labels() {
    return labels;
  }

  ListOptions selectors() {
    return selectors;
  }

  @Override
  public boolean hasNamespace(String other) {
    return namespace.isEmpty() || other.isEmpty() || namespace.equals(other);
  }

  @Override
  public boolean has(KubernetesObject object) {
    return hasNamespace(ObjectName.of(object).namespace()) && selects(object);
  }

  /** Returns whether only the server can tell which objects the cache has. */
  boolean hasFieldSelector() {
    return !fields.isEverything();
  }

  /** Returns whether the labels of an object meet the selector of the cache. */
  boolean selects(KubernetesObject object) {
    return labels.matches(object.metadata().labels());
  }

  /** Returns the options of a list of the objects of that name that the cache has. */
  ListOptions named(String name) {
    FieldSelector thisOne = FieldSelector.and(fields, FieldSelector.equal("metadata.name", name));
    return selectors.toBuilder().fieldSelector(thisOne.toString()).build();
  }

  @Override
  public void requireNamespace(ResourceType<?> type, String other) {
    if (!hasNamespace(other)) {
      throw outside(type, "the namespace " + namespace, "the namespace " + other);
    }
  }

  @Override
  public void requireLabels(ResourceType<?> type, String namespace, Selector wanted) {
    if (!canHave(wanted)) {
      throw outside(type, "objects with the labels " + labels, "those with " + wanted);
    }
  }

  /** Returns whether an object of the cache may have the labels. */
  boolean canHave(Selector wanted) {
    for (Requirement requirement : labels.requirements()) {
      Optional<String> has = labels.requiresExactMatch(requirement.key());
      Optional<String> asked = wanted.requiresExactMatch(requirement.key());
      if (has.isPresent() && asked.isPresent() && !has.equals(asked)) {
        return false;
      }
    }
    return true;
  }

  /** Returns where the objects are, for a message. */
  String place() {
    return namespace.isEmpty() ? "" : " in the namespace " + namespace;
  }

  static IllegalArgumentException outside(ResourceType<?> type, String has, String asked) {
    return new IllegalArgumentException(
        "the cache of %s has only %s, and the read is of %s: read them with uncached(), or by a manager that follows them"
            .formatted(type, has, asked));
  }
}
