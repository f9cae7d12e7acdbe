package dev.clientgo.cache;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.runtime.KubernetesObject;
import dev.clientgo.apimachinery.watch.WatchEvent;

/**
 * Takes the initial events of a streaming list, up to the bookmark that ends them. Objects may
 * change or disappear while they are sent; the snapshot shows the outcome.
 *
 * <p>Each case returns whether the initial events are complete. Used by one thread.
 *
 * @param <T> the type of the objects
 */
final class InitialEvents<T extends KubernetesObject> implements WatchEvent.Cases<T, Boolean> {

  private final Snapshot<T> snapshot;
  private String resourceVersion = "";

  InitialEvents(Snapshot<T> snapshot) {
    this.snapshot = snapshot;
  }

  Snapshot<T> snapshot() {
    return snapshot;
  }

  /** Returns which version the snapshot shows, once it is complete. */
  String resourceVersion() {
    return resourceVersion;
  }

  @Override
  public Boolean added(T object) {
    snapshot.put(object);
    return false;
  }

  @Override
  public Boolean modified(T object) {
    snapshot.put(object);
    return false;
  }

  @Override
  public Boolean deleted(T object) {
    snapshot.remove(object);
    return false;
  }

  @Override
  public Boolean bookmark(String resourceVersion, boolean initialEventsEnd) {
    // An ordinary bookmark says nothing yet: more initial events may follow.
    if (initialEventsEnd) {
      this.resourceVersion = resourceVersion;
    }
    return initialEventsEnd;
  }

  @Override
  public Boolean failed(KubernetesException error) {
    if (error instanceof CodecException codec && codec.isRecoverable()) {
      if (codec.isInDeleted()) {
        snapshot.deletedUndecodable(codec);
      } else {
        snapshot.undecodable(codec);
      }
      return false;
    }
    throw error;
  }
}
