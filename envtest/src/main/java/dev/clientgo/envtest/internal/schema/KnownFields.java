package dev.clientgo.envtest.internal.schema;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fields that there may be at a place in an object. */
public interface KnownFields {

  /** Any fields at all. */
  KnownFields ANYTHING = name -> KnownFields.ANYTHING;

  /** Those of the operations of a JSON patch. */
  KnownFields JSON_PATCH =
      name -> Set.of("op", "path", "from", "value").contains(name) ? ANYTHING : null;

  /** Returns what there may be in a field, or null if there is no such field. */
  @Nullable KnownFields known(String name);

  /** Returns what there may be in the elements of the list at this place. */
  default KnownFields items() {
    return this;
  }

  /** Returns whether nobody looks at what is here. */
  default boolean isOpaque() {
    return false;
  }
}
