package dev.clientgo.apimachinery.json;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.internal.cbor.CborScanner;
import dev.clientgo.apimachinery.json.internal.cbor.CborSkipper;
import dev.clientgo.apimachinery.json.internal.cbor.CborText;
import dev.clientgo.apimachinery.json.internal.utf8.ByteWindow;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reader of CBOR for the codecs of JSON. It returns the values that the JSON of the same object
 * has: a whole number of floating point is whole, bytes with a tag are text in their encoding.
 *
 * <p>An array or map begins with the number of its items, or ends with a break. So the reader
 * counts the items that are left in each of those around it; the names of a map are items too.
 * {@link CborScanner} reads single items, {@link CborSkipper} passes over them.
 *
 * <p>Corresponds to the modes of decoding of apimachinery's {@code serializer/cbor}. Unlike
 * upstream: of two fields of the same name the last one counts, as in JSON.
 */
final class CborReader extends StreamReader {

  private static final boolean OBJECT = true;
  private static final boolean ARRAY = false;

  private final CborScanner scanner;
  private final CborSkipper skipper;

  /** By depth: the number of items of which the reader has not read the first byte. */
  private long[] left = {CborScanner.UNTIL_BREAK, 0, 0, 0, 0, 0, 0, 0};

  /** By depth: the form of the strings in the array or map. */
  private int[] forms = new int[8];

  CborReader(ByteWindow in, DecodeContext context) {
    this(in, context, 0);
  }

  private CborReader(ByteWindow in, DecodeContext context, int form) {
    super(in, context);
    forms[0] = form;
    scanner = new CborScanner(in, context.strings(), errors);
    skipper = new CborSkipper(in, scanner, errors);
  }

  // ---------------------------------------------------------------------------------- Structure

  @Override
  public Token peek() {
    if (!pending) {
      errors.rethrow();
      if (nesting.depth() > 0) {
        throw new IllegalStateException("no value here; move to the next one first");
      }
      if (in.byteAt(0) < 0) {
        return Token.END_OF_STREAM;
      }
      moveToValue();
    }
    valueOffset = offset();
    int first = scanner.first();
    return switch (first >> 5) {
      case CborScanner.UNSIGNED, CborScanner.NEGATIVE -> number();
      case CborScanner.BYTES, CborScanner.TEXT -> Token.STRING;
      case CborScanner.ARRAY -> Token.ARRAY;
      case CborScanner.MAP -> Token.OBJECT;
      default -> simple(first);
    };
  }

  private Token number() {
    return scanner.isTime() ? Token.STRING : Token.NUMBER;
  }

  private Token simple(int first) {
    return switch (first) {
      case CborScanner.FALSE, CborScanner.TRUE -> Token.BOOLEAN;
      case CborScanner.NULL -> Token.NULL;
      case CborScanner.HALF, CborScanner.SINGLE, CborScanner.DOUBLE -> number();
      default -> {
        if (CborScanner.isSimple(first)) {
          throw mismatch("expected a value, found one that JSON does not have: " + first);
        }
        throw errors.malformed(
            "expected a value, found byte 0x" + Integer.toHexString(first), in.position);
      }
    };
  }

  @Override
  void require(@Nullable Token token, String expected) {
    Token found = peek();
    if (found == Token.END_OF_STREAM) {
      throw errors.truncated();
    }
    if (token != null && found != token) {
      throw mismatch("expected " + expected + ", found " + found.description());
    }
  }

  @Override
  boolean isAtNull() {
    return pending ? scanner.first() == CborScanner.NULL : peek() == Token.NULL;
  }

  @Override
  public void beginObject() {
    require(Token.OBJECT, "an object");
    begin(OBJECT);
  }

  @Override
  public void beginArray() {
    require(Token.ARRAY, "an array");
    begin(ARRAY);
  }

  private void begin(boolean object) {
    if (nesting.depth() == MAX_DEPTH) {
      throw errors.unreadable("nesting of more than " + MAX_DEPTH + " levels", in.position);
    }
    int form = scanner.innerForm();
    long items = scanner.enter();
    taken();
    nesting.enter(object);
    int depth = nesting.depth();
    if (depth == left.length) {
      left = Arrays.copyOf(left, depth * 2);
      forms = Arrays.copyOf(forms, depth * 2);
    }
    left[depth] = items;
    forms[depth] = form;
  }

  /** Counts an item of which the reader has read at least the head. */
  private void taken() {
    pending = false;
    count();
  }

  private void count() {
    int depth = nesting.depth();
    if (left[depth] != CborScanner.UNTIL_BREAK) {
      left[depth]--;
    }
  }

  @Override
  public boolean nextElement() {
    if (!advance(ARRAY)) {
      return false;
    }
    if (cut.isAt(nesting.depth())) {
      cut.element(nesting.depth());
    }
    moveToValue();
    return true;
  }

  @Override
  public @Nullable String nextName() {
    while (advance(OBJECT)) {
      String name = readName();
      if (isKept(name)) {
        return name;
      }
    }
    return null;
  }

  @Override
  public int nextField(FieldNames fields) {
    while (advance(OBJECT)) {
      int field = readField(fields);
      String name = requireNonNull(nesting.name());
      if (!isKept(name)) {
        skip();
      } else if (field < 0 && isRest()) {
        readRest(name);
      } else if (field < 0 || isAtNull()) {
        skip();
      } else {
        return field;
      }
    }
    return END;
  }

