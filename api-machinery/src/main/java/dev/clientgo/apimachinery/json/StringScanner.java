package dev.clientgo.apimachinery.json;

/**
 * Reads the string at the position of a window.
 *
 * <p>It looks for the closing quote first, and on the way takes a hash and notes whether all is
 * plain ASCII. Then most strings are found in the pool as the bytes they are, and become no new
 * object; the others are decoded.
 */
final class StringScanner {

  /** Longer strings are refused: a bound against memory exhaustion, far above any real object. */
  private static final int MAX_BYTES = 64 << 20;

  private final ByteWindow in;
  private final DecodeContext context;
  private final ReaderErrors errors;
  private final StringDecoder decoder = new StringDecoder();

  /** Of the string that was scanned last: its bytes without the quotes, ... */
  private int length;

  /** ... the hash that it has if it is plain, ... */
  private int hash;

  /** ... and whether it is: ASCII without escapes. */
  private boolean plain;

  StringScanner(ByteWindow in, DecodeContext context, ReaderErrors errors) {
    this.in = in;
    this.context = context;
    this.errors = errors;
  }

  /** Reads a string, and moves behind it. */
  String read() {
    String simple = context.quoted(in.bytes, in.position + 1, in.end);
    if (simple != null) {
      in.position += simple.length() + 2;
      return simple;
    }
    scan();
    return take();
  }

  /** Skips a string, which must be well-formed nevertheless. */
  void skip() {
    scan();
    if (!plain) {
      decode();
    }
    moveBehind();
  }

  /**
   * Reads a name, without making a string of it if it is in a table.
   *
   * @return its index; negative if it is not in the table, and then it is still to be {@link #take
   *     taken}
   */
  int find(FieldNames names) {
    scan();
    int index = plain ? names.find(in.bytes, in.position + 1, length, hash) : JsonReader.END;
    if (index >= 0) {
      moveBehind();
    }
    return index;
  }

  /** Makes a string of the bytes that were scanned, and moves behind it. */
  String take() {
    String string;
    if (plain) {
      string = context.ascii(in.bytes, in.position + 1, length, hash);
    } else {
      decode();
      string = context.string(decoder.chars(), decoder.length());
    }
    moveBehind();
    return string;
  }

  private void moveBehind() {
    in.position += length + 2;
  }

  /** Finds the end of the string. */
  private void scan() {
    int hash = 0;
    boolean plain = true;
    int i = 1;
    while (true) {
      byte[] bytes = in.bytes;
      int start = in.position;
      int available = in.end - start;
      for (; i < available; i++) {
        byte b = bytes[start + i];
        if (b == '"') {
          this.length = i - 1;
          this.hash = hash;
          this.plain = plain;
          return;
        }
        if (b == '\\') {
          plain = false;
          i++; // whatever it is, it does not end the string
        } else if (b < ' ') {
          if (b >= 0) {
            throw errors.malformed("control character in a string", start + i);
          }
          plain = false;
        }
        hash = 31 * hash + b;
      }
      readOn(i);
    }
  }

  private void readOn(int scanned) {
    errors.checkSizeWithin(scanned);
    if (scanned > MAX_BYTES) {
      throw errors.unreadable("string of more than " + MAX_BYTES + " bytes", in.position);
    }
    if (!in.more()) {
      throw errors.truncated();
    }
  }

  private void decode() {
    int start = in.position + 1;
    if (!decoder.decode(in.bytes, start, start + length)) {
      throw errors.unreadable(decoder.problem(), decoder.place());
    }
  }
}
