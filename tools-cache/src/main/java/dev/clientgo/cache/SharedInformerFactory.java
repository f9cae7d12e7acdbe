package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.metrics.InformerMetrics;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Creates informers and shares them: requests for the same resource, namespace and selectors get
 * the same informer, so the program lists and watches each collection once.
 *
 * <pre>{@code
 * try (SharedInformerFactory factory = SharedInformerFactory.builder(client::listerWatcher).build()) {
 *   SharedIndexInformer<Pod> pods = factory.informer(Pod.TYPE);
 *   SharedIndexInformer<Node> nodes = factory.informer(Node.TYPE);
 *   factory.start();
 *   factory.awaitSynced(Duration.ofSeconds(30)).orThrow();
 *   // ...
 * }
 * }</pre>
 *
 * <p>A generated factory wraps it, with a method for each resource.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code
 * informers.SharedInformerFactory}.
 */
public final class SharedInformerFactory implements AutoCloseable {

  /** Creates the source of an informer. Usually a method reference to a client. */
  public interface Source {

    /**
     * Returns a source that lists and watches a part of a resource.
     *
     * @param namespace the namespace, empty for all
     * @param selectors the label and field selectors to add to the options of each request
     */
    <T extends KubernetesObject> ListerWatcher<T> listerWatcher(
        ResourceType<T> type, String namespace, ListOptions selectors);
  }

  /** Identifies an informer. The codec stands for the type of the objects. */
  private record Key(
      GroupVersionResource resource, JsonCodec<?> codec, String namespace, ListOptions selectors) {

    @Override
    public String toString() {
      String name = resource.groupResource().toString();
      String scoped = namespace.isEmpty() ? name : name + " in " + namespace;
      // The name does not tell which shard, because that may change.
      String part = selectors.shardSelector() == null ? scoped : scoped + " of a shard";
      ListOptions others = selectors.toBuilder().shardSelector((String) null).build();
      return others.equals(ListOptions.NONE) ? part : part + " with " + others;
    }
  }

  private final Source source;
  private final String namespace;
  private final String namePrefix;
  private final UnaryOperator<ListOptions> tweakListOptions;
  private final Duration resyncPeriod;
  private final ReflectorOptions options;
  private final Function<String, InformerMetrics> metrics;
  private final Consumer<SharedIndexInformer.Builder<?>> configurationOfAll;
  private final Map<Key, Consumer<SharedIndexInformer.Builder<?>>> configurations;
  private final boolean dropManagedFields;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<Key, SharedIndexInformer<?>> informers = new LinkedHashMap<>();

  @GuardedBy("lock")
  private boolean closed;

  private SharedInformerFactory(Builder builder) {
    source = builder.source;
    namespace = builder.namespace;
    namePrefix = builder.namePrefix;
    tweakListOptions = builder.tweakListOptions;
    resyncPeriod = builder.resyncPeriod;
    options = builder.options;
    metrics = builder.metrics;
    configurationOfAll = builder.configurationOfAll;
    configurations = Map.copyOf(builder.configurations);
    dropManagedFields = builder.dropManagedFields;
  }

  /** Returns a builder of factories whose informers list and watch the given source. */
  public static Builder builder(Source source) {
    return new Builder(source);
  }

  // ---- informers

  /** Returns the informer of a resource, in the factory's namespace if the resource has any. */
  public <T extends KubernetesObject> SharedIndexInformer<T> informer(ResourceType<T> type) {
    return informer(type, namespace);
  }

  /**
   * Returns the informer of a resource in a namespace.
   *
   * @param namespace the namespace, empty for all; ignored for a cluster-scoped resource
   */
  public <T extends KubernetesObject> SharedIndexInformer<T> informer(
      ResourceType<T> type, String namespace) {
    return informer(type, namespace, ListOptions.NONE);
  }

