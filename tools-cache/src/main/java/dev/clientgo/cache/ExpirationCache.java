package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.cache.ThreadSafeStore.Change;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store whose objects expire, for results that a program looks up and keeps for a while. Adding
 * an object again resets its age.
 *
 * <p>Expired objects are removed when they are read: by {@link #get}, {@link #getByKey} and {@link
 * #list}. Until then {@link #listKeys} still returns their keys.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code tools/cache.ExpirationCache}.
 *
 * @param <T> the type of the objects
 */
public final class ExpirationCache<T> implements Store<T> {

  /** A stored object and the time at which it was put in. Compared by identity. */
  private static final class TimestampedEntry<T> {
    final String key;
    final T object;
    final long timestamp;

    TimestampedEntry(String key, T object, long timestamp) {
      this.key = key;
      this.object = object;
      this.timestamp = timestamp;
    }
  }

  private final ThreadSafeStore<TimestampedEntry<T>> storage = new ThreadSafeStore<>(Map.of());
  private final KeyFunction<? super T> keyFunction;
  private final ExpirationPolicy<? super T> policy;
  private final Clock clock;

  private ExpirationCache(
      KeyFunction<? super T> keyFunction, ExpirationPolicy<? super T> policy, Clock clock) {
    this.keyFunction = requireNonNull(keyFunction, "keyFunction");
    this.policy = requireNonNull(policy, "policy");
    this.clock = requireNonNull(clock, "clock");
  }

  /**
   * Returns an empty cache whose objects expire after that time. Corresponds to client-go's {@code
   * NewTTLStore}.
   */
  public static <T> ExpirationCache<T> create(KeyFunction<? super T> keyFunction, Duration ttl) {
    return create(keyFunction, ExpirationPolicy.timeToLive(ttl), Clock.system());
  }

  /** Returns an empty cache with that policy and that clock. */
  public static <T> ExpirationCache<T> create(
      KeyFunction<? super T> keyFunction, ExpirationPolicy<? super T> policy, Clock clock) {
    return new ExpirationCache<>(keyFunction, policy, clock);
  }

  @Override
  public void add(T object) {
    storage.apply(put(object));
  }

  @Override
  public void update(T object) {
    add(object);
  }

  @Override
  public void delete(T object) {
    storage.apply(deletion(object));
  }

  @Override
  public void deleteByKey(String key) {
    storage.apply(Change.deleteByKey(key));
  }

  @Override
  public void transaction(List<Transaction<T>> changes) {
    storage.transaction(changes, this::put, this::deletion);
  }

  private Change<TimestampedEntry<T>> put(T object) {
    TimestampedEntry<T> entry = timestamped(object);
    return new Change<>(entry.key, entry, Change.resourceVersionOf(object));
  }

  private Change<TimestampedEntry<T>> deletion(T object) {
    String key = keyFunction.requireKeyOf(object);
    return new Change<>(key, null, Change.resourceVersionOf(object));
  }

  private TimestampedEntry<T> timestamped(T object) {
    return new TimestampedEntry<>(keyFunction.requireKeyOf(object), object, clock.nanoTime());
  }

  @Override
  public void replace(List<T> objects, String resourceVersion) {
    requireNonNull(resourceVersion, "resourceVersion");
    Map<String, TimestampedEntry<T>> entries = new HashMap<>();
    for (T object : objects) {
      TimestampedEntry<T> entry = timestamped(object);
      entries.put(entry.key, entry);
    }
    storage.replace(entries, resourceVersion);
  }

  @Override
  public Optional<T> get(T object) {
    return getByKey(keyFunction.requireKeyOf(object));
  }

  @Override
  public Optional<T> getByKey(String key) {
    return Optional.ofNullable(getOrExpire(storage.snapshot().get(key)));
  }

  @Override
  public List<T> list() {
    List<T> objects = new ArrayList<>();
    for (TimestampedEntry<T> entry : storage.snapshot().list()) {
      T object = getOrExpire(entry);
      if (object != null) {
        objects.add(object);
      }
    }
    return Collections.unmodifiableList(objects);
  }

  private @Nullable T getOrExpire(@Nullable TimestampedEntry<T> entry) {
    if (entry == null) {
      return null;
    }
    if (policy.isExpired(entry.object, Duration.ofNanos(clock.nanoTime() - entry.timestamp))) {
      // Not by the key alone: another thread may have put a new object in its place.
      storage.deleteIfSame(entry.key, entry);
      return null;
    }
    return entry.object;
  }

  @Override
  public List<String> listKeys() {
    return storage.snapshot().listKeys();
  }

  @Override
  public void bookmark(String resourceVersion) {
    storage.bookmark(requireNonNull(resourceVersion, "resourceVersion"));
  }

  @Override
  public String lastStoreSyncResourceVersion() {
    return storage.snapshot().resourceVersion();
  }
}
