/**
 * Informers: a local copy of a collection of the API server that is kept up to date, and handlers
 * that are called for each change. Controllers are built on them. This page follows a change
 * through an informer.
 *
 * <pre>{@code
 * API server
 *     │ list, then watch
 *     ▼
 * Reflector        reads from the server; lists again when a watch cannot be resumed
 *     │ add, update, delete, replace, resync, bookmark
 *     ▼
 * RealFIFO         holds the changes, in the order in which they came
 *     │ Added, Updated, Deleted, ReplacedAll, SyncAll, Bookmark
 *     ▼
 * Controller       takes deltas, one after the other, and for each:
 *     │
 *     ├─ 1 ─►  Indexer ◄─── Lister   the copy, and its readers
 *     │
 *     └─ 2 ─►  ResourceEventHandler  onAdd, onUpdate, onDelete
 *                  │ the key of the object
 *                  ▼
 *              work queue ───► worker: reads the Indexer, writes to the API server
 * }</pre>
 *
 * <p><b>From the server to the queue.</b> A {@link dev.clientgo.cache.Reflector} lists the
 * collection and then watches it from the version of the list. A watch does not last: the server
 * ends it every few minutes, a proxy cuts it, or its version expires. Then the Reflector watches
 * again from the last version it has seen or, if that is no longer possible, lists again. If an
 * object was deleted in between, neither the list nor any event contains it. So an object that is
 * <em>not</em> in a list was deleted. If an informer follows a shard that grows, the Reflector
 * lists only what is new in it, where the server can select it, and watches from the version
 * before.
 *
 * <p><b>The queue</b> lets the watch continue while the consumer is busy. {@link
 * dev.clientgo.cache.RealFIFO} passes on {@linkplain dev.clientgo.cache.Delta deltas} in the order
 * of arrival, a whole list as one of them. {@link dev.clientgo.cache.DeltaFIFO}, the queue of most
 * articles about informers, collects the deltas of each object and splits lists itself.
 *
 * <p><b>The copy</b> is an {@link dev.clientgo.cache.Indexer}: a map from keys, {@code
 * namespace/name}, to objects, with indices by the values of any function of an object. It changes
 * before handlers are notified, so when a handler receives a change, the copy shows that change or
 * a newer one. Reading it costs no request: {@link dev.clientgo.cache.Lister} reads it by labels
 * and names. Several reads of one {@link dev.clientgo.cache.IndexSnapshot} agree; to take one costs
 * nothing, and no reader holds up the informer. The copy may be a little older than the server;
 * {@link dev.clientgo.cache.Store#lastStoreSyncResourceVersion} returns its version.
 *
 * <p><b>Handlers</b> receive the difference that a delta makes to the copy. An {@code Added} object
 * that the copy already has is an update. An object that is missing from a list is a deletion, with
 * a {@link dev.clientgo.cache.DeletedObject} instead of the unknown final state. Each handler has
 * its own buffer, and its own thread while it has something to do, so a slow handler does not delay
 * the others.
 *
 * <p><b>The work queue</b> is not in this package, but handlers exist to fill it: they add the key,
 * and a worker takes it and reads the copy. Ten changes of an object in a row become one key and
 * one read. If a worker fails, it adds the key again; after a restart, {@code onAdd} comes for
 * every object. So a controller does not process events; it compares the actual state with the
 * desired state, one object at a time:
 *
 * <pre>{@code
 * try (SharedIndexInformer<Pod> informer = SharedIndexInformer.builder(listWatch).build()) {
 *   informer.addEventHandler(ResourceEventHandler.keys(queue::add));
 *   informer.start();
 *   informer.awaitSynced(Duration.ofMinutes(1)); // the whole first list is in the copy
 *   reconcileEachNameFrom(queue, informer.indexer());
 * }
 * }</pre>
 *
 * <p>{@link dev.clientgo.cache.SharedIndexInformer} connects these parts, and {@link
 * dev.clientgo.cache.SharedInformerFactory} holds one informer for each type, shared by all
 * controllers of a program. The parts also work alone: a Reflector can fill a plain {@link
 * dev.clientgo.cache.Store} if there are no handlers.
 *
 * <p><b>Where to find the parts.</b> Each part of client-go's informers is in the file of its name,
 * and the Javadoc at its top states its purpose. The parts that are not public are in the sources
 * only:
 *
 * <ul>
 *   <li><em>Reflector</em>: {@code Reflector} is the state machine; its states are {@code
 *       ReflectorList}, {@code ReflectorWatchList} and {@code ReflectorWatch} in the package {@code
 *       internal.reflector}, where {@code ReflectorPosition} keeps the version from one to the
 *       next. It sends requests through a {@code ListerWatcher}, mostly a {@code ListWatch}.
 *   <li><em>DeltaFIFO</em>: {@code DeltaFIFO}, and {@code RealFIFO} in its place by default; {@code
 *       DeltaQueue} is their common part, and {@code Delta} their entries.
 *   <li><em>Controller</em>, the loop that empties the queue, and <em>processDeltas</em>, which
 *       changes the store and makes notifications: {@code Controller}.
 *   <li><em>Indexer</em>: {@code Indexer} is the interface, {@code ThreadSafeStore} makes the keys
 *       and admits one writer at a time, {@code IndexSnapshot} is the content, {@code StoreIndex}
 *       its indices, {@code HashTrie} the map of both.
 *   <li><em>sharedProcessor</em>, all handlers and their resyncs: {@code SharedProcessor}.
 *   <li><em>processorListener</em>, one handler with its buffer and the task that calls it: {@code
 *       ProcessorListener}.
 *   <li><em>SharedIndexInformer</em>: {@code SharedIndexInformer} is the interface, {@code
 *       InformerPipeline} puts the parts above together; the comment at its top shows the threads
 *       and the order of the locks.
 * </ul>
 *
 * <p>Corresponds to client-go's {@code tools/cache}.
 */
package dev.clientgo.cache;
