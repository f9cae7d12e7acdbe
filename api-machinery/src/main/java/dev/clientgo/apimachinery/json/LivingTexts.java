package dev.clientgo.apimachinery.json;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Large values by the text that they were read from, as long as somebody holds them.
 *
 * <p>Most events bring an object that the store has already, with a small difference: the spec of a
 * pod does not change, and yet comes with each change of its status. And a relist brings all that
 * was there before. Such a part is found here by the {@link Fingerprint} of its text, so that it
 * need not be decoded again, and the new object shares it with the old one.
 *
 * <p>The text is not kept, and the value only as long as others keep it: what has left the store is
 * forgotten. That costs some 56 bytes a value, which is why small ones are left to {@link
 * SharedTexts}. Not safe for use by many threads.
 */
final class LivingTexts {

  /** Shorter texts are not remembered. */
  static final int MIN_BYTES = 512;

  /** Longer texts are not remembered. */
  static final int MAX_BYTES = 64 << 10;

  private static final int FIRST_PLACES = 64;

  private final Fingerprint.Places places = Fingerprint.Places.any();
  private @Nullable LivingText[] table = new LivingText[FIRST_PLACES];
  private int taken;

  private static final class LivingText extends WeakReference<Object> {

    private final JsonCodec<?> codec;
    private final long a;
    private final long b;

    LivingText(JsonCodec<?> codec, Fingerprint text, Object value) {
      super(value);
      this.codec = codec;
      this.a = text.a();
      this.b = text.b();
    }

    boolean isReadBy(JsonCodec<?> codec, Fingerprint text) {
      return a == text.a() && b == text.b() && this.codec == codec;
    }
  }

  /** Returns the fingerprint of a text. */
  Fingerprint fingerprint(byte[] source, int from, int length) {
    return Fingerprint.of(source, from, length, places);
  }

  /** Returns what the codec has read from such a text before, if that is still in use. */
  @Nullable Object find(JsonCodec<?> codec, Fingerprint text) {
    LivingText found = table[place(codec, text)];
    return found == null ? null : found.get();
  }

  /** Remembers what the codec has read from a text. */
  void keep(JsonCodec<?> codec, Fingerprint text, Object value) {
    if (taken >= table.length / 2) {
      sweep();
    }
    int place = place(codec, text);
    if (table[place] == null) {
      taken++;
    }
    table[place] = new LivingText(codec, text, value);
  }

  /** Returns how many values are remembered, those included that are not in use any more. */
  int size() {
    return taken;
  }

  /** Returns the place that a text has, or would have. */
  private int place(JsonCodec<?> codec, Fingerprint text) {
    int place = (int) text.a() & (table.length - 1);
    for (LivingText each; (each = table[place]) != null && !each.isReadBy(codec, text); ) {
      place = (place + 1) & (table.length - 1);
    }
    return place;
  }

  /** Leaves out what is not in use any more, into a table of which at most a quarter is taken. */
  private void sweep() {
    LivingText[] old = table;
    int living = 0;
    for (LivingText each : old) {
      living += each != null && each.get() != null ? 1 : 0;
    }
    int length = FIRST_PLACES;
    while (length < living * 4) {
      length *= 2;
    }
    table = new LivingText[length];
    taken = 0;
    for (LivingText each : old) {
      if (each != null && each.get() != null) {
        int place = (int) each.a & (length - 1);
        while (table[place] != null) {
          place = (place + 1) & (length - 1);
        }
        table[place] = each;
        taken++;
      }
    }
  }
}
