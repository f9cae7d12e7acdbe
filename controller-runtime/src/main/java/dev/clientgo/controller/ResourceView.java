package dev.clientgo.controller;

import dev.clientgo.apimachinery.fields.FieldRequirement;
import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.IndexReader;
import dev.clientgo.cache.IndexSnapshot;
import dev.clientgo.cache.Indexer;
import dev.clientgo.cache.KeyFunction;
import dev.clientgo.cache.Lister;
import dev.clientgo.controller.internal.cache.ReadScope;
import dev.clientgo.controller.internal.incident.Tape;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The objects of one kind at one moment, in one namespace or in all. All reads of a view see the
 * same state, whatever the watch and other reconciles do meanwhile; so a list, an index and an
 * object that is read by its name agree.
 *
 * <pre>{@code
 * ResourceView<Pod> pods = context.view(Pod.TYPE).inNamespace("shop");
 * int all = pods.list().size();
 * int web = pods.list(Selector.parse("app=web")).size(); // Never more than all.
 * }</pre>
 *
 * <p><b>Own writes</b> that were made before the view was taken are in it, even if the watch has
 * not delivered them. Writes made later are not. To read these, call {@link Context#client}.
 *
 * <p>A view copies nothing: it costs as much to take one of 100,000 objects as one of ten, and it
 * needs not be closed. Its reads take no lock and send no request. A program that keeps a view for
 * long keeps the objects of that time in memory.
 *
 * <p>Immutable, safe for use by many threads. controller-runtime has nothing like it.
 *
 * @param <T> the type of the objects
 */
public final class ResourceView<T extends KubernetesObject> {

  private final IndexReader<T> cache;
  private final ResourceType<T> type;

  private final ReadScope scope;

  /** Empty for all. */
  private final String namespace;

  private final Tape tape;

  /**
   * Creates a view.
   *
   * @throws IllegalArgumentException if the cache does not have the namespace
   */
  ResourceView(
      IndexReader<T> cache, ResourceType<T> type, ReadScope scope, String namespace, Tape tape) {
    this.cache = cache;
    this.type = type;
    this.scope = scope;
    this.namespace = namespace;
    this.tape = tape;
    scope.requireNamespace(type, namespace);
  }

  /** Returns a view whose answers come from a replayed tape. */
  static <T extends KubernetesObject> ResourceView<T> replayed(
      ResourceType<T> type, String namespace, Tape tape) {
    return new ResourceView<>(
        Indexer.create(KeyFunction.metaNamespace()), type, ReadScope.ALL, namespace, tape);
  }

  /** Returns the state at this moment, for one that was made of a cache that changes. */
  ResourceView<T> view() {
    return new ResourceView<>(cache.snapshot(), type, scope, namespace, tape);
  }

  /**
   * Returns the same state, of one namespace, or of all namespaces if the argument is empty.
   *
   * @throws IllegalArgumentException if the manager does not follow that namespace
   */
  public ResourceView<T> inNamespace(String namespace) {
    return new ResourceView<>(
        cache, type, scope, Objects.requireNonNull(namespace, "namespace"), tape);
  }

  /**
   * Returns the objects and indices of all namespaces, with the keys of {@link
   * dev.clientgo.cache.KeyFunction#metaNamespace}.
   */
  public IndexSnapshot<T> snapshot() {
    IndexSnapshot<T> now = cache.snapshot();
    List<T> live = now.list();
    List<T> answer = tape.objects("snapshot", type, "", () -> live);
    return isSame(answer, live) ? now : replayed(answer);
  }

  @SuppressWarnings("ReferenceEquality") // An equal list may be that of a replay.
  private static boolean isSame(List<?> one, List<?> other) {
    return one == other;
  }

  /** A replay has the objects, but not the indices of the program. */
  private IndexSnapshot<T> replayed(List<T> objects) {
    Indexer<T> all = Indexer.create(KeyFunction.metaNamespace(), cache.indexers());
    all.replace(objects, resourceVersion());
    return all.snapshot();
  }

  /**
   * Returns the version of the collection that the watch had delivered. Own writes in this view may
   * be newer.
   */
  public String resourceVersion() {
    return tape.value("version", type.resource(), () -> cache.snapshot().resourceVersion());
  }

  /** Returns the number of objects, of the namespace or of all. */
  public int size() {
    return list().size();
  }

  private Lister<T> lister() {
    return Lister.of(cache, type);
  }

  /** Returns the object of that name, or empty if there is none. */
  public Optional<T> find(String name) {
    return find(new ObjectName(namespace, name));
  }

  /** Returns the object that a request names, or empty if there is none. */
  public Optional<T> find(Request request) {
    return find(request.objectName());
  }

  Optional<T> find(ObjectName name) {
    return tape.object("find", type, name, () -> found(name));
  }

  private Optional<T> found(ObjectName name) {
    Optional<T> found = lister().find(name);
    scope.requireNamespace(type, name.namespace()); // After the read: it may have left meanwhile.
    return found;
  }

  /**
   * Returns the object of that name.
   *
   * @throws ApiStatusException if there is none: {@link ApiStatusException#isNotFound}
   */
  public T get(String name) {
    Optional<T> found = find(name);
    return found.isPresent() ? found.get() : lister().get(new ObjectName(namespace, name));
  }

  /** Returns all objects, of the namespace or of all; the list of all copies nothing. */
  public List<T> list() {
    return list(Selector.everything());
  }

  /**
   * Returns the objects with these labels, of the namespace or of all.
   *
   * @throws IllegalArgumentException if the manager follows only objects with other labels
   */
  public List<T> list(Selector labels) {
    return tape.objects("list", type, List.of(namespace, labels), () -> listed(labels));
  }

  private List<T> listed(Selector labels) {
    scope.requireLabels(type, namespace, labels);
    List<T> found =
        namespace.isEmpty() ? lister().list(labels) : lister().inNamespace(namespace).list(labels);
    scope.requireNamespace(type, namespace);
    return found;
  }

  /**
   * Returns the objects that the options select. A label selector can be any. A field selector can
   * only compare for equality: {@code metadata.name}, {@code metadata.namespace}, or a field with
   * an index named {@code field:NAME}. A limit cuts the list off.
   *
   * @throws IllegalArgumentException if the options have a continue token, or a field that has no
   *     index; the message says how to add it
   */
  public List<T> list(ListOptions options) {
    String token = options.continueToken();
    if (token != null && !token.isEmpty()) {
      throw new IllegalArgumentException(
          "a cache has no pages to continue: read the list at once, or use uncached()");
    }
    String labels = options.labelSelector();
    List<T> found = list(labels == null ? Selector.everything() : Selector.parse(labels));
    String fields = options.fieldSelector();
    if (fields != null) {
      for (FieldRequirement field : FieldSelector.parse(fields).requirements()) {
        Set<T> selected = Collections.newSetFromMap(new IdentityHashMap<>());
        selected.addAll(byField(field));
        found = found.stream().filter(selected::contains).toList();
      }
    }
    Long limit = options.limit();
    return limit == null || limit <= 0 || limit >= found.size()
        ? found
        : List.copyOf(found.subList(0, limit.intValue()));
  }

  private List<T> byField(FieldRequirement field) {
    if (field.operator() != FieldRequirement.Operator.EQUALS) {
      throw new IllegalArgumentException(
          "a cache selects fields by equality only, not by " + field + ": use uncached()");
    }
    return switch (field.field()) {
      case "metadata.name" ->
          list().stream().filter(o -> field.value().equals(o.metadata().name())).toList();
      case "metadata.namespace" ->
          list().stream().filter(o -> field.value().equals(o.metadata().namespace())).toList();
      default -> byIndex(CachedResource.FIELD_INDEX + field.field(), field.value());
    };
  }

  /**
   * Returns the objects that an index files under a value, of the namespace or of all.
   *
   * @throws IllegalArgumentException if there is no such index; the message says how to add it
   */
  public List<T> byIndex(String index, String value) {
    return tape.objects(
        "byIndex", type, List.of(namespace, index, value), () -> indexed(index, value));
  }

  private List<T> indexed(String index, String value) {
    if (!cache.indexers().containsKey(index)) {
      if (scope.isNowhere()) {
        return List.of();
      }
      throw new IllegalArgumentException(
          "the cache of "
              + type
              + " has no index \""
              + index
              + "\": add it by Manager.builder(client).informers(factory -> factory.configure("
              + type.kind().kind()
              + ".TYPE, informer -> informer.indexer(\""
              + index
              + "\", …)))");
    }
    List<T> all = cache.byIndex(index, value);
    scope.requireNamespace(type, namespace);
    return namespace.isEmpty()
        ? all
        : all.stream().filter(o -> namespace.equals(o.metadata().namespace())).toList();
  }

  @Override
  public String toString() {
    return "view of "
        + type
        + (namespace.isEmpty() ? "" : " in " + namespace)
        + " at "
        + resourceVersion();
  }
}
