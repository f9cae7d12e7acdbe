package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Reads the cache of an informer as a client reads the API: lists objects by labels and gets them
 * by name. It sends no request, and its objects may be a little older than on the server.
 *
 * <pre>{@code
 * Lister<Pod> pods = informer.lister(Pod.TYPE);
 * List<Pod> web = pods.inNamespace("default").list(Selector.parse("app=web"));
 * Pod pod = pods.inNamespace("default").get("web-0");
 * Optional<Pod> same = pods.find(ObjectName.parse("default/web-0"));
 * Lister<Pod> agreeing = pods.snapshot();
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

  private final IndexReader<T> indexer;
  private final GroupResource resource;

  /** Whether the objects live in namespaces; null if the type does not tell. */
  private final @Nullable Boolean namespaced;

  private final AtomicBoolean warned = new AtomicBoolean();

  private Lister(IndexReader<T> indexer, GroupResource resource, @Nullable Boolean namespaced) {
    this.indexer = requireNonNull(indexer, "indexer");
    this.resource = requireNonNull(resource, "resource");
    this.namespaced = namespaced;
  }

  /**
   * Returns a lister of the objects in an indexer.
   *
   * @param indexer an indexer, or a snapshot of one, with the keys of {@link
   *     KeyFunction#metaNamespace}; it should have the index {@link Indexer#NAMESPACE_INDEX}
   * @param type the type of the objects; it decides whether they are read by namespace and name, or
   *     by name alone
   */
  public static <T extends KubernetesObject> Lister<T> of(
      IndexReader<T> indexer, ResourceType<T> type) {
    // A dynamic type knows only its resource, neither its kind nor its scope.
    boolean known = !type.kind().kind().isEmpty();
    return new Lister<>(
        indexer, type.resource().groupResource(), known ? type.isNamespaced() : null);
  }

  /**
   * Returns a lister of the objects in an indexer, if it is not known whether they live in
   * namespaces.
   *
   * @param indexer an indexer, or a snapshot of one, with the keys of {@link
   *     KeyFunction#metaNamespace}; it should have the index {@link Indexer#NAMESPACE_INDEX}
   * @param resource the name of the resource, for the error if an object does not exist
   */
  public static <T extends KubernetesObject> Lister<T> of(
      IndexReader<T> indexer, GroupResource resource) {
    return new Lister<>(indexer, resource, null);
  }

  /**
   * Returns a lister of the state at this moment, which never changes: its reads agree with one
   * another.
   */
  public Lister<T> snapshot() {
    return new Lister<>(indexer.snapshot(), resource, namespaced);
  }

  /** Returns all objects, of all namespaces. The list copies nothing, and never changes. */
  public List<T> list() {
    return indexer.list();
  }

  /** Returns the selected objects, of all namespaces. */
  public List<T> list(Selector selector) {
    return selector.isNothing() ? List.of() : select(indexer.list(), selector);
  }

  /**
   * Returns a cluster-scoped object, such as a node.
   *
   * @throws ApiStatusException if the cache has no such object: {@link
   *     ApiStatusException#isNotFound}
   * @throws IllegalStateException if objects of this type live in namespaces
   */
  public T get(String name) {
    return get(new ObjectName("", name));
  }

  /**
   * Returns an object by its namespace and name: {@code lister.get(ObjectName.parse(key))}.
   *
   * @throws ApiStatusException if the cache has no such object: {@link
   *     ApiStatusException#isNotFound}
   * @throws IllegalStateException if objects of this type live in namespaces and the name has none
   * @throws IllegalArgumentException if objects of this type have no namespace and the name has one
   */
  public T get(ObjectName name) {
    return lookUp(name).orElseThrow(() -> notFound(name));
  }

  /**
   * Returns a cluster-scoped object, such as a node, or empty if the cache has no such object.
   *
   * @throws IllegalStateException if objects of this type live in namespaces
   */
  public Optional<T> find(String name) {
    return find(new ObjectName("", name));
  }

  /**
   * Returns an object by its namespace and name, or empty if the cache has no such object.
   *
   * @throws IllegalStateException if objects of this type live in namespaces and the name has none
   * @throws IllegalArgumentException if objects of this type have no namespace and the name has one
   */
  public Optional<T> find(ObjectName name) {
    Optional<T> found = lookUp(name);
    if (found.isEmpty() && needsNamespace(name)) {
      throw new IllegalStateException(useNamespace(name.name()));
    }
    return found;
  }

  private Optional<T> lookUp(ObjectName name) {
    requireScope(name.namespace());
    if (Boolean.TRUE.equals(namespaced) && name.namespace().isEmpty()) {
      throw new IllegalStateException(useNamespace(name.name()));
    }
    return indexer.getByKey(name.toString());
  }

  /**
   * Returns a lister of one namespace, or of all namespaces if the argument is empty.
   *
   * @throws IllegalArgumentException if objects of this type do not live in namespaces
   */
  public NamespaceLister<T> inNamespace(String namespace) {
    requireScope(requireNonNull(namespace, "namespace"));
    return new NamespaceLister<>(this, namespace);
  }

  private void requireScope(String namespace) {
    if (Boolean.FALSE.equals(namespaced) && !namespace.isEmpty()) {
      throw new IllegalArgumentException(
          "%s do not live in namespaces, but \"%s\" was asked for: call lister.get(name) or lister.list()"
              .formatted(resource, namespace));
    }
  }

  private String useNamespace(String name) {
    return "%s live in namespaces: call lister.inNamespace(\"NAMESPACE\").get(\"%s\") or lister.get(new ObjectName(\"NAMESPACE\", \"%2$s\"))"
        .formatted(resource, name);
  }

  private ApiStatusException notFound(ObjectName name) {
    ApiStatusException notFound = ApiStatusException.notFound(resource, name.name());
    if (!needsNamespace(name)) {
      return notFound;
    }
    Status status = notFound.status();
    return new ApiStatusException(
        status.toBuilder()
            .message(notFound.getMessage() + ": " + useNamespace(name.name()))
            .build());
  }

  /** The type does not tell its scope, but the objects in the cache do. */
  private boolean needsNamespace(ObjectName name) {
    return name.namespace().isEmpty()
        && namespaced == null
        && indexer.indexers().containsKey(Indexer.NAMESPACE_INDEX)
        && indexer.listIndexFuncValues(Indexer.NAMESPACE_INDEX).stream()
            .anyMatch(namespace -> !namespace.isEmpty());
  }

  private List<T> list(String namespace, Selector selector) {
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
    if (selector.isEverything()) {
      return objects;
    }
    List<T> selected = new ArrayList<>();
    for (T object : objects) {
      if (selector.matches(object.metadata().labels())) {
        selected.add(object);
      }
    }
    return Collections.unmodifiableList(selected);
  }

  /**
   * Reads one namespace of a cache; see {@link Lister#inNamespace}.
   *
   * <p>Safe for use by many threads. Corresponds to client-go's {@code
   * tools/cache.GenericNamespaceLister}.
   *
   * @param <T> the type of the objects
   */
  public static final class NamespaceLister<T extends KubernetesObject> {

    private final Lister<T> lister;
    private final String namespace;

    private NamespaceLister(Lister<T> lister, String namespace) {
      this.lister = lister;
      this.namespace = namespace;
    }

    /** Returns all objects of the namespace. */
    public List<T> list() {
      return list(Selector.everything());
    }

    /** Returns the selected objects of the namespace. */
    public List<T> list(Selector selector) {
      return lister.list(namespace, selector);
    }

    /**
     * Returns an object of the namespace.
     *
     * @throws ApiStatusException if the cache has no such object: {@link
     *     ApiStatusException#isNotFound}
     * @throws IllegalStateException if this lists all namespaces, and objects of this type live in
     *     namespaces
     */
    public T get(String name) {
      return lister.get(new ObjectName(namespace, name));
    }

    /**
     * Returns an object of the namespace, or empty if the cache has no such object.
     *
     * @throws IllegalStateException if this lists all namespaces, and objects of this type live in
     *     namespaces
     */
    public Optional<T> find(String name) {
      return lister.find(new ObjectName(namespace, name));
    }
  }
}
