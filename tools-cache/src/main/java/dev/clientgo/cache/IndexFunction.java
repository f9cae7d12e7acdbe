package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Computes the index values of an object. For instance, an index of pods by node:
 *
 * <pre>{@code
 * IndexFunction<Pod> byNode = IndexFunction.ofNullable(pod -> pod.spec().nodeName());
 * }</pre>
 *
 * <p>It must be pure and quick: the same object always has the same values, and other writers of
 * the store wait during the call.
 *
 * <p>Corresponds to client-go's {@code tools/cache.IndexFunc}.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface IndexFunction<T> {

  /**
   * Returns the values under which the object is found, or an empty list. No value may be null:
   * {@code List.of(value)} fails for an object without the value, so use {@link #ofNullable}.
   *
   * @throws RuntimeException to refuse the object; the store then throws an {@link
   *     IllegalStateException} with the name of the index and the key of the object
   */
  List<String> indexValues(T object);

  /**
   * Returns a function for an index of one value; the index leaves out objects without the value.
   *
   * @param value returns the value of an object, or null if it has none
   */
  static <T> IndexFunction<T> ofNullable(Function<? super T, @Nullable String> value) {
    requireNonNull(value, "value");
    return object -> {
      String found = value.apply(object);
      return found == null ? List.of() : List.of(found);
    };
  }

  /**
   * Returns the function of the index {@link Indexer#NAMESPACE_INDEX}: an object is filed under its
   * namespace, a cluster-scoped object under the empty string.
   *
   * <p>Corresponds to client-go's {@code tools/cache.MetaNamespaceIndexFunc}.
   */
  static <T extends KubernetesObject> IndexFunction<T> metaNamespace() {
    return object -> {
      String namespace = object.metadata().namespace();
      return List.of(namespace == null ? "" : namespace);
    };
  }
}
