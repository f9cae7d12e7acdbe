package dev.clientgo.apimachinery.json;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.sym.PropertyNameMatcher;

/** A reader over Jackson's streaming parser. */
final class JacksonReader extends JsonReader {

  private static final int SCRATCH = 64;
  private static final int MAX_IDLE_SCRATCH = 1024;
  private static final int NOWHERE = -1;

  private final JsonSource source;
  private final JsonParser parser;
  private final DecodeContext context;

  /** Whether the parser's current token is the next value, not read yet. */
  private boolean ready;

  private int depth;

  /** At which depth unknown fields are handed over instead of skipped, and to whom. */
  private int restDepth = NOWHERE;

  private BiConsumer<String, @Nullable Object> rest = (name, value) -> {};

  /** What made the stream unreadable. */
  private @Nullable CodecException failure;

  /** The elements of the lists and maps that are being read, those of the innermost on top. */
  private @Nullable Object[] scratch = new Object[SCRATCH];

  private int top;

  JacksonReader(InputStream in, DecodeContext context) {
    this.source = new JsonSource(in, MAX_OBJECT_BYTES);
    this.parser = Jackson.FACTORY.createParser(ObjectReadContext.empty(), source);
    this.context = requireNonNull(context, "context");
  }

  // ------------------------------------------------------------------------------- Structure

  @Override
  public Token peek() {
    JsonToken token = current();
    if (token == null) {
      return Token.END_OF_STREAM;
    }
    return switch (token) {
      case START_OBJECT -> Token.OBJECT;
      case START_ARRAY -> Token.ARRAY;
      case VALUE_STRING -> Token.STRING;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Token.NUMBER;
      case VALUE_TRUE, VALUE_FALSE -> Token.BOOLEAN;
      case VALUE_NULL -> Token.NULL;
      default -> throw new IllegalStateException("no value here; move to the next one first");
    };
  }

  @Override
  public void beginObject() {
    require(JsonToken.START_OBJECT, "an object");
    ready = false;
    depth++;
  }

  @Override
  public int nextField(FieldNames names) {
    skipUnread();
    while (true) {
      int field = nextMatch(names);
      if (field == PropertyNameMatcher.MATCH_END_OBJECT) {
        depth--;
        return END;
      }
      JsonToken token = advance();
      if (field >= 0) {
        if (token != JsonToken.VALUE_NULL) {
          ready = true;
          return field;
        }
      } else if (depth == restDepth) {
        ready = true;
        rest.accept(context.share(parser.currentName()), nextTree());
      } else {
        skipChildren();
      }
    }
  }

  private int nextMatch(FieldNames names) {
    rethrowFailure();
    try {
      int field = parser.nextNameMatch(names.matcher());
      if (field == PropertyNameMatcher.MATCH_ODD_TOKEN) {
        throw new IllegalStateException("not in an object");
      }
      return field;
    } catch (JacksonException e) {
      throw failed(e);
    }
  }

  @Override
  public @Nullable String nextName() {
    skipUnread();
    JsonToken token = advance();
    if (token == JsonToken.END_OBJECT) {
      depth--;
      return null;
    }
    if (token != JsonToken.PROPERTY_NAME) {
      throw new IllegalStateException("not in an object");
    }
    String name = parser.currentName();
    advance();
    ready = true;
    return context.share(name);
  }

  @Override
  public void beginArray() {
    require(JsonToken.START_ARRAY, "an array");
    ready = false;
    depth++;
  }

  @Override
  public boolean nextElement() {
    skipUnread();
    JsonToken token = advance();
    if (token == JsonToken.END_ARRAY) {
      depth--;
      return false;
    }
    if (token == JsonToken.PROPERTY_NAME || token == JsonToken.END_OBJECT) {
      throw new IllegalStateException("not in an array");
    }
    ready = true;
    return true;
  }

