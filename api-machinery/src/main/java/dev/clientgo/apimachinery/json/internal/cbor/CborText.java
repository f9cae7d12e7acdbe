package dev.clientgo.apimachinery.json.internal.cbor;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.json.internal.intern.Pool;
import dev.clientgo.apimachinery.json.internal.utf8.ByteWindow;
import dev.clientgo.apimachinery.json.internal.utf8.Nesting;
import dev.clientgo.apimachinery.json.internal.utf8.ReaderErrors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes a data item of CBOR as the JSON text of the same value.
 *
 * <p>A server writes the fields of an object in a new order each time. The text has them in the
 * order of their names, so that equal values have equal texts.
 */
public final class CborText {

  private static final int SIZE = 256;

  private final CborScanner in;
  private final ByteWindow window;
  private final ReaderErrors errors;
  private final int maxDepth;

  private byte[] text = new byte[SIZE];
  private int length;

  private CborText(byte[] item, Pool pool, int maxDepth) {
    window = new ByteWindow(item);
    errors = new ReaderErrors(window, new Nesting());
    in = new CborScanner(window, pool, errors);
    this.maxDepth = maxDepth;
  }

  /** A field in the text. */
  private record Field(int start, int endOfName, int end) {}

  /**
   * Returns the text of an item.
   *
   * @param form the tag that the item inherits, 0 for none
   */
  public static byte[] json(byte[] item, int form, Pool pool, int maxDepth) {
    CborText all = new CborText(item, pool, maxDepth);
    all.value(form, 0);
    return Arrays.copyOf(all.text, all.length);
  }

  private void value(int form, int depth) {
    in.begin(form);
    int first = in.first();
    switch (first >> 5) {
      case CborScanner.BYTES, CborScanner.TEXT -> string();
      case CborScanner.ARRAY -> array(depth);
      case CborScanner.MAP -> object(depth);
      default -> scalar(first);
    }
  }

  private void scalar(int first) {
    switch (first) {
      case CborScanner.FALSE -> word("false");
      case CborScanner.TRUE -> word("true");
      case CborScanner.NULL -> word("null");
      default -> {
        if (CborScanner.isSimple(first)) {
          throw errors.mismatch("expected a value, found one that JSON does not have: " + first);
        }
        if (in.isTime()) {
          string();
        } else {
          ascii(in.number().toString());
          in.take();
        }
      }
    }
  }

  private void word(String word) {
    ascii(word);
    window.position++;
  }

  private void array(int depth) {
    int form = in.innerForm();
    long left = enter(depth);
    put('[');
    int begin = length;
    while (in.hasMore(left)) {
      if (length > begin) {
        put(',');
      }
      value(form, depth + 1);
      left = rest(left, 1);
    }
    put(']');
  }

  private long enter(int depth) {
    if (depth == maxDepth) {
      throw errors.mismatch("nesting of more than " + maxDepth + " levels");
    }
    return in.enter();
  }

  private static long rest(long left, int items) {
    return left == CborScanner.UNTIL_BREAK ? left : left - items;
  }

  private void object(int depth) {
    int form = in.innerForm();
    long left = enter(depth);
    put('{');
    List<Field> fields = new ArrayList<>();
    boolean ordered = true;
    while (in.hasMore(left)) {
      int start = length;
      name();
      int endOfName = length - 1; // without the quote, which would count as a character
      put(':');
      value(form, depth + 1);
      Field field = new Field(start, endOfName, length);
      put(',');
      ordered &= fields.isEmpty() || compare(fields.get(fields.size() - 1), field) <= 0;
      fields.add(field);
      left = rest(left, 2);
    }
    if (!ordered) {
      sort(fields);
    }
    if (fields.isEmpty()) {
      put('}');
    } else {
      text[length - 1] = '}'; // instead of the last comma
    }
  }

  private void name() {
    in.begin(0);
    int type = in.first() >> 5;
    if (type != CborScanner.BYTES && type != CborScanner.TEXT) {
      throw errors.mismatch("expected the name of a field, found another value");
    }
    string();
  }

  private int compare(Field a, Field b) {
    return Arrays.compareUnsigned(text, a.start, a.endOfName, text, b.start, b.endOfName);
  }

  private void sort(List<Field> fields) {
    int from = fields.get(0).start;
    byte[] unsorted = Arrays.copyOfRange(text, from, length);
    fields.sort(this::compare);
    int to = from;
    for (Field field : fields) {
      int size = field.end - field.start + 1; // with the comma
      System.arraycopy(unsorted, field.start - from, text, to, size);
      to += size;
    }
  }

  // -------------------------------------------------------------------------------------- Strings

  private void string() {
    put('"');
    int plain = in.plainLength();
    if (plain >= 0) {
      in.take();
      bytes(window.bytes, window.position, plain);
      window.position += plain;
    } else {
      escape(in.string());
    }
    put('"');
  }

  private void escape(String string) {
    StringBuilder escaped = new StringBuilder(string.length() + 16);
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') {
        escaped.append('\\').append(c);
      } else if (c < ' ') {
        escaped.append(String.format("\\u%04x", (int) c));
      } else {
        escaped.append(c);
      }
    }
    byte[] bytes = escaped.toString().getBytes(UTF_8);
    bytes(bytes, 0, bytes.length);
  }

  private void ascii(String ascii) {
    byte[] bytes = ascii.getBytes(US_ASCII);
    bytes(bytes, 0, bytes.length);
  }

  private void bytes(byte[] source, int from, int count) {
    makeRoom(count);
    System.arraycopy(source, from, text, length, count);
    length += count;
  }

  private void put(char c) {
    makeRoom(1);
    text[length++] = (byte) c;
  }

  private void makeRoom(int count) {
    if (length + count > text.length) {
      text = Arrays.copyOf(text, Math.max(text.length * 2, length + count));
    }
  }
}
