package dev.clientgo.cache;

import dev.clientgo.apimachinery.runtime.KubernetesObject;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Takes the whole state of a collection, however a Reflector came by it, and puts it in place of
 * what the store has. Until then the store stays as it is: what was read in part is forgotten.
 *
 * <p>Used by one thread.
 *
 * @param <T> the type of the objects
 */
final class SnapshotStore<T extends KubernetesObject> {

  private static final Logger LOG = System.getLogger(Reflector.class.getName());

  private static final Duration SLOW = Duration.ofSeconds(10);

  private final String name;
  private final ReflectorStore<T> store;
  private final Supplier<Snapshot<T>> snapshots;
  private final ReflectorPosition position;
  private final ReflectorVitals vitals;
  private final InformerMetrics metrics;
  private final Clock clock;

  SnapshotStore(
      String name,
      ReflectorStore<T> store,
      Supplier<Snapshot<T>> snapshots,
      ReflectorPosition position,
      ReflectorVitals vitals,
      InformerMetrics metrics,
      Clock clock) {
    this.name = name;
    this.store = store;
    this.snapshots = snapshots;
    this.position = position;
    this.vitals = vitals;
    this.metrics = metrics;
    this.clock = clock;
  }

  /** Returns where to put what is read. */
  Snapshot<T> begin() {
    return snapshots.get();
  }

  /**
   * Replaces the content of the store.
   *
   * @param version which version the snapshot shows
   * @param start when reading it began
   * @param streamed whether it came as the initial events of a watch
   */
  void commit(Snapshot<T> snapshot, String version, long start, boolean streamed) {
    vitals.listed(snapshot.omitted());
    store.replace(snapshot.objects(), snapshot.unreadable(), version);
    position.replaced(version);
    Duration duration = Duration.ofNanos(clock.nanoTime() - start);
    metrics.listed(duration, snapshot.size(), streamed);
    if (duration.compareTo(SLOW) > 0) {
      LOG.log(
          Level.INFO,
          "Reading the collection took long: reflector={0} duration={1} objects={2}",
          name,
          duration,
          snapshot.size());
    }
  }
}
