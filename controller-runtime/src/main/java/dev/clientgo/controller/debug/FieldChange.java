package dev.clientgo.controller.debug;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A field that differs between two states of an object.
 *
 * @param path the field, such as {@code spec.replicas} or {@code
 *     status.conditions[type=Ready].status}
 * @param before the old value as JSON, cut off if it is long; null if the field was absent
 * @param after the new value as JSON, cut off if it is long; null if the field is absent
 */
public record FieldChange(String path, @Nullable String before, @Nullable String after) {

  public FieldChange {
    requireNonNull(path, "path");
  }

  /** Returns {@code spec.replicas: 1 -> 2}. */
  @Override
  public String toString() {
    return path
        + ": "
        + (before == null ? "(absent)" : before)
        + " -> "
        + (after == null ? "(absent)" : after);
  }
}