  /**
   * Returns the informer of a part of a resource. The first request creates the informer, but does
   * not start it. A request after the informer was stopped creates a new one without handlers.
   *
   * @param namespace the namespace, empty for all; ignored for a cluster-scoped resource
   * @param selectors options with a label, a field or a shard selector; everything else in them is
   *     ignored
   * @throws IllegalStateException if the factory is closed
   */
  public <T extends KubernetesObject> SharedIndexInformer<T> informer(
      ResourceType<T> type, String namespace, ListOptions selectors) {
    return shared(dropManagedFields ? type.dropManagedFields() : type, namespace, selectors);
  }

  private <T extends KubernetesObject> SharedIndexInformer<T> shared(
      ResourceType<T> type, String namespace, ListOptions selectors) {
    Key key = key(type, namespace, selectors);
    lock.lock();
    try {
      requireNotClosedLocked();
      SharedIndexInformer<?> existing = informers.get(key);
      if (existing == null || existing.isStopped()) {
        existing = newInformerLocked(type, key);
        informers.put(key, existing);
      }
      @SuppressWarnings("unchecked") // The key has the codec, which makes objects of one type.
      SharedIndexInformer<T> informer = (SharedIndexInformer<T>) existing;
      return informer;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the informer of a resource, in the factory's namespace, together with its lister.
   *
   * <pre>{@code
   * var web = factory.of(Pod.TYPE).inNamespace("shop").withLabels("app=web");
   * web.informer().addEventHandler(handler);
   * factory.start();
   * List<Pod> pods = web.lister().list();
   * }</pre>
   */
  public <T extends KubernetesObject> ResourceInformer<T> of(ResourceType<T> type) {
    return new ResourceInformer<>(this, requireNonNull(type, "type"), namespace, ListOptions.NONE);
  }

  /**
   * Returns the informer of a resource without a generated type, in the factory's namespace. Its
   * objects are trees. For a cluster-scoped resource the factory must be one of all namespaces.
   *
   * <p>Corresponds to client-go's {@code dynamicinformer}.
   */
  public ResourceInformer<Unstructured> dynamic(GroupVersionResource resource) {
    return of(Unstructured.type(resource));
  }

  /**
   * Returns the metadata informer of a resource, in the factory's namespace. The server sends, and
   * the cache holds, only the metadata. For a cluster-scoped resource the factory must be one of
   * all namespaces.
   *
   * <p>Corresponds to client-go's {@code metadatainformer}.
   */
  public ResourceInformer<PartialObjectMetadata> metadata(GroupVersionResource resource) {
    return of(ResourceType.metadata(resource));
  }

  /**
   * Returns the metadata informer of a resource, in the factory's namespace: {@code
   * factory.metadata(Pod.TYPE)}. The server sends, and the cache holds, only the metadata.
   */
  public ResourceInformer<PartialObjectMetadata> metadata(ResourceType<?> type) {
    return of(type.metadataOnly());
  }

  private static Key key(ResourceType<?> type, String namespace, ListOptions selectors) {
    ListOptions only =
        ListOptions.builder()
            .labelSelector(selectors.labelSelector())
            .fieldSelector(selectors.fieldSelector())
            .shardSelector(selectors.shardSelector())
            .build();
    return new Key(type.resource(), type.codec(), type.isNamespaced() ? namespace : "", only);
  }

  @GuardedBy("lock")
  private <T extends KubernetesObject> SharedIndexInformer<T> newInformerLocked(
      ResourceType<T> type, Key key) {
    ListOptions selectors = tweakListOptions.apply(key.selectors);
    String shard = selectors.shardSelector();
    // The informer asks for the shard itself, because it may change.
    ListOptions unsharded = selectors.toBuilder().shardSelector((String) null).build();
    String name = unusedNameLocked(key);
    SharedIndexInformer.Builder<T> builder =
        SharedIndexInformer.builder(source.listerWatcher(type, key.namespace, unsharded))
            .type(type)
            .shard(shard == null ? ShardSelector.EVERYTHING : ShardSelector.parse(shard))
            .options(options.toBuilder().name(name).build())
            .resyncPeriod(resyncPeriod)
            .metrics(metrics.apply(name));
    configurationOfAll.accept(builder);
    configurations.getOrDefault(key(type.whole(), "", ListOptions.NONE), any -> {}).accept(builder);
    return builder.build();
  }

  /** One resource may have informers of objects of different types, or of different versions. */
  @GuardedBy("lock")
  private String unusedNameLocked(Key key) {
    Set<String> used = new HashSet<>();
    informers.forEach((other, informer) -> used.add(other.equals(key) ? "" : informer.name()));
    String name = namePrefix + key;
    for (int i = 2; used.contains(name); i++) {
      name = namePrefix + key + " #" + i;
    }
    return name;
  }

  /**
   * Closes an informer of this factory and forgets it. The next request for it creates a new one,
   * which must be started and has none of the old handlers.
   *
   * @return whether the informer belonged to this factory
   */
  public boolean stop(SharedIndexInformer<?> informer) {
    boolean removed;
    lock.lock();
    try {
      removed = informers.values().removeIf(other -> other == informer);
    } finally {
      lock.unlock();
    }
    if (removed) {
      informer.close();
    }
    return removed;
  }

  // ---- all informers

  /**
   * Starts all informers that have not been started, and returns at once. Call it again for
   * informers that are requested later.
   *
   * @throws IllegalStateException if the factory is closed
   */
  public void start() {
    lock.lock();
    try {
      requireNotClosedLocked();
      informers.values().removeIf(SharedIndexInformer::isStopped);
      informers.values().forEach(SharedIndexInformer::start);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void requireNotClosedLocked() {
    if (closed) {
      throw new IllegalStateException("the informer factory is closed");
    }
  }

  /**
   * Waits until all informers have their first list in the cache, or the time is up.
   *
   * <p>An informer that was not started counts as not synced, without a wait; client-go leaves it
   * out. The result also names the objects that are missing from the caches because they could not
   * be decoded, transformed or indexed.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public SyncResult awaitSynced(Duration timeout) throws InterruptedException {
    Clock clock = options.clock();
    long start = clock.nanoTime();
    Map<String, InformerHealth> synced = new LinkedHashMap<>();
    Map<String, InformerHealth> unsynced = new LinkedHashMap<>();
    for (SharedIndexInformer<?> informer : snapshot()) {
      Duration left = timeout.minusNanos(clock.nanoTime() - start);
      boolean isSynced = informer.isRunning() && informer.awaitSynced(left);
      (isSynced ? synced : unsynced).put(informer.name(), informer.health());
    }
    return new SyncResult(synced, unsynced);
  }

  /** Returns the health of each informer, by its name. */
  public Map<String, InformerHealth> health() {
    Map<String, InformerHealth> health = new LinkedHashMap<>();
    snapshot().forEach(informer -> health.put(informer.name(), informer.health()));
    return Collections.unmodifiableMap(health);
  }

  private List<SharedIndexInformer<?>> snapshot() {
    lock.lock();
    try {
      return List.copyOf(informers.values());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Closes all informers: stops all at once, then waits for each as {@link
   * SharedIndexInformer#close} does. May be called more than once.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    List<SharedIndexInformer<?>> all = snapshot();
    all.forEach(SharedIndexInformer::stop);
    all.forEach(SharedIndexInformer::close);
  }

  /**
   * The informer of one resource, or of a part of it, in a factory, and its lister.
   *
   * <p>The methods of a generated factory return it: {@code factory.core().v1().pods()}. Immutable,
   * safe for use by many threads. Corresponds to the informers that client-go's informer-gen makes,
   * such as {@code informers/core/v1.PodInformer}.
   *
   * @param <T> the type of the objects
   */
  public static final class ResourceInformer<T extends KubernetesObject> {

    private final SharedInformerFactory factory;
    private final ResourceType<T> type;
    private final String namespace;
    private final ListOptions selectors;

    private ResourceInformer(
        SharedInformerFactory factory,
        ResourceType<T> type,
        String namespace,
        ListOptions selectors) {
      this.factory = factory;
      this.type = type;
      this.namespace = namespace;
      this.selectors = selectors;
    }

    /**
     * Returns the informer of one namespace.
     *
     * @param namespace the namespace, empty for all; ignored for a cluster-scoped resource
     */
    public ResourceInformer<T> inNamespace(String namespace) {
      return new ResourceInformer<>(
          factory, type, requireNonNull(namespace, "namespace"), selectors);
    }

    /**
     * Returns the informer of the objects with some labels, such as {@code "app=web,tier!=test"}.
     *
     * @throws IllegalArgumentException if this is not a selector
     */
    public ResourceInformer<T> withLabels(String selector) {
      return withLabels(Selector.parse(selector));
    }

    /** Returns the informer of the objects with some labels. */
    public ResourceInformer<T> withLabels(Selector selector) {
      return with(selectors.toBuilder().labelSelector(selector.toString()).build());
    }

    /**
     * Returns the informer of the objects with some fields, such as {@code "spec.nodeName=node-1"}.
     * The server decides which fields it can select by.
     *
     * @throws IllegalArgumentException if this is not a selector
     */
    public ResourceInformer<T> withFields(String selector) {
      return with(
          selectors.toBuilder().fieldSelector(FieldSelector.parse(selector).toString()).build());
    }

    /**
     * Returns the informer of the objects of a shard. If the server does not support shards, the
     * informer drops the other objects itself.
     */
    public ResourceInformer<T> withShard(ShardSelector selector) {
      return with(selectors.toBuilder().shardSelector(selector).build());
    }

    /**
     * Returns the informer that reads only these fields of the objects, such as {@code
     * "spec.nodeName"}, and those that are always kept; see {@link ResourceType#keep}. The objects
     * cannot be written back.
     *
     * @throws IllegalArgumentException if the objects have no such field
     */
    public ResourceInformer<T> keep(String... paths) {
      return new ResourceInformer<>(factory, type.keep(paths), namespace, selectors);
    }

    /**
     * Returns the informer that reads all fields of the objects but these; see {@link
     * ResourceType#drop}. The objects cannot be written back, unless only the managed fields are
     * missing.
     *
     * @throws IllegalArgumentException if the objects have no such field, or caches need it
     */
    public ResourceInformer<T> drop(String... paths) {
      return new ResourceInformer<>(factory, type.drop(paths), namespace, selectors);
    }

    /**
     * Returns the informer that reads the objects without their managed fields; see {@link
     * ResourceType#dropManagedFields}.
     */
    public ResourceInformer<T> dropManagedFields() {
      return new ResourceInformer<>(factory, type.dropManagedFields(), namespace, selectors);
    }

    /** Returns the informer that keeps only the metadata of the objects. */
    public ResourceInformer<PartialObjectMetadata> metadataOnly() {
      return new ResourceInformer<>(factory, type.metadataOnly(), namespace, selectors);
    }

    private ResourceInformer<T> with(ListOptions other) {
      return new ResourceInformer<>(factory, type, namespace, other);
    }

    /** Returns the type of the objects. */
    public ResourceType<T> type() {
      return type;
    }

    /** Returns the factory's informer of the resource; creates it if needed, but starts nothing. */
    public SharedIndexInformer<T> informer() {
      return factory.informer(type, namespace, selectors);
    }

    /** Returns a lister of the informer's cache. */
    public Lister<T> lister() {
      return informer().lister();
    }

    @Override
    public String toString() {
      return "ResourceInformer[" + type + "]";
    }
  }

  /** Builds a {@link SharedInformerFactory}. Not safe for use by many threads. */
  public static final class Builder {

    private final Source source;
    private String namespace = "";
    private String namePrefix = "";
    private UnaryOperator<ListOptions> tweakListOptions = UnaryOperator.identity();
    private Duration resyncPeriod = Duration.ZERO;
    private ReflectorOptions options = ReflectorOptions.defaults();
    private Function<String, InformerMetrics> metrics = name -> InformerMetrics.NONE;
    private Consumer<SharedIndexInformer.Builder<?>> configurationOfAll = any -> {};
    private final Map<Key, Consumer<SharedIndexInformer.Builder<?>>> configurations =
        new HashMap<>();
    private boolean dropManagedFields;

    private Builder(Source source) {
      this.source = requireNonNull(source, "source");
    }

    /** Sets the namespace of informers that are requested without one. Default: all namespaces. */
    public Builder namespace(String namespace) {
      this.namespace = requireNonNull(namespace, "namespace");
      return this;
    }

    /**
     * Sets the prefix of the names of all informers, in logs, threads and metrics: with several
     * clusters, the name of the cluster. Default: empty.
     */
    public Builder namePrefix(String namePrefix) {
      this.namePrefix = requireNonNull(namePrefix, "namePrefix");
      return this;
    }

    /**
     * Sets a function that changes the selectors of each new informer. Default: none.
     *
     * <p>Corresponds to client-go's {@code WithTweakListOptions}.
     */
    public Builder tweakListOptions(UnaryOperator<ListOptions> tweakListOptions) {
      this.tweakListOptions = requireNonNull(tweakListOptions, "tweakListOptions");
      return this;
    }

    /** Sets the default resync period of all informers. Default: zero, never. */
    public Builder resyncPeriod(Duration resyncPeriod) {
      this.resyncPeriod = requireNonNull(resyncPeriod, "resyncPeriod");
      return this;
    }

    /** Sets the options of requests and waits, the clock, and the threads. Default: client-go's. */
    public Builder options(ReflectorOptions options) {
      this.options = requireNonNull(options, "options");
      return this;
    }

    /** Sets a function that returns the metrics of an informer by its name. Default: none. */
    public Builder metrics(Function<String, InformerMetrics> metrics) {
      this.metrics = requireNonNull(metrics, "metrics");
      return this;
    }

    /**
     * Sets options of all informers, such as the error handler. The options of one resource are set
     * after these.
     */
    public Builder configureAll(Consumer<SharedIndexInformer.Builder<?>> configuration) {
      this.configurationOfAll = requireNonNull(configuration, "configuration");
      return this;
    }

    /**
     * Sets options of the informers of one resource, such as indices, a transform or another resync
     * period. They also hold for informers that read only some fields of the objects.
     *
     * <p>Corresponds to client-go's {@code WithCustomResyncConfig} and {@code WithTransform}.
     */
    public <T extends KubernetesObject> Builder configure(
        ResourceType<T> type, Consumer<? super SharedIndexInformer.Builder<T>> configuration) {
      requireNonNull(configuration, "configuration");
      configurations.put(
          key(type.whole(), "", ListOptions.NONE), any -> configuration.accept(cast(any)));
      return this;
    }

    @SuppressWarnings("unchecked") // Filed under the codec, so only called for its type.
    private static <T extends KubernetesObject> SharedIndexInformer.Builder<T> cast(
        SharedIndexInformer.Builder<?> builder) {
      return (SharedIndexInformer.Builder<T>) builder;
    }

    /**
     * Sets whether all informers read objects without their managed fields, as {@link
     * ResourceType#dropManagedFields} does for one type: a server with the gate {@code
     * ManagedFieldsOptOut} does not send them, and the reader skips them otherwise. Default: false.
     *
     * <p>Corresponds to KEP-5958, and to the transform that removes them in programs that use
     * client-go.
     */
    public Builder dropManagedFields(boolean dropManagedFields) {
      this.dropManagedFields = dropManagedFields;
      return this;
    }

    /** Returns a factory without informers. */
    public SharedInformerFactory build() {
      return new SharedInformerFactory(this);
    }
  }
}