  /** Reads a name, and returns its index or a negative number. A known one needs no string. */
  private int readField(FieldNames fields) {
    int length = scanner.shortName();
    int field = length < 0 ? -1 : fields.find(in.bytes, in.position + 1, length, scanner.hash());
    if (field < 0) {
      return fields.find(readName());
    }
    in.position += 1 + length;
    named(fields.name(field));
    return field;
  }

  private String readName() {
    nesting.name(null);
    scanner.begin(0);
    int type = scanner.first() >> 5;
    if (type != CborScanner.BYTES && type != CborScanner.TEXT) {
      throw errors.unreadable("expected the name of a field, found another value", in.position);
    }
    String name = scanner.string();
    named(name);
    return name;
  }

  private void named(String name) {
    nesting.name(name);
    count();
    moveToValue();
  }

  private void moveToValue() {
    scanner.begin(forms[nesting.depth()]);
    pending = true;
  }

  /** Moves to the next element or name, or leaves the array or object. */
  private boolean advance(boolean object) {
    skipUnread();
    errors.rethrow();
    if (!nesting.isIn(object)) {
      throw new IllegalStateException(object ? "not in an object" : "not in an array");
    }
    if (scanner.hasMore(left[nesting.depth()])) {
      nesting.beginElement();
      return true;
    }
    valueOffset = offset();
    nesting.leave();
    return false;
  }

  // ----------------------------------------------------------------------------------- Skipping

  @Override
  public void leave(int outer) {
    if (errors.mustSkip() && (nesting.depth() > outer || pending || skipper.isWithin())) {
      errors.skipped();
      in.unmarkIfTooLarge();
      skipper.resume();
    }
    errors.rethrow();
    while (nesting.depth() > outer) {
      long items = left[nesting.depth()];
      pending = false;
      nesting.leave();
      skipper.skip(items);
    }
  }

  @Override
  public void skip() {
    if (peekAny()) {
      taken();
      skipper.skip(1);
    } else {
      throw errors.truncated();
    }
  }

  /** Returns whether there is a value, of whatever type. */
  private boolean peekAny() {
    return pending || peek() != Token.END_OF_STREAM;
  }

  @Override
  void skipUnread() {
    if (pending) {
      skip();
    }
  }

  // ------------------------------------------------------------------------------------ Scalars

  @Override
  public boolean nextNull() {
    if (!isAtNull()) {
      return false;
    }
    takeWord();
    return true;
  }

  @Override
  public boolean nextBoolean() {
    require(Token.BOOLEAN, "true or false");
    boolean value = scanner.first() == CborScanner.TRUE;
    takeWord();
    return value;
  }

  private void takeWord() {
    in.position++;
    taken();
  }

  @Override
  public String nextString() {
    require(Token.STRING, "a string");
    String value = scanner.string();
    taken();
    return value;
  }

  @Override
  long whole(String expected) {
    require(Token.NUMBER, expected);
    Number number = scanner.number();
    if (number instanceof Long value) {
      return value;
    }
    throw mismatch("expected " + expected + ", found " + number);
  }

  @Override
  public double nextDouble() {
    require(Token.NUMBER, "a number");
    double value = scanner.number().doubleValue();
    takeNumber();
    return value;
  }

  @Override
  public Number nextNumber() {
    require(Token.NUMBER, "a number");
    Number value = scanner.number();
    takeNumber();
    return value;
  }

  @Override
  void takeNumber() {
    scanner.take();
    taken();
  }

  // -------------------------------------------------------------------------------- Whole values

  @Override
  boolean isStructure() {
    int type = pending ? scanner.first() >> 5 : CborScanner.SIMPLE;
    return type == CborScanner.ARRAY || type == CborScanner.MAP;
  }

  /** {@inheritDoc} A server writes fields in a new order each time, so no bytes repeat. */
  @Override
  public <T> T nextValue(JsonCodec<T> codec) {
    return codec.read(this);
  }

  @Override
  public <T> List<T> nextList(JsonCodec<T> codec) {
    return readList(codec);
  }

  /** {@inheritDoc} The fields of each object are in the order of their names, as servers write. */
  @Override
  public RawJson nextRaw() {
    require(null, "a value");
    if (isStructure() && cut.isAt(nesting.depth() + 1)) {
      return RawJson.of(JsonCodecs.TREE, JsonCodecs.TREE.read(this));
    }
    int form = scanner.form();
    byte[] item = nextItem();
    long start = offset() - item.length;
    try {
      return context.share(RawJson.wrap(CborText.json(item, form, context.strings(), MAX_DEPTH)));
    } catch (CodecException e) {
      throw CodecException.mismatch(e.problem(), path(), start + e.offset(), e);
    }
  }

  @Override
  public JsonReader nextReader() {
    require(null, "a value");
    int form = scanner.form();
    return new CborReader(new ByteWindow(nextItem()), context, form);
  }

  /** Takes the bytes of the next item, which may be one that cannot be decoded. */
  private byte[] nextItem() {
    long start = offset();
    boolean marked = in.mark();
    try {
      skip();
      errors.checkSize();
      return in.from(start);
    } finally {
      unmark(marked);
    }
  }

  @Override
  JsonReader beginningOf(byte[] object) {
    return new CborReader(new ByteWindow(object), DecodeContext.create());
  }
}
