package dev.clientgo.apimachinery.meta;

import org.jspecify.annotations.Nullable;

/** What a server accepts as the name of a field manager. */
final class FieldManager {

  private static final int MAX_LENGTH = 128;

  private FieldManager() {}

  static @Nullable String check(@Nullable String name) {
    if (name == null) {
      return null;
    }
    if (name.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "the field manager must be no more than "
              + MAX_LENGTH
              + " characters, but has "
              + name.length());
    }
    for (int i = 0; i < name.length(); i++) {
      if (Character.isISOControl(name.charAt(i))) {
        throw new IllegalArgumentException(
            "the field manager must consist of characters that can be printed, unlike character "
                + (i + 1));
      }
    }
    return name;
  }
}
