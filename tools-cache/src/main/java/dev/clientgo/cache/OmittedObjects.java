package dev.clientgo.cache;

import dev.clientgo.cache.internal.errors.OmittedTracker;
import dev.clientgo.cache.internal.errors.OmittedTracker.Omission;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects whose newest state is missing from an informer's cache, because they could not be
 * decoded, or the transform or an index function failed on them. The cache keeps the last good
 * state of such an object, or does not have the object at all. An object is counted until a newer
 * state of it reaches the cache, or it is deleted.
 *
 * <p>Immutable. client-go has nothing like it: there an object that cannot be decoded fails the
 * whole list, and a failing index function is a panic.
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

  /** Returns whether there are none. */
  public boolean isEmpty() {
    return count == 0;
  }

  /** Returns the number of objects. */
  public int count() {
    return count;
  }

  /** Returns how many could not be decoded; a function of the program failed on the others. */
  public int undecodable() {
    return undecodable;
  }

  /** Returns the keys, {@code namespace/name}, of the first ten objects whose names are known. */
  public List<String> names() {
    return names;
  }

  /** Returns the error of the first object, empty if there is none. */
  public Optional<RuntimeException> cause() {
    return Optional.ofNullable(cause);
  }

  /**
   * Returns whether a program that needs the cache should not start: a function of the program
   * failed, or the server has objects but the cache has none.
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

  /** Returns the objects that one of two stages left out. */
  static OmittedObjects of(
      OmittedTracker reading, OmittedTracker storing, BooleanSupplier cacheIsEmpty) {
    if (reading.isEmpty() && storing.isEmpty()) {
      return NONE;
    }
    Map<String, Omission> named = new LinkedHashMap<>();
    List<Omission> all = new ArrayList<>();
    reading.copyTo(named, all);
    storing.copyTo(named, all);
    all.addAll(named.values());
    return new OmittedObjects(
        all.size(),
        (int) all.stream().filter(Omission::undecodable).count(),
        cacheIsEmpty.getAsBoolean(),
        named.keySet().stream().limit(OmittedTracker.DETAILS).toList(),
        all.stream().map(Omission::cause).filter(Objects::nonNull).findFirst().orElse(null));
  }
}
