package dev.clientgo.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One index of a store: which keys are filed under which value. Values without keys are forgotten,
 * so that an index of short-lived things does not grow.
 *
 * <p>Not safe for use by many threads; the store's lock guards it.
 */
final class Index {

  /** A key if there is just one, which is the usual case in an index by owner, or a KeySet. */
  private final Map<String, Object> keysByValue = new HashMap<>();

  void add(String value, String key) {
    Object present = keysByValue.putIfAbsent(value, key);
    if (present instanceof KeySet keys) {
      keys.add(key);
    } else if (present instanceof String other && !other.equals(key)) {
      KeySet keys = new KeySet();
      keys.add(other);
      keys.add(key);
      keysByValue.put(value, keys);
    }
  }

  void remove(String value, String key) {
    Object present = keysByValue.get(value);
    if (present instanceof KeySet keys) {
      keys.remove(key);
      if (keys.size() == 1) {
        keys.forEach(last -> keysByValue.put(value, last));
      }
    } else if (key.equals(present)) {
      keysByValue.remove(value);
    }
  }

  /** Calls the action for each key that is filed under the value, once. */
  void forEachKey(String value, Consumer<? super String> action) {
    Object present = keysByValue.get(value);
    if (present instanceof KeySet keys) {
      keys.forEach(action);
    } else if (present instanceof String key) {
      action.accept(key);
    }
  }

  /** Returns how many keys are filed under the value. */
  int keyCount(String value) {
    Object present = keysByValue.get(value);
    return present instanceof KeySet keys ? keys.size() : present == null ? 0 : 1;
  }

  /** Returns all values under which something is filed. */
  List<String> values() {
    return new ArrayList<>(keysByValue.keySet());
  }
}
