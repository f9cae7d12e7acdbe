package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.runtime.KubernetesObject;
import dev.clientgo.apimachinery.schema.GroupResource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reads a cache as one would read the API: list by labels, get by name. Other than the API it costs
 * no request, and what it shows may be a little old.
 *
 * <pre>{@code
 * Lister<Pod> pods = informer.lister(Pod.TYPE.resource().groupResource());
 * List<Pod> web = pods.inNamespace("default").list(Selector.parse("app=web"));
 * Pod pod = pods.inNamespace("default").get("web-0");
 * }</pre>
 *
 * <p>Lists are unmodifiable and in no particular order; the objects are those in the cache.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code tools/cache.GenericLister}.
 *
 * @param <T> the type of the objects
 */
public final class Lister<T extends KubernetesObject> {

  private static final Logger LOG = System.getLogger(Lister.class.getName());

  private final Indexer<T> indexer;
  private final GroupResource resource;
  private final AtomicBoolean warned = new AtomicBoolean();

  private Lister(Indexer<T> indexer, GroupResource resource) {
    this.indexer = requireNonNull(indexer, "indexer");
    this.resource = requireNonNull(resource, "resource");
  }

  /**
   * Returns a lister of what is in the indexer.
   *
   * @param indexer its keys are those of {@link KeyFunction#metaNamespace}; it should have the
   *     index {@link Indexer#NAMESPACE_INDEX}
   * @param resource what the objects are, for the error when there is none
   */
  public static <T extends KubernetesObject> Lister<T> of(
      Indexer<T> indexer, GroupResource resource) {
    return new Lister<>(indexer, resource);
  }

  /** Returns all objects, of all namespaces. */
  public List<T> list() {
    return indexer.list();
  }

  /** Returns the selected objects, of all namespaces. */
  public List<T> list(Selector selector) {
    return selector.isNothing() ? List.of() : select(indexer.list(), selector);
  }

  /**
   * Returns an object of the cluster, one without a namespace.
   *
   * @throws ApiStatusException if there is none in the cache: {@link ApiStatusException#isNotFound}
   */
  public T get(String name) {
    return get(new ObjectName("", name));
  }

  /** Returns a lister of one namespace; of all, if it is empty. */
  public NamespaceLister<T> inNamespace(String namespace) {
    return new NamespaceLister<>(this, namespace);
  }

  T get(ObjectName name) {
    return indexer
        .getByKey(name.toString())
        .orElseThrow(() -> ApiStatusException.notFound(resource, name.name()));
  }

  List<T> list(String namespace, Selector selector) {
    if (selector.isNothing()) {
      return List.of();
    }
    if (namespace.isEmpty()) {
      return list(selector);
    }
    return select(objectsIn(namespace), selector);
  }

  private List<T> objectsIn(String namespace) {
    if (indexer.indexers().containsKey(Indexer.NAMESPACE_INDEX)) {
      return indexer.byIndex(Indexer.NAMESPACE_INDEX, namespace);
    }
    if (warned.compareAndSet(false, true)) {
      LOG.log(
          Level.WARNING,
          "Listing a namespace looks at every object, because the cache has no index of that name:"
              + " resource={0} index={1}",
          resource,
          Indexer.NAMESPACE_INDEX);
    }
    return indexer.list().stream()
        .filter(object -> namespace.equals(object.metadata().namespace()))
        .toList();
  }

  private static <T extends KubernetesObject> List<T> select(List<T> objects, Selector selector) {
    return selector.isEverything()
        ? objects
        : objects.stream().filter(object -> selector.matches(object.metadata().labels())).toList();
  }
}
