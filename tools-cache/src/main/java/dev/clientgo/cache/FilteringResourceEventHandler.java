package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import java.util.function.Predicate;

/**
 * Shows another handler only the objects that pass a filter. For that handler, an object is added
 * when it begins to pass the filter, and deleted when it no longer passes.
 *
 * <p>The filter must always return the same result for the same object. A deleted object without a
 * known state passes.
 *
 * <p>Immutable. Corresponds to client-go's {@code tools/cache.TypedFilteringResourceEventHandler}.
 *
 * @param <T> the type of the objects
 */
public final class FilteringResourceEventHandler<T extends KubernetesObject>
    implements ResourceEventHandler<T> {

  private final Predicate<? super T> filter;
  private final ResourceEventHandler<T> handler;

  private FilteringResourceEventHandler(
      Predicate<? super T> filter, ResourceEventHandler<T> handler) {
    this.filter = requireNonNull(filter, "filter");
    this.handler = requireNonNull(handler, "handler");
  }

  /** Returns a handler that shows the given one only objects that pass the filter. */
  public static <T extends KubernetesObject> FilteringResourceEventHandler<T> of(
      Predicate<? super T> filter, ResourceEventHandler<T> handler) {
    return new FilteringResourceEventHandler<>(filter, handler);
  }

  @Override
  public void onAdd(T object, boolean isInInitialList) {
    if (filter.test(object)) {
      handler.onAdd(object, isInInitialList);
    }
  }

  @Override
  public void onUpdate(T oldObject, T newObject) {
    boolean was = filter.test(oldObject);
    boolean is = filter.test(newObject);
    if (was && is) {
      handler.onUpdate(oldObject, newObject);
    } else if (is) {
      handler.onAdd(newObject, false);
    } else if (was) {
      handler.onDelete(DeletedObject.of(ObjectName.of(oldObject).toString(), oldObject));
    }
  }

  @Override
  public void onDelete(DeletedObject<T> deleted) {
    T object = deleted.lastKnown();
    if (object == null || filter.test(object)) {
      handler.onDelete(deleted);
    }
  }
}
