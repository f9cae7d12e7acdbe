package dev.clientgo.events.correlation;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that forgets the entry that was used least recently when it grows too large. */
final class LruCache<K, V> extends LinkedHashMap<K, V> {

  private static final long serialVersionUID = 1;

  private final int maxSize;

  LruCache(int maxSize) {
    super(16, 0.75f, /* accessOrder= */ true);
    this.maxSize = maxSize;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > maxSize;
  }
}
