package dev.clientgo.controller.internal.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.InformerHealth;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.cache.SharedInformerFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The informers that the controllers of a manager share, each with the number of its users. The
 * first user starts an informer, the last one ends it, and its watch with it.
 *
 * <p>Safe for use by many threads.
 */
public final class Informers implements AutoCloseable {

  /** The codec stands for the type of the objects. */
  private record Key(GroupVersionResource resource, JsonCodec<?> codec) {}

  private static final class Shared {
    final SharedIndexInformer<?> informer;
    int users;
    boolean closing;

    Shared(SharedIndexInformer<?> informer) {
      this.informer = informer;
    }
  }

  /**
   * One use of an informer.
   *
   * @param <T> the type of the objects
   */
  public final class Lease<T extends KubernetesObject> implements AutoCloseable {

    private final Key key;
    private final SharedIndexInformer<T> informer;

    @GuardedBy("lock")
    private boolean released;

    private Lease(Key key, SharedIndexInformer<T> informer) {
      this.key = key;
      this.informer = informer;
    }

    /** Returns the informer, which is running. */
    public SharedIndexInformer<T> informer() {
      return informer;
    }

    /** Ends this use; if it was the last one, ends the informer. May be called more than once. */
    @Override
    public void close() {
      lock.lock();
      try {
        if (released) {
          return;
        }
        released = true;
      } finally {
        lock.unlock();
      }
      release(key, informer);
    }
  }

  private final SharedInformerFactory factory;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closed = lock.newCondition();

  @GuardedBy("lock")
  private final Map<Key, Shared> informers = new HashMap<>();

  /** Creates an instance without informers. It closes the factory when it is closed. */
  public Informers(SharedInformerFactory factory) {
    this.factory = requireNonNull(factory, "factory");
  }

  /**
   * Returns a use of the informer of a type, which is created and started if there is none.
   *
   * @throws IllegalStateException if this is closed
   * @throws InterruptedException if the thread is interrupted while the informer's predecessor ends
   */
  public <T extends KubernetesObject> Lease<T> acquire(ResourceType<T> type)
      throws InterruptedException {
    Key key = new Key(type.resource(), type.codec());
    lock.lockInterruptibly();
    try {
      Shared shared = informers.get(key);
      while (shared != null && shared.closing) {
        closed.await();
        shared = informers.get(key);
      }
      if (shared == null) {
        SharedIndexInformer<T> informer = factory.informer(type);
        informer.start();
        shared = new Shared(informer);
        informers.put(key, shared);
      }
      shared.users++;
      @SuppressWarnings("unchecked") // The key has the codec, which makes objects of one type.
      SharedIndexInformer<T> informer = (SharedIndexInformer<T>) shared.informer;
      return new Lease<>(key, informer);
    } finally {
      lock.unlock();
    }
  }

  private void release(Key key, SharedIndexInformer<?> informer) {
    lock.lock();
    try {
      Shared shared = requireNonNull(informers.get(key), "the informer has no users");
      shared.users--;
      if (shared.users > 0) {
        return;
      }
      shared.closing = true;
    } finally {
      lock.unlock();
    }
    try {
      factory.stop(informer); // Not under the lock: it waits for threads, which may need it.
    } finally {
      lock.lock();
      try {
        informers.remove(key);
        closed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Returns the health of each informer, by its name. */
  public Map<String, InformerHealth> health() {
    return factory.health();
  }

  /** Ends all informers, used or not. */
  @Override
  public void close() {
    factory.close();
  }
}
