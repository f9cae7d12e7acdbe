package dev.clientgo.envtest.internal.schema;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fields that are allowed at a place in an object. */
public interface KnownFields {

  /** Allows any fields. */
  KnownFields ANYTHING = name -> KnownFields.ANYTHING;

  /** Allows the fields of the operations of a JSON patch. */
  KnownFields JSON_PATCH =
      name -> Set.of("op", "path", "from", "value").contains(name) ? ANYTHING : null;

  /** Returns the fields allowed inside a field, or null if the field is not allowed. */
  @Nullable KnownFields known(String name);

  /** Returns the fields allowed in the elements of the list at this place. */
  default KnownFields items() {
    return this;
  }

  /** Returns whether the content of this place is not checked. */
  default boolean isOpaque() {
    return false;
  }
}
