package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.internal.utf8.ByteWindow;
import dev.clientgo.apimachinery.json.internal.utf8.NumberScanner;
import dev.clientgo.apimachinery.json.internal.utf8.RawSkipper;
import dev.clientgo.apimachinery.json.internal.utf8.StringScanner;
import dev.clientgo.apimachinery.json.internal.utf8.StructureIndex;
import dev.clientgo.apimachinery.json.internal.utf8.WhiteSpace;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reader of JSON in UTF-8. It reads the structure: brackets, commas, colons and words.
 *
 * <p>It looks at a byte only when the caller asks for the value there, so between calls it keeps no
 * token, only whether the value at the position has been read. {@link StringScanner} and {@link
 * NumberScanner} read strings and numbers, {@link ValueCache} finds values that were read before,
 * by the ends that {@link StructureIndex} knows.
 */
final class Utf8Reader extends StreamReader implements ValueCache.Place {

  private static final boolean OBJECT = true;
  private static final boolean ARRAY = false;
  private static final byte[] TRUE = "true".getBytes(US_ASCII);
  private static final byte[] FALSE = "false".getBytes(US_ASCII);
  private static final byte[] NULL = "null".getBytes(US_ASCII);

  private final StringScanner strings;
  private final NumberScanner numbers;
  private final ValueCache valueCache;
  private final StructureIndex structure;

  /** The number of bytes of white space that were skipped. */
  private int spaces;

  Utf8Reader(ByteWindow in, DecodeContext context) {
    super(in, context);
    this.strings = new StringScanner(in, context.strings(), errors);
    this.numbers = new NumberScanner(in, errors);
    this.structure = new StructureIndex(in);
    this.valueCache = new ValueCache(this, this, context);
  }

  // ---------------------------------------------------------------------------------- Structure

  @Override
  public Token peek() {
    if (!pending) {
      errors.rethrow();
      if (nesting.depth() > 0) {
        throw new IllegalStateException("no value here; move to the next one first");
      }
      if (skipSpace() < 0) {
        return Token.END_OF_STREAM;
      }
      pending = true;
    }
    valueOffset = in.offset(in.position);
    return switch (in.bytes[in.position]) {
      case '{' -> Token.OBJECT;
      case '[' -> Token.ARRAY;
      case '"' -> Token.STRING;
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> Token.NUMBER;
      case 't', 'f' -> Token.BOOLEAN;
      case 'n' -> Token.NULL;
      default -> throw errors.malformed("expected a value" + found(), in.position);
    };
  }

  /** Returns whether the position is at an unread value with this first byte: the common case. */
  private boolean isAt(char first) {
    if (pending && in.bytes[in.position] == first) {
      valueOffset = in.offset(in.position);
      return true;
    }
    return false;
  }

