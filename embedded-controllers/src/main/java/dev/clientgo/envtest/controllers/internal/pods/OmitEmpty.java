package dev.clientgo.envtest.controllers.internal.pods;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Leaves fields of a status out that a real server does not send: zeros and empty lists. */
public final class OmitEmpty {

  private OmitEmpty() {}

  /** Returns the number, or null for zero. */
  public static @Nullable Integer zero(int number) {
    return number == 0 ? null : number;
  }

  /** Returns the list, or null for an empty one. */
  public static <C extends Collection<?>> @Nullable C empty(C list) {
    return list.isEmpty() ? null : list;
  }
}
