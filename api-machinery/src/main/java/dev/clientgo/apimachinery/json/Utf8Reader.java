package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A reader of UTF-8.
 *
 * <p>It looks at a byte only when it is asked for what begins there, so it knows no tokens between
 * calls, only whether the value at the position has been read. Names are matched and strings are
 * looked up in the pool as bytes, by a hash taken while their end is searched; most become no new
 * object at all.
 */
final class Utf8Reader extends JsonReader {

  private static final int NOWHERE = -1;
  private static final byte[] TRUE = "true".getBytes(US_ASCII);
  private static final byte[] FALSE = "false".getBytes(US_ASCII);
  private static final byte[] NULL = "null".getBytes(US_ASCII);

  /** Longer strings are refused: a bound against memory exhaustion, far above any real object. */
  private static final int MAX_STRING_BYTES = 64 << 20;

  /** Longer numbers are refused: conversion takes time that grows with the square of the length. */
  private static final int MAX_NUMBER_CHARS = 1000;

  /** A whole number of so many characters fits into 64 bits. */
  private static final int SAFE_DIGITS = 18;

  private final ByteWindow in;
  private final DecodeContext context;
  private final StringDecoder decoder = new StringDecoder();

  /** Whether there is a value at the position that has not been read. */
  private boolean pending;

  /** Where the last value began. */
  private long valueOffset;

  private int depth;

  /**
   * For each depth whether it is an object's, how many of its elements have begun, and its name.
   */
  private boolean[] objects = new boolean[32];

  private int[] counts = new int[32];
  private @Nullable String[] names = new String[32];

  /** Of the string that was scanned last. */
  private int stringHash;

  private boolean stringPlain;

  /** Of the number that was scanned last. */
  private int numberLength;

  private boolean numberWhole;

  /** At which depth unknown fields are handed over instead of skipped, and to whom. */
  private int restDepth = NOWHERE;

  private BiConsumer<String, @Nullable Object> rest = (name, value) -> {};

  /** What made the stream unreadable. */
  private @Nullable CodecException failure;

  /** How much white space there was. */
  private int spaces;

  Utf8Reader(ByteWindow in, DecodeContext context) {
    this.in = in;
    this.context = requireNonNull(context, "context");
  }

  // ---------------------------------------------------------------------------------- Structure