  @Override
  boolean isAtNull() {
    return isAt('n') || (!pending && peek() == Token.NULL);
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
  public void beginObject() {
    if (!isAt('{')) {
      require(Token.OBJECT, "an object");
    }
    begin(OBJECT);
  }

  @Override
  public void beginArray() {
    if (!isAt('[')) {
      require(Token.ARRAY, "an array");
    }
    begin(ARRAY);
  }

  private void begin(boolean object) {
    if (nesting.depth() == MAX_DEPTH) {
      throw errors.unreadable("nesting of more than " + MAX_DEPTH + " levels", in.position);
    }
    in.position++;
    pending = false;
    nesting.enter(object);
  }

  @Override
  public boolean nextElement() {
    pending = advance(ARRAY);
    if (pending && cut.isAt(nesting.depth())) {
      cut.element(nesting.depth());
    }
    return pending;
  }

  @Override
  public @Nullable String nextName() {
    while (advance(OBJECT)) {
      String name = strings.read();
      nesting.name(name);
      moveToValue();
      if (isKept(name)) {
        return name;
      }
    }
    return null;
  }

  /**
   * {@inheritDoc}
   *
   * <p>The common case comes first, which is the form that servers write: the end of the object, or
   * a known name without escapes and the first byte of a value that is not null, without white
   * space, all in the window. This code looks at each byte once, through local variables. In any
   * other case it changes nothing and leaves the field to {@code nextAnyField}.
   */
  @Override
  public int nextField(FieldNames fields) {
    errors.rethrow();
    byte[] bytes = in.bytes;
    int i = in.position;
    int end = in.end - 2; // so that the two bytes behind a quote are in the window, too
    if (pending || i >= end || !nesting.isIn(OBJECT)) {
      return nextAnyField(fields);
    }
    if (bytes[i] == '}') {
      leaveStructure();
      return END;
    }
    if (nesting.hasElements() && bytes[i++] != ',') {
      return nextAnyField(fields);
    }
    if (i >= end || bytes[i++] != '"') {
      return nextAnyField(fields);
    }
    int start = i;
    int hash = 0;
    while (i < end && bytes[i] >= ' ' && bytes[i] != '"') {
      hash = 31 * hash + bytes[i++]; // no name has a backslash, so one that has is not found
    }
    if (i >= end || bytes[i] != '"' || bytes[i + 1] != ':') {
      return nextAnyField(fields);
    }
    int field = fields.find(bytes, start, i - start, hash);
    byte value = bytes[i + 2];
    if (field < 0 || value <= ' ' || value == 'n') {
      return nextAnyField(fields);
    }
    nesting.beginElement();
    nesting.name(fields.name(field));
    in.position = i + 2;
    pending = true;
    return isKept(fields.name(field)) ? field : nextAnyField(fields);
  }

  private int nextAnyField(FieldNames fields) {
    while (advance(OBJECT)) {
      int field = readField(fields);
      moveToValue();
      if (!isKept(requireNonNull(nesting.name()))) {
        skip();
      } else if (field < 0) {
        if (isRest()) {
          readRest(requireNonNull(nesting.name()));
        } else {
          skip();
        }
      } else if (in.bytes[in.position] == 'n') {
        skip();
      } else {
        return field;
      }
    }
    return END;
  }

  private int readField(FieldNames fields) {
    String name = strings.read();
    nesting.name(name);
    return fields.find(name);
  }

  /**
   * Moves to the next element of an array or the quote of the next name of an object. At the end,
   * leaves the array or object.
   */
  private boolean advance(boolean object) {
    skipUnread();
    errors.rethrow();
    if (!nesting.isIn(object)) {
      throw new IllegalStateException(object ? "not in an object" : "not in an array");
    }
    int c = requireNonSpace();
    if (c == (object ? '}' : ']')) {
      leaveStructure();
      return false;
    }
    if (nesting.beginElement() > 1) {
      if (c != ',') {
        nesting.unbeginElement();
        String end = object ? "object" : "array";
        throw errors.malformed("expected a comma or the end of the " + end + found(), in.position);
      }
      in.position++;
      c = requireNonSpace();
    }
    if (object && c != '"') {
      throw errors.malformed("expected the name of a field" + found(), in.position);
    }
    return true;
  }

  private void leaveStructure() {
    valueOffset = in.offset(in.position);
    in.position++;
    nesting.leave();
  }

  private void moveToValue() {
    if (requireNonSpace() != ':') {
      throw errors.malformed("expected a colon" + found(), in.position);
    }
    in.position++;
    requireNonSpace();
    pending = true;
  }

  // ----------------------------------------------------------------------------------- Skipping

  @Override
  public void leave(int outer) {
    if (errors.mustSkip() && (nesting.depth() > outer || pending)) {
      skipBlindly(outer);
    }
    errors.rethrow();
    while (nesting.depth() > outer) {
      if (nesting.isIn(ARRAY)) {
        if (nextElement()) {
          skipOrBegin();
        }
      } else if (advance(OBJECT)) {
        nesting.name(null);
        strings.skip();
        moveToValue();
        skipOrBegin();
      }
    }
  }

  private void skipBlindly(int outer) {
    new RawSkipper(in, errors).skip(nesting.depth() - outer);
    nesting.leaveTo(outer);
    pending = false;
    errors.skipped();
  }

  @Override
  public void skip() {
    int outer = nesting.depth();
    skipOrBegin();
    if (nesting.depth() > outer) {
      leave(outer);
    }
  }

  /** Skips a scalar or enters a structure, so skipping needs no recursion. */
  private void skipOrBegin() {
    switch (peek()) {
      case OBJECT -> begin(OBJECT);
      case ARRAY -> begin(ARRAY);
      case STRING -> strings.skip();
      case NUMBER -> {
        numbers.scan();
        numbers.take();
      }
      case BOOLEAN -> nextBoolean();
      case NULL -> skipWord(NULL);
      case END_OF_STREAM -> throw errors.truncated();
    }
    pending = false;
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
    skipWord(NULL);
    return true;
  }

  @Override
  public boolean nextBoolean() {
    if (!isAt('t') && !isAt('f')) {
      require(Token.BOOLEAN, "true or false");
    }
    boolean value = in.bytes[in.position] == 't';
    skipWord(value ? TRUE : FALSE);
    return value;
  }

  private void skipWord(byte[] word) {
    int end = in.position + word.length;
    if (end > in.end || !Arrays.equals(word, 0, word.length, in.bytes, in.position, end)) {
      requireWord(word);
    }
    in.position += word.length;
    pending = false;
  }

  private void requireWord(byte[] word) {
    for (int i = 1; i < word.length; i++) {
      int c = in.byteAt(i);
      if (c < 0) {
        throw errors.truncated();
      }
      if (c != word[i]) {
        throw errors.malformed("expected a value, found a word that is none", in.position);
      }
    }
  }

  @Override
  public String nextString() {
    if (!isAt('"')) {
      require(Token.STRING, "a string");
    }
    String value = strings.read();
    pending = false;
    return value;
  }

  @Override
  long whole(String expected) {
    if (pending && numbers.scanShort()) {
      valueOffset = in.offset(in.position);
      return numbers.parse();
    }
    return anyWhole(expected);
  }

  private long anyWhole(String expected) {
    require(Token.NUMBER, expected);
    numbers.scan();
    if (numbers.number() instanceof Long value) {
      return value;
    }
    // As upstream: a number with a fraction or an exponent is not whole, even 1.0.
    throw mismatch("expected " + expected + ", found " + numbers.text());
  }

  @Override
  public double nextDouble() {
    require(Token.NUMBER, "a number");
    numbers.scan();
    double value = Double.parseDouble(numbers.text());
    if (Double.isInfinite(value)) {
      throw mismatch("expected a number of 64 bits, found " + numbers.text());
    }
    takeNumber();
    return value;
  }

  @Override
  public Number nextNumber() {
    require(Token.NUMBER, "a number");
    numbers.scan();
    Number value = numbers.number();
    if (value == null) {
      throw mismatch("expected a number, found one out of all range: " + numbers.text());
    }
    takeNumber();
    return value;
  }

  @Override
  void takeNumber() {
    numbers.take();
    pending = false;
  }

  // -------------------------------------------------------------------------------- Whole values

  @Override
  @SuppressWarnings("unchecked") // this codec has read it
  public <T> T nextValue(JsonCodec<T> codec) {
    return isStructure() ? (T) valueCache.read(codec, /* list= */ false) : codec.read(this);
  }

  @Override
  @SuppressWarnings("unchecked") // this codec has read its elements
  public <T> List<T> nextList(JsonCodec<T> codec) {
    return isStructure() ? (List<T>) valueCache.read(codec, /* list= */ true) : readList(codec);
  }

  @Override
  boolean isStructure() {
    return pending && (in.bytes[in.position] == '{' || in.bytes[in.position] == '[');
  }

  @Override
  public int measure(int limit) {
    return structure.measure(limit);
  }

  @Override
  public byte[] bytes() {
    return in.bytes;
  }

  @Override
  public int start() {
    return in.position;
  }

  @Override
  public void pass(int length) {
    in.position += length;
    pending = false;
  }

  @Override
  JsonReader beginningOf(byte[] object) {
    return JsonReader.of(object);
  }

  @Override
  public RawJson nextRaw() {
    require(null, "a value");
    if (isStructure() && cut.isAt(nesting.depth() + 1)) {
      return RawJson.of(TREE, TREE.read(this));
    }
    long start = in.offset(in.position);
    int before = spaces;
    boolean marked = in.mark();
    try {
      skip();
      errors.checkSize();
      byte[] text = in.from(start);
      return RawJson.wrap(spaces == before ? text : WhiteSpace.strip(text));
    } finally {
      unmark(marked);
    }
  }

  // --------------------------------------------------------------------------------------- Bytes

  /** Moves to the next byte that is not white space and returns it; -1 at the end of the stream. */
  private int skipSpace() {
    while (true) {
      while (in.position < in.end) {
        byte b = in.bytes[in.position];
        if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
          return b & 0xFF;
        }
        in.position++;
        spaces++;
      }
      errors.checkSizeWithin(0);
      if (!in.more()) {
        return -1;
      }
    }
  }

  private int requireNonSpace() {
    if (in.position < in.end && in.bytes[in.position] > ' ') {
      return in.bytes[in.position]; // the common case: servers write no white space
    }
    int c = skipSpace();
    if (c < 0) {
      throw errors.truncated();
    }
    return c;
  }

  private String found() {
    int c = in.bytes[in.position] & 0xFF;
    return c > ' ' && c < 0x7F ? ", found " + (char) c : ", found byte 0x" + Integer.toHexString(c);
  }
}
