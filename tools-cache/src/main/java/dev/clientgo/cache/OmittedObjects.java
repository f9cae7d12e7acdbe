package dev.clientgo.cache;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The objects that the server has and of which an informer's cache does not show the newest state:
 * they could not be decoded, or the transform or an index function failed on them. The cache keeps
 * the last good state of such an object, or does not have the object at all. An object is no longer
 * counted once a newer state of it has reached the cache, or it is deleted.
 *
 * <p>Immutable. client-go has nothing like it: there an object that cannot be decoded fails the
 * whole list, and an index function that fails is a panic.
 */
public final class OmittedObjects {

  static final OmittedObjects NONE = new OmittedObjects(0, 0, false, List.of(), null);

  private final int count;
  private final int undecodable;
  private final boolean cacheIsEmpty;
  private final List<String> names;
  private final @Nullable RuntimeException cause;

  OmittedObjects(
      int count,
      int undecodable,
      boolean cacheIsEmpty,
      List<String> names,
      @Nullable RuntimeException cause) {
    this.count = count;
    this.undecodable = undecodable;
    this.cacheIsEmpty = cacheIsEmpty;
    this.names = List.copyOf(names);
    this.cause = cause;
  }

  /** Returns whether there are none, which is the normal case. */
  public boolean isEmpty() {
    return count == 0;
  }

  /** Returns how many they are. */
  public int count() {
    return count;
  }

  /**
   * Returns how many of them could not be decoded; a function of the program failed on the rest.
   */
  public int undecodable() {
    return undecodable;
  }

  /** Returns the keys of the first ten, as far as their names are known: {@code namespace/name}. */
  public List<String> names() {
    return names;
  }

  /** Returns the error that the first of them met, empty if there is none. */
  public Optional<RuntimeException> cause() {
    return Optional.ofNullable(cause);
  }

  /**
   * Returns whether a program that needs the cache should not start: a function of the program
   * failed, or the cache has no object although the server has some.
   */
  boolean isFatal() {
    return count > undecodable || (count > 0 && cacheIsEmpty);
  }

  @Override
  public String toString() {
    if (count == 0) {
      return "no objects omitted";
    }
    StringBuilder text = new StringBuilder();
    text.append(count).append(count == 1 ? " object" : " objects").append(" omitted");
    if (!names.isEmpty()) {
      text.append(": ").append(String.join(", ", names));
      if (count > names.size()) {
        text.append(" and ").append(count - names.size()).append(" more");
      }
    }
    if (cause != null) {
      text.append(count == 1 ? "; because of: " : "; the first because of: ");
      text.append(cause.getMessage());
    }
    return text.toString();
  }
}
