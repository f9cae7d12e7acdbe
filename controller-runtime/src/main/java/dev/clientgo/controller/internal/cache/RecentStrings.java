package dev.clientgo.controller.internal.cache;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A set of strings whose memory is bounded: it keeps the {@value #CAPACITY} that were added or
 * asked for last. Safe for use by many threads.
 */
public final class RecentStrings {

  /** How many strings are kept. */
  public static final int CAPACITY = 50_000;

  private final Map<String, Boolean> strings =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
              return size() > CAPACITY;
            }
          });

  /** Returns whether a string was added. */
  public boolean contains(String string) {
    return strings.get(string) != null; // It is the one used last.
  }

  /** Adds a string. */
  public void add(String string) {
    strings.put(string, true);
  }

  /** Removes a string. */
  void remove(String string) {
    strings.remove(string);
  }
}