  @Override
  public void skip() {
    peek();
    skipChildren();
    ready = false;
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public void leave(int outer) {
    if (depth > outer) {
      skipUnread();
    }
    while (depth > outer) {
      JsonToken token = requireNonNull(advance());
      if (token.isStructEnd()) {
        depth--;
      } else {
        skipChildren();
      }
    }
  }

  // --------------------------------------------------------------------------------- Scalars

  @Override
  public boolean nextNull() {
    if (current() != JsonToken.VALUE_NULL) {
      return false;
    }
    ready = false;
    return true;
  }

  @Override
  public String nextString() {
    require(JsonToken.VALUE_STRING, "a string");
    try {
      int length = parser.getStringLength();
      String string =
          length > DecodeContext.MAX_STRING_CHARS
              ? parser.getString()
              : context.string(parser.getStringCharacters(), parser.getStringOffset(), length);
      ready = false;
      return string;
    } catch (JacksonException e) {
      throw failed(e);
    }
  }

  @Override
  public boolean nextBoolean() {
    JsonToken token = current();
    if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
      throw unexpected("true or false");
    }
    ready = false;
    return token == JsonToken.VALUE_TRUE;
  }

  @Override
  public int nextInt() {
    long value = nextWhole("a whole number of 32 bits");
    if (value != (int) value) {
      throw mismatch("expected a whole number of 32 bits, found " + value);
    }
    ready = false;
    return (int) value;
  }

  @Override
  public long nextLong() {
    long value = nextWhole("a whole number of 64 bits");
    ready = false;
    return value;
  }

  private long nextWhole(String expected) {
    JsonToken token = current();
    if (token == JsonToken.VALUE_NUMBER_FLOAT) {
      // As upstream: a number with a fraction or an exponent is none, even 1.0.
      throw mismatch("expected " + expected + ", found " + numberText());
    }
    if (token != JsonToken.VALUE_NUMBER_INT) {
      throw unexpected(expected);
    }
    try {
      return parser.getLongValue();
    } catch (InputCoercionException e) {
      throw mismatch("expected " + expected + ", found " + numberText());
    } catch (JacksonException e) {
      throw failed(e);
    }
  }

  @Override
  public double nextDouble() {
    requireNumber();
    String text = numberText();
    double value = Double.parseDouble(text);
    if (Double.isInfinite(value)) {
      throw mismatch("expected a number of 64 bits, found " + text);
    }
    ready = false;
    return value;
  }

  @Override
  public Number nextNumber() {
    requireNumber();
    String text = numberText();
    Number value = Numbers.parse(text);
    if (value == null) {
      throw mismatch("expected a number, found one out of all range: " + text);
    }
    ready = false;
    return value;
  }

  private void requireNumber() {
    if (peek() != Token.NUMBER) {
      throw unexpected("a number");
    }
  }

  private String numberText() {
    try {
      return parser.getString();
    } catch (JacksonException e) {
      throw failed(e);
    }
  }

  // ------------------------------------------------------------------------------ Structures

  @Override
  public Map<String, String> nextStringMap() {
    return nextMapOf(this::nextStringOrEmpty);
  }

  @Override
  public List<String> nextStringList() {
    return nextListOf(this::nextStringOrEmpty);
  }

  private String nextStringOrEmpty() {
    return nextNull() ? "" : nextString();
  }

  @Override
  public <T> List<T> nextList(JsonCodec<T> codec) {
    return nextListOf(() -> codec.read(this));
  }

  @Override
  public <T> Map<String, T> nextMap(JsonCodec<T> codec) {
    return nextMapOf(() -> codec.read(this));
  }

  @Override
  public @Nullable Object nextTree() {
    return switch (peek()) {
      case OBJECT -> nextMapOf(this::nextTree);
      case ARRAY -> nextListOf(this::nextTree);
      case STRING -> nextString();
      case NUMBER -> nextNumber();
      case BOOLEAN -> nextBoolean();
      case NULL -> {
        ready = false;
        yield null;
      }
      case END_OF_STREAM -> throw unexpected("a value");
    };
  }

  private <T> List<T> nextListOf(Supplier<@Nullable T> element) {
    beginArray();
    int from = top;
    try {
      while (nextElement()) {
        push(element.get());
      }
      return Immutable.list(scratch, from, top);
    } finally {
      dropTo(from);
    }
  }

