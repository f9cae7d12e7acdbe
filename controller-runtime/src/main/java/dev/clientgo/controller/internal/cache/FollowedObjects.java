package dev.clientgo.controller.internal.cache;

import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.ListerWatcher;
import dev.clientgo.cache.SharedInformerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Notes which objects an informer follows when the factory creates it.
 *
 * <p>Safe for use by many threads.
 */
final class FollowedObjects implements SharedInformerFactory.Source {

  /**
   * The part of a collection that informers follow.
   *
   * @param namespace empty for all
   * @param selectors by labels and fields
   */
  private record Part(String namespace, ListOptions selectors) {

    FieldSelector fields() {
      String fields = selectors.fieldSelector();
      return fields == null ? FieldSelector.everything() : FieldSelector.parse(fields);
    }

    boolean hasNamespace(String other) {
      return namespace.isEmpty() || namespace.equals(other);
    }

    Predicate<KubernetesObject> objects() {
      if (!fields().isEverything()) {
        return object -> false; // Only the server can tell.
      }
      String text = selectors.labelSelector();
      Selector labels = text == null ? Selector.everything() : Selector.parse(text);
      return object ->
          hasNamespace(String.valueOf(object.metadata().namespace()))
              && labels.matches(object.metadata().labels());
    }
  }

  private final SharedInformerFactory.Source source;
  private final Map<GroupVersionResource, Part> parts = new ConcurrentHashMap<>();

  FollowedObjects(SharedInformerFactory.Source source) {
    this.source = source;
  }

  @Override
  public <T extends KubernetesObject> ListerWatcher<T> listerWatcher(
      ResourceType<T> type, String namespace, ListOptions selectors) {
    parts.put(type.resource(), new Part(namespace, selectors));
    return source.listerWatcher(type, namespace, selectors);
  }

  /**
   * Returns whether the informers of a resource follow an object; none does before there is one.
   */
  Predicate<KubernetesObject> followed(ResourceType<?> type) {
    Part part = parts.get(type.resource());
    return part == null ? object -> false : part.objects();
  }

  /**
   * Reads an object from the server by a list with the selectors of the informers. So it finds only
   * an object that these follow, and needs no other permission than theirs.
   */
  <T extends KubernetesObject> Optional<T> lookUp(ResourceType<T> type, ObjectName name)
      throws InterruptedException {
    Part part = parts.get(type.resource());
    boolean canExist = !type.isNamespaced() || !name.namespace().isEmpty();
    if (part == null
        || !canExist
        || (type.isNamespaced() && !part.hasNamespace(name.namespace()))) {
      return Optional.empty();
    }
    FieldSelector thisOne =
        FieldSelector.and(part.fields(), FieldSelector.equal("metadata.name", name.name()));
    ListOptions selectors = part.selectors().toBuilder().fieldSelector(thisOne.toString()).build();
    List<T> found = new ArrayList<>(1);
    source.listerWatcher(type, name.namespace(), selectors).list(ListOptions.NONE, found::add);
    return found.stream().findFirst();
  }
}
