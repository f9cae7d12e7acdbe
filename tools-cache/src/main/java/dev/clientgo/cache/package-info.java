/**
 * Informers: a local copy of a collection of the API server that is kept up to date, and handlers
 * that are called for each change. Controllers are built on them. This page follows a change
 * through an informer.
 *
 * <pre>{@code
 * API server
 *     │ list, then watch
 *     ▼
 * Reflector        speaks with the server; begins anew when it has lost the thread
 *     │ add, update, delete, replace, resync, bookmark
 *     ▼
 * RealFIFO         holds the changes, in the order in which they came
 *     │ Added, Updated, Deleted, ReplacedAll, SyncAll, Bookmark
 *     ▼
 * Controller       takes them out, one after the other, and for each:
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
 * collection and then watches it from the version that the list shows. A watch does not last: the
 * server ends it every few minutes, a proxy cuts it, the version it stands at becomes too old. Then
 * the Reflector watches again from the last version it has seen or, if that is no longer possible,
 * lists again. An object deleted in between is in neither the list nor any event, so a list means
 * more than its objects: an object that is <em>not</em> in it was deleted.
 *
 * <p><b>The queue</b> is there so that the watch can go on while the consumer is busy. {@link
 * dev.clientgo.cache.RealFIFO} passes on {@linkplain dev.clientgo.cache.Delta deltas} as they came,
 * a whole list as one of them. {@link dev.clientgo.cache.DeltaFIFO}, the queue of most articles
 * about informers, collects the deltas of each object and takes lists apart itself.
 *
 * <p><b>The copy</b> is an {@link dev.clientgo.cache.Indexer}: a map from keys, {@code
 * namespace/name}, to objects, with indices by whatever a function makes of an object. It is
 * changed before handlers are told, so when a handler hears of a change, the copy shows it, or
 * something newer. Reading it costs no request: {@link dev.clientgo.cache.Lister} reads it by
 * labels and names. The copy may be a little older than the server, and {@link
 * dev.clientgo.cache.Store#lastStoreSyncResourceVersion} tells its version; {@link
 * dev.clientgo.cache.MutationCache} puts a controller's own writes over it until the watch brings
 * them.
 *
 * <p><b>Handlers</b> are told of the difference that a delta makes to the copy: an {@code Added}
 * object that the copy has already is an update, and an object that is missing from a list is a
 * deletion, with a {@link dev.clientgo.cache.DeletedObject} in place of the final state, which is
 * not known. Each handler has a thread and a buffer of its own, so a slow one delays no other.
 *
 * <p><b>The work queue</b> is not in this package, but handlers exist to fill it: they put in the
 * key, and a worker takes it out and reads the copy. Ten changes of an object in a row become one
 * key and one read. A worker that fails puts the key back; one that is restarted sees all objects
 * again as {@code onAdd}. So a controller does not process events; it compares the actual state
 * with the desired state, one object at a time:
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
 * <p>All of this is put together by {@link dev.clientgo.cache.SharedIndexInformer}, and by {@link
 * dev.clientgo.cache.SharedInformerFactory} for many types: one informer of each, shared by all
 * controllers of a program. The parts can be used on their own, too: a Reflector can fill a plain
 * {@link dev.clientgo.cache.Store} if there are no handlers.
 *
 * <p><b>Where to find the parts.</b> Each part of client-go's informers is in the file of its name,
 * and the Javadoc at its top tells its purpose. The parts that are not public are in the sources
 * only:
 *
 * <ul>
 *   <li><em>Reflector</em>: {@code Reflector} is the state machine; its states are {@code
 *       ReflectorList}, {@code ReflectorWatchList} and {@code ReflectorWatch}, and what it
 *       remembers from one to the next is in {@code ReflectorPosition}. It speaks through a {@code
 *       ListerWatcher}, mostly a {@code ListWatch}.
 *   <li><em>DeltaFIFO</em>: {@code DeltaFIFO}, and {@code RealFIFO} in its place by default; {@code
 *       DeltaQueue} has what both have in common, {@code Delta} what is in them.
 *   <li><em>Controller</em>, the loop that empties the queue, and <em>processDeltas</em>, which
 *       changes the store and makes notifications: {@code Controller}.
 *   <li><em>Indexer</em>: {@code Indexer} is the interface, {@code IndexedStore} makes the keys,
 *       {@code ThreadSafeStore} has map and locks, {@code StoreIndex} the algorithm of the indices.
 *   <li><em>sharedProcessor</em>, all handlers and their resyncs: {@code SharedProcessor}.
 *   <li><em>processorListener</em>, one handler with its thread and its buffer: {@code
 *       ProcessorListener}.
 *   <li><em>SharedIndexInformer</em>: {@code SharedIndexInformer} puts the parts above together;
 *       the comment at its top shows the threads and the order of the locks.
 * </ul>
 *
 * <p>Corresponds to client-go's {@code tools/cache}.
 */
package dev.clientgo.cache;