  @Override
  public Token peek() {
    if (!pending) {
      rethrowFailure();
      if (depth > 0) {
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
      default -> throw malformed("expected a value" + found(), in.position);
    };
  }

  @Override
  public void beginObject() {
    require(Token.OBJECT, "an object");
    begin(true);
  }

  @Override
  public void beginArray() {
    require(Token.ARRAY, "an array");
    begin(false);
  }

  private void begin(boolean object) {
    if (depth == MAX_DEPTH) {
      throw malformed("nesting of more than " + MAX_DEPTH + " levels", in.position);
    }
    in.position++;
    pending = false;
    depth++;
    if (depth == counts.length) {
      objects = Arrays.copyOf(objects, depth * 2);
      counts = Arrays.copyOf(counts, depth * 2);
      names = Arrays.copyOf(names, depth * 2);
    }
    objects[depth] = object;
    counts[depth] = 0;
    names[depth] = null;
  }

  /**
   * Moves to the next element of an array or the name of the next field of an object, of which it
   * checks the quote. At the end, leaves it.
   */
  private boolean advance(boolean object) {
    skipUnread();
    rethrowFailure();
    if (depth == 0 || objects[depth] != object) {
      throw new IllegalStateException(object ? "not in an object" : "not in an array");
    }
    int c = requireNonSpace();
    if (c == (object ? '}' : ']')) {
      valueOffset = in.offset(in.position);
      in.position++;
      depth--;
      return false;
    }
    if (counts[depth]++ > 0) {
      if (c != ',') {
        counts[depth]--;
        throw malformed(
            "expected a comma or the end of the " + (object ? "object" : "array") + found(),
            in.position);
      }
      in.position++;
      c = requireNonSpace();
    }
    if (object && c != '"') {
      throw malformed("expected the name of a field" + found(), in.position);
    }
    return true;
  }

  @Override
  public boolean nextElement() {
    pending = advance(false);
    return pending;
  }

  @Override
  public @Nullable String nextName() {
    if (!advance(true)) {
      return null;
    }
    String name = readString();
    names[depth] = name;
    moveToValue();
    return name;
  }

  @Override
  public int nextField(FieldNames fields) {
    while (advance(true)) {
      int field = readField(fields);
      moveToValue();
      if (field < 0) {
        if (depth == restDepth) {
          rest.accept(requireNonNull(names[depth]), nextTree());
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

  /** Reads the name of a field. Only one that is not known needs to become a string, for paths. */
  private int readField(FieldNames fields) {
    int length = scanString();
    int field = NOWHERE;
    if (stringPlain) {
      field = fields.find(in.bytes, in.position + 1, length, stringHash);
    }
    if (field >= 0) {
      names[depth] = fields.name(field);
      in.position += length + 2;
      return field;
    }
    String name = takeString(length);
    names[depth] = name;
    return fields.find(name);
  }

  private void moveToValue() {
    if (requireNonSpace() != ':') {
      throw malformed("expected a colon" + found(), in.position);
    }
    in.position++;
    requireNonSpace();
    pending = true;
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public void leave(int outer) {
    rethrowFailure();
    while (depth > outer) {
      if (!objects[depth]) {
        if (nextElement()) {
          skipOrBegin();
        }
      } else if (advance(true)) {
        names[depth] = null;
        skipString();
        moveToValue();
        skipOrBegin();
      }
    }
  }

  @Override
  public void skip() {
    int outer = depth;
    skipOrBegin();
    leave(outer);
  }

  /** Skips a scalar, or enters a structure, so that no recursion is needed to skip. */
  private void skipOrBegin() {
    switch (peek()) {
      case OBJECT -> begin(true);
      case ARRAY -> begin(false);
      case STRING -> skipString();
      case NUMBER -> {
        scanNumber();
        takeNumber();
      }
      case BOOLEAN -> nextBoolean();
      case NULL -> skipWord(NULL);
      case END_OF_STREAM -> throw truncated();
    }
    pending = false;
  }

  private void skipUnread() {
    if (pending) {
      skip();
    }
  }

  // ------------------------------------------------------------------------------------ Scalars

  @Override
  public boolean nextNull() {
    if (peek() != Token.NULL) {
      return false;
    }
    skipWord(NULL);
    return true;
  }

  @Override
  public boolean nextBoolean() {
    require(Token.BOOLEAN, "true or false");
    boolean value = in.bytes[in.position] == 't';
    skipWord(value ? TRUE : FALSE);
    return value;
  }

  private void skipWord(byte[] word) {
    for (int i = 1; i < word.length; i++) {
      int c = byteAt(i);
      if (c < 0) {
        throw truncated();
      }
      if (c != word[i]) {
        throw malformed("expected a value, found a word that is none", in.position);
      }
    }
    in.position += word.length;
    pending = false;
  }

  @Override
  public String nextString() {
    require(Token.STRING, "a string");
    pending = false;
    return readString();
  }

  private String readString() {
    return takeString(scanString());
  }

  private void skipString() {
    int length = scanString();
    if (!stringPlain) {
      decode(length);
    }
    in.position += length + 2;
  }

  /**
   * Finds the end of the string at the position.
   *
   * @return its length in bytes, without the quotes
   */
  private int scanString() {
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
          stringHash = hash;
          stringPlain = plain;
          return i - 1;
        }
        if (b == '\\') {
          plain = false;
          i++; // whatever it is, it does not end the string
        } else if (b < ' ') {
          if (b >= 0) {
            throw malformed("control character in a string", start + i);
          }
          plain = false;
        }
        hash = 31 * hash + b;
      }
      if (i > MAX_STRING_BYTES) {
        throw malformed("string of more than " + MAX_STRING_BYTES + " bytes", start);
      }
      more();
    }
  }

  /** Makes a string of the bytes that were scanned, and moves behind it. */
  private String takeString(int length) {
    String string;
    if (stringPlain) {
      string = context.ascii(in.bytes, in.position + 1, length, stringHash);
    } else {
      decode(length);
      string = context.string(decoder.chars(), decoder.length());
    }
    in.position += length + 2;
    return string;
  }

  private void decode(int length) {
    int start = in.position + 1;
    if (!decoder.decode(in.bytes, start, start + length)) {
      throw malformed(decoder.problem(), decoder.place());
    }
  }

  // ------------------------------------------------------------------------------------ Numbers

  @Override
  public int nextInt() {
    String expected = "a whole number of 32 bits";
    long value = whole(expected);
    if (value != (int) value) {
      throw mismatch("expected " + expected + ", found " + value);
    }
    takeNumber();
    return (int) value;
  }

  @Override
  public long nextLong() {
    long value = whole("a whole number of 64 bits");
    takeNumber();
    return value;
  }

  private long whole(String expected) {
    require(Token.NUMBER, expected);
    scanNumber();
    if (numberWhole) {
      if (numberLength <= SAFE_DIGITS) {
        return parseDigits();
      }
      try {
        return Long.parseLong(numberText());
      } catch (NumberFormatException e) {
        // Out of range, as the error says.
      }
    }
    // As upstream: a number with a fraction or an exponent is not whole, even 1.0.
    throw mismatch("expected " + expected + ", found " + numberText());
  }

  private long parseDigits() {
    boolean negative = in.bytes[in.position] == '-';
    long value = 0;
    for (int i = negative ? 1 : 0; i < numberLength; i++) {
      value = value * 10 + (in.bytes[in.position + i] - '0');
    }
    return negative ? -value : value;
  }

  @Override
  public double nextDouble() {
    require(Token.NUMBER, "a number");
    scanNumber();
    double value = Double.parseDouble(numberText());
    if (Double.isInfinite(value)) {
      throw mismatch("expected a number of 64 bits, found " + numberText());
    }
    takeNumber();
    return value;
  }

  @Override
  public Number nextNumber() {
    require(Token.NUMBER, "a number");
    scanNumber();
    Number value =
        numberWhole && numberLength <= SAFE_DIGITS ? parseDigits() : Numbers.parse(numberText());
    if (value == null) {
      throw mismatch("expected a number, found one out of all range: " + numberText());
    }
    takeNumber();
    return value;
  }

  private String numberText() {
    return new String(in.bytes, in.position, numberLength, ISO_8859_1);
  }

  private void takeNumber() {
    in.position += numberLength;
    pending = false;
  }

  private void scanNumber() {
    numberWhole = true;
    int i = byteAt(0) == '-' ? 1 : 0;
    int integer = scanDigits(i);
    if (integer > i + 1 && byteAt(i) == '0') {
      throw malformed("number with a leading zero", in.position + i);
    }
    i = integer;
    if (byteAt(i) == '.') {
      numberWhole = false;
      i = scanDigits(i + 1);
    }
    if ((byteAt(i) | 0x20) == 'e') {
      numberWhole = false;
      boolean signed = byteAt(i + 1) == '+' || byteAt(i + 1) == '-';
      i = scanDigits(signed ? i + 2 : i + 1);
    }
    numberLength = i;
  }

  /** Returns where the digits end that must be at a place of the number at the position. */
  private int scanDigits(int from) {
    int i = from;
    for (int c = byteAt(i); c >= '0' && c <= '9'; c = byteAt(++i)) {
      if (i >= MAX_NUMBER_CHARS) {
        throw malformed("number of more than " + MAX_NUMBER_CHARS + " characters", in.position);
      }
    }
    if (i == from) {
      if (byteAt(i) < 0) {
        throw truncated();
      }
      throw malformed("expected a digit", in.position + i);
    }
    return i;
  }

  // -------------------------------------------------------------------------------- Whole values

  @Override
  public RawJson nextRaw() {
    require(null, "a value");
    long start = in.offset(in.position);
    int before = spaces;
    boolean marked = in.mark();
    try {
      skip();
      byte[] text = in.from(start);
      return RawJson.wrap(spaces == before ? text : WhiteSpace.strip(text));
    } finally {
      unmark(marked);
    }
  }

  @Override
  public <T> T nextWithRest(JsonCodec<T> codec, BiConsumer<String, @Nullable Object> rest) {
    int outerDepth = restDepth;
    BiConsumer<String, @Nullable Object> outer = this.rest;
    this.restDepth = depth + 1;
    this.rest = rest;
    try {
      return codec.read(this);
    } finally {
      this.restDepth = outerDepth;
      this.rest = outer;
    }
  }

  @Override
  public <T> T nextObject(JsonCodec<T> codec) {
    int outer = depth;
    require(null, "an object");
    long start = in.offset(in.position);
    boolean marked = in.mark();
    try {
      T value = read(codec);
      leave(outer);
      return value;
    } catch (CodecException e) {
      if (!e.isRecoverable()) {
        throw e;
      }
      leave(outer);
      skipUnread();
      String name = ObjectName.in(in.from(start));
      throw name == null ? e : e.inObject(name);
    } finally {
      unmark(marked);
    }
  }

  private void unmark(boolean marked) {
    if (marked) {
      in.unmark();
    }
  }

  /** Reads a value with a codec that may have been written with less care than ours. */
  private <T> T read(JsonCodec<T> codec) {
    try {
      return codec.read(this);
    } catch (CodecException | UncheckedIOException e) {
      throw e;
    } catch (RuntimeException e) {
      throw CodecException.mismatch("the value is refused: " + e.getMessage(), path(), offset(), e);
    }
  }

  // --------------------------------------------------------------------------------------- Bytes

  /** Returns the byte so far behind the position; -1 if the stream ends before it. */
  private int byteAt(int i) {
    while (in.position + i >= in.end) {
      if (!in.more()) {
        return -1;
      }
    }
    return in.bytes[in.position + i] & 0xFF;
  }

  /** Moves to the next byte that is not white space and returns it; -1 at the end. */
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
      if (!in.more()) {
        return -1;
      }
    }
  }

  private int requireNonSpace() {
    int c = skipSpace();
    if (c < 0) {
      throw truncated();
    }
    checkSize();
    return c;
  }

  private void more() {
    checkSize();
    if (!in.more()) {
      throw truncated();
    }
  }

  private void checkSize() {
    if (in.marked() > MAX_OBJECT_BYTES) {
      throw malformed("object of more than " + MAX_OBJECT_BYTES + " bytes", in.position);
    }
  }

  // -------------------------------------------------------------------------- Position and errors

  @Override
  public String path() {
    StringBuilder path = new StringBuilder();
    for (int i = 1; i <= depth; i++) {
      String name = names[i];
      if (objects[i] ? name == null : counts[i] == 0) {
        break;
      }
      path.append('/');
      if (name == null) {
        path.append(counts[i] - 1);
      } else {
        path.append(name.replace("~", "~0").replace("/", "~1"));
      }
    }
    return path.toString();
  }

  @Override
  public long offset() {
    return in.offset(in.position);
  }

  @Override
  public DecodeContext context() {
    return context;
  }

  @Override
  public CodecException mismatch(String problem) {
    if (pending) {
      valueOffset = offset();
    }
    return CodecException.mismatch(problem, path(), valueOffset, null);
  }

  /** Checks that the next value is of a type; null for any. */
  private void require(@Nullable Token token, String expected) {
    Token found = peek();
    if (found == Token.END_OF_STREAM) {
      throw truncated();
    }
    if (token != null && found != token) {
      throw mismatch("expected " + expected + ", found " + found.description());
    }
  }

  private String found() {
    int c = in.bytes[in.position] & 0xFF;
    return c > ' ' && c < 0x7F ? ", found " + (char) c : ", found byte 0x" + Integer.toHexString(c);
  }

  private void rethrowFailure() {
    if (failure != null) {
      throw failure;
    }
  }

  private CodecException truncated() {
    in.position = in.end;
    return failed("unexpected end of the stream", offset(), new EOFException("unexpected end"));
  }

  private CodecException malformed(String problem, int place) {
    return failed(problem, in.offset(place), null);
  }

  private CodecException failed(String problem, long offset, @Nullable Throwable cause) {
    failure = CodecException.malformed(problem, path(), offset, cause);
    pending = false;
    return failure;
  }
}