  private <T> Map<String, T> nextMapOf(Supplier<@Nullable T> value) {
    beginObject();
    int from = top;
    try {
      for (String name; (name = nextName()) != null; ) {
        push(name);
        push(value.get());
      }
      return ArrayMap.copyOf(scratch, from, top);
    } finally {
      dropTo(from);
    }
  }

  private void push(@Nullable Object element) {
    if (top == scratch.length) {
      scratch = Arrays.copyOf(scratch, top * 2);
    }
    scratch[top++] = element;
  }

  private void dropTo(int from) {
    if (from == 0 && scratch.length > MAX_IDLE_SCRATCH) {
      scratch = new Object[SCRATCH];
    } else {
      Arrays.fill(scratch, from, top, null);
    }
    top = from;
  }

  @Override
  public RawJson nextRaw() {
    if (peek() == Token.END_OF_STREAM) {
      throw unexpected("a value");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = Jackson.FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
      out.copyCurrentStructureExact(parser);
    } catch (JacksonException e) {
      throw failed(e);
    }
    ready = false;
    return RawJson.wrap(bytes.toByteArray());
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
    boolean marked = peek() == Token.OBJECT && !source.marked();
    if (marked) {
      source.mark(parser.currentTokenLocation().getByteOffset());
    }
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
      String name = marked ? ObjectName.in(source.sinceMark(offset())) : null;
      throw name == null ? e : e.inObject(name);
    } finally {
      if (marked) {
        source.unmark();
      }
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

  // --------------------------------------------------------------------- Position and errors

  @Override
  public String path() {
    return parser.streamReadContext().pathAsPointer().toString();
  }

  @Override
  public long offset() {
    return parser.currentLocation().getByteOffset();
  }

  @Override
  public DecodeContext context() {
    return context;
  }

  @Override
  public CodecException mismatch(String problem) {
    return CodecException.mismatch(
        problem, path(), parser.currentTokenLocation().getByteOffset(), null);
  }

  private void require(JsonToken token, String expected) {
    if (current() != token) {
      throw unexpected(expected);
    }
  }

  private CodecException unexpected(String expected) {
    String found =
        switch (peek()) {
          case OBJECT -> "an object";
          case ARRAY -> "an array";
          case STRING -> "a string";
          case NUMBER -> "a number";
          case BOOLEAN -> "a boolean";
          case NULL -> "null";
          case END_OF_STREAM -> null;
        };
    return found == null ? truncated(null) : mismatch("expected " + expected + ", found " + found);
  }

  /** Returns the token of the next value; null at the end of the stream. */
  private @Nullable JsonToken current() {
    if (ready) {
      return parser.currentToken();
    }
    JsonToken token = advance();
    ready = true;
    return token;
  }

  private @Nullable JsonToken advance() {
    rethrowFailure();
    try {
      return parser.nextToken();
    } catch (JacksonException e) {
      throw failed(e);
    }
  }

  private void skipChildren() {
    rethrowFailure();
    try {
      parser.skipChildren();
      parser.finishToken();
    } catch (JacksonException e) {
      throw failed(e);
    }
  }

  private void skipUnread() {
    if (ready) {
      skip();
    }
  }

  private void rethrowFailure() {
    if (failure != null) {
      throw failure;
    }
  }

  private RuntimeException failed(JacksonException e) {
    if (e instanceof JacksonIOException io
        && !(io.getCause() instanceof JsonSource.LimitException)) {
      return new UncheckedIOException(io.getCause());
    }
    boolean truncated = e instanceof UnexpectedEndOfInputException || source.ended();
    if (truncated && !(e instanceof StreamConstraintsException)) {
      return truncated(e);
    }
    return malformed(e.getOriginalMessage(), e);
  }

  private CodecException truncated(@Nullable Throwable cause) {
    EOFException end = new EOFException("unexpected end");
    if (cause != null) {
      end.initCause(cause);
    }
    return malformed("unexpected end of the stream", end);
  }

  private CodecException malformed(String problem, Throwable cause) {
    failure = CodecException.malformed(problem, path(), offset(), cause);
    return failure;
  }
}
