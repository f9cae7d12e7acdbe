package dev.clientgo.events.internal.recording;

import java.nio.charset.StandardCharsets;

/** Cuts notes to the 1024 bytes that a server accepts. */
public final class NoteLimit {

  /** The longest note that a server accepts, in bytes. */
  public static final int MAX_BYTES = 1024;

  private static final String ELLIPSIS = "...";

  private NoteLimit() {}

  /** Returns a note of at most 1024 bytes: the same one, or its beginning and three dots. */
  public static String cut(String note) {
    if (note.length() * 3L <= MAX_BYTES
        || note.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES) {
      return note;
    }
    int bytes = ELLIPSIS.length();
    int end = 0;
    while (end < note.length()) {
      int character = note.codePointAt(end);
      bytes += utf8Length(character);
      if (bytes > MAX_BYTES) {
        break;
      }
      end += Character.charCount(character);
    }
    return note.substring(0, end) + ELLIPSIS;
  }

  private static int utf8Length(int character) {
    if (character < 0x80) {
      return 1;
    } else if (character < 0x800) {
      return 2;
    } else {
      return character < 0x10000 ? 3 : 4;
    }
  }
}
