package dev.clientgo.apimachinery.meta.options;

import org.jspecify.annotations.Nullable;

/** Checks names of field managers as the server does. */
final class FieldManager {

  private static final int MAX_LENGTH = 128;

  private FieldManager() {}

  static @Nullable String check(@Nullable String name) {
    if (name == null) {
      return null;
    }
    if (name.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "the name of the field manager must have at most "
              + MAX_LENGTH
              + " characters, but has "
              + name.length());
    }
    for (int i = 0; i < name.length(); i++) {
      if (Character.isISOControl(name.charAt(i))) {
        throw new IllegalArgumentException(
            "the name of the field manager must consist of printable characters, but is not"
                + " printable at character "
                + (i + 1));
      }
    }
    return name;
  }
}
