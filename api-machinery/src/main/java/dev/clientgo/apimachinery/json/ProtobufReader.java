package dev.clientgo.apimachinery.json;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.internal.protobuf.ProtobufFields;
import dev.clientgo.apimachinery.json.internal.protobuf.ProtobufFields.Form;
import dev.clientgo.apimachinery.json.internal.protobuf.ProtobufParts;
import dev.clientgo.apimachinery.json.internal.protobuf.ProtobufScanner;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A reader of a message of protobuf for the codecs of JSON. It returns the values that the JSON of
 * the same object has.
 *
 * <p>A codec asks for fields by a table of names, which has their numbers in protobuf, and for
 * values by their types. So one codec reads both encodings. An object is a message, a list or a map
 * is a field that repeats without interruption.
 *
 * <p>{@link ProtobufScanner} reads the bytes; this class knows the meaning of the values. It
 * reports invalid bytes as a {@link CodecException}.
 */
final class ProtobufReader extends JsonReader implements ValueCache.Place {

  /** The kinds of values around the reader. */
  private enum Frame {
    OBJECT,
    /** A message whose fields are those of the object around it. */
    INNER,
    ARRAY,
    MAP
  }

  /** A value around the reader, and the state of the reader in it. */
  private static final class Level {
    private Frame frame = Frame.OBJECT;
    private int limit;
    private int number;
    private Form form = Form.PLAIN;
    private boolean first;
    private @Nullable ProtobufFields fields;
    private @Nullable String name;
  }

  private final int start;
  private final DecodeContext context;
  private final ProtobufScanner in = new ProtobufScanner(this::malformed);

  private final ProtobufParts parts;

  private final ValueCache valueCache;

  /** The place of the text that {@link #valueCache} looks up. */
  private int textStart;

  private int textEnd;

  private Level[] levels = new Level[8];
  private int depth;

  /** Whether the reader is at a value that has not been read. */
  private boolean pending = true;

  private Form form = Form.PLAIN;

  ProtobufReader(byte[] bytes, int from, int to, DecodeContext context) {
    this.context = context;
    parts = new ProtobufParts(context.strings(), this::malformed);
    valueCache = new ValueCache(this, this, context);
    start = from;
    in.over(bytes, from, to);
    in.wire = ProtobufScanner.LENGTH;
    in.valueEnd = to;
    levels[0] = new Level();
  }

  // ---------------------------------------------------------------------------------- Structure

  @Override
  public Token peek() {
    if (!pending) {
      return Token.END_OF_STREAM;
    }
    return switch (form) {
      case TIME, MICRO_TIME, QUANTITY, BYTES -> Token.STRING;
      case INT_OR_STRING -> parts.number(in, 1) == 1 ? Token.STRING : Token.NUMBER;
      case STRINGS -> Token.ARRAY;
      case RAW -> Token.OBJECT;
      case PLAIN -> in.wire == ProtobufScanner.LENGTH ? Token.STRING : Token.NUMBER;
    };
  }

  @Override
  public void beginObject() {
    require(ProtobufScanner.LENGTH, "a message");
    enter(Frame.OBJECT);
  }

  @Override
  public int nextField(FieldNames table) {
    ProtobufFields own = table.protobuf();
    if (own == null) {
      throw malformed("the type with the fields " + table + " has no form in protobuf");
    }
    if (levels[depth].fields == null) {
      levels[depth].fields = own;
    }
    while (true) {
      dropPending();
      if (in.atEnd()) {
        if (pop() != Frame.INNER) {
          return END;
        }
        continue;
      }
      nextValue();
      int index = field(own, table);
      if (index >= 0) {
        levels[depth].name = table.name(index);
        return index;
      }
    }
  }

  /** Returns the index of the field of the next value; -1 if the JSON has no such field. */
  private int field(ProtobufFields own, FieldNames table) {
    ProtobufFields at = levels[depth].fields;
    ProtobufFields inner = at == null ? null : at.inner(in.number);
    if (inner != null) {
      require(ProtobufScanner.LENGTH, "a message");
      if (cut.isAt(depth)) {
        cut.element(depth); // the inner message has fields of the same object
      }
      enter(Frame.INNER).fields = inner;
      return -1;
    }
    int index = at == null ? -1 : at.index(in.number);
    if (index < 0 || !isKept(table.name(index))) {
      return -1;
    }
    form = own.form(index);
    if (form != Form.PLAIN) {
      require(ProtobufScanner.LENGTH, "a message");
    }
    return isAbsent(own.zeroIsAbsent(index)) ? -1 : index;
  }

  private boolean isAbsent(boolean zeroIsAbsent) {
    return switch (form) {
      case TIME, MICRO_TIME, BYTES -> in.isZero();
      case RAW -> !parts.hasRaw(in);
      default -> zeroIsAbsent && in.isZero();
    };
  }

  @Override
  public @Nullable String nextName() {
    String name = nextEntry();
    while (name != null && !isKept(name)) {
      name = nextEntry();
    }
    return name;
  }

  /** Returns whether the projection, if there is one, keeps the next field of this object. */
  private boolean isKept(String name) {
    return !cut.isAt(depth) || cut.keeps(depth, name);
  }

  private @Nullable String nextEntry() {
    dropPending();
    Level level = levels[depth];
    if (level.frame == Frame.OBJECT) {
      level.frame = Frame.MAP;
      return readEntry(level);
    }
    in.position = in.limit;
    in.limit = level.limit;
    if (!in.isNext(level.number)) {
      pop();
      return null;
    }
    pending = true;
    require(ProtobufScanner.LENGTH, "an entry of a map");
    in.limit = in.valueEnd;
    pending = false;
    return readEntry(level);
  }

  /** Reads the key of the entry that ends at the limit, and makes its value the next one. */
  private String readEntry(Level level) {
    String key = "";
    while (!in.atEnd()) {
      nextValue();
      form = Form.PLAIN;
      if (in.number == 1) {
        key = nextString();
      } else if (in.number == 2) {
        form = level.form;
        level.name = key;
        return key;
      } else {
        skip();
      }
    }
    // The entry has no value, so the value is the default of its type.
    in.wire = ProtobufScanner.LENGTH;
    in.valueEnd = in.position;
    form = level.form;
    pending = true;
    return key;
  }

  @Override
  public void beginArray() {
    if (!pending) {
      throw new IllegalStateException("no value here; move to the next one first");
    }
    if (form == Form.STRINGS) {
      Level level = enter(Frame.ARRAY);
      level.number = 1;
      level.form = Form.PLAIN;
    } else {
      push(Frame.ARRAY).first = true;
    }
  }

  @Override
  public boolean nextElement() {
    Level level = levels[depth];
    if (cut.isAt(depth)) {
      cut.element(depth);
    }
    if (level.first) {
      level.first = false;
      return true;
    }
    dropPending();
    if (in.isNext(level.number)) {
      pending = true;
      form = level.form;
      if (form != Form.PLAIN) {
        require(ProtobufScanner.LENGTH, "a message");
      }
      return true;
    }
    if (in.limit != level.limit) {
      in.position = in.limit;
    }
    pop();
    return false;
  }

  @Override
  public boolean nextNull() {
    return false;
  }

  private void nextValue() {
    in.next();
    pending = true;
  }

  /** Enters the message that is the next value. */
  private Level enter(Frame frame) {
    Level level = push(frame);
    in.limit = in.valueEnd;
    pending = false;
    return level;
  }

  private Level push(Frame frame) {
    if (depth >= MAX_DEPTH) {
      throw malformed("nesting of more than " + MAX_DEPTH + " levels");
    }
    depth++;
    if (depth == levels.length) {
      levels = Arrays.copyOf(levels, 2 * depth);
    }
    Level level = levels[depth];
    if (level == null) {
      level = new Level();
      levels[depth] = level;
    }
    level.frame = frame;
    level.limit = in.limit;
    level.number = in.number;
    level.form = form;
    level.first = false;
    level.fields = null;
    level.name = null;
    return level;
  }

  private Frame pop() {
    Level level = levels[depth];
    in.limit = level.limit;
    depth--;
    return level.frame;
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public void leave(int target) {
    while (depth > target) {
      switch (levels[depth].frame) {
        case OBJECT, INNER -> {
          pending = false;
          in.position = in.limit;
          pop();
        }
        case ARRAY -> {
          while (nextElement()) {
            skip();
          }
        }
        case MAP -> {
          while (nextName() != null) {
            skip();
          }
        }
      }
    }
  }

  // ------------------------------------------------------------------------------------- Values

  @Override
  public String nextString() {
    require(ProtobufScanner.LENGTH, "a string");
    String value = parts.string(in, form);
    skip();
    return value;
  }

  @Override
  public boolean nextBoolean() {
    return nextLong() != 0;
  }

  @Override
  public int nextInt() {
    if (form == Form.INT_OR_STRING) {
      int value = (int) parts.number(in, 2);
      skip();
      return value;
    }
    return (int) nextLong();
  }

  @Override
  public long nextLong() {
    require(ProtobufScanner.VARINT, "a whole number");
    pending = false;
    return in.varint();
  }

  @Override
  public double nextDouble() {
    require(ProtobufScanner.FIXED64, "a number");
    double value = Double.longBitsToDouble(in.fixed64());
    skip();
    return value;
  }

  @Override
  public Number nextNumber() {
    return in.wire == ProtobufScanner.FIXED64 ? (Number) nextDouble() : (Number) nextLong();
  }

  @Override
  public RawJson nextRaw() {
    require(ProtobufScanner.LENGTH, "JSON");
    if (form != Form.RAW) {
      throw mismatch("expected JSON, found a message");
    }
    RawJson raw = RawJson.wrap(parts.raw(in));
    skip();
    return raw;
  }

  @Override
  public void skip() {
    pending = false;
    in.skip();
  }

  private void dropPending() {
    if (pending) {
      skip();
    }
  }

  private void require(int expected, String what) {
    if (!pending) {
      throw new IllegalStateException("no value here; move to the next one first");
    }
    if (in.wire != expected) {
      throw mismatch("expected " + what + ", found a value of wire type " + in.wire);
    }
  }

  // ------------------------------------------------------------------------------ Whole messages

  @Override
  @SuppressWarnings("unchecked") // this codec has read it
  public <T> T nextValue(JsonCodec<T> codec) {
    if (!isMessage()) {
      return codec.read(this);
    }
    textStart = in.position;
    textEnd = in.valueEnd;
    return (T) valueCache.read(codec, /* list= */ false);
  }

  @Override
  @SuppressWarnings("unchecked") // this codec has read its elements
  public <T> List<T> nextList(JsonCodec<T> codec) {
    if (!isMessage()) {
      return readList(codec);
    }
    textStart = in.tagStart;
    textEnd = parts.endOfList(in);
    return (List<T>) valueCache.read(codec, /* list= */ true);
  }

  private boolean isMessage() {
    return pending
        && depth > 0
        && (form == Form.PLAIN || form == Form.RAW)
        && in.wire == ProtobufScanner.LENGTH;
  }

  @Override
  public int measure(int limit) {
    int length = textEnd - textStart;
    return length <= limit ? length : 0;
  }

  @Override
  public byte[] bytes() {
    return in.bytes;
  }

  @Override
  public int start() {
    return textStart;
  }

  @Override
  public void pass(int length) {
    in.position = textStart + length;
    pending = false;
  }

  @Override
  public <T> T nextObject(JsonCodec<T> codec) {
    int from = in.position;
    int to = in.valueEnd;
    try {
      return codec.read(this);
    } catch (CodecException e) {
      throw e.inObject(null, ProtobufParts.nameOf(in.bytes, from, to));
    }
  }

  @Override
  public <T> T nextWithRest(JsonCodec<T> codec, BiConsumer<String, @Nullable Object> rest) {
    throw new UnsupportedOperationException("protobuf has no names for unknown fields");
  }

  // -------------------------------------------------------------------------------------- Errors

  @Override
  public String path() {
    StringBuilder path = new StringBuilder();
    for (int i = 1; i <= depth; i++) {
      if (levels[i].name != null) {
        path.append('/').append(levels[i].name);
      }
    }
    return path.toString();
  }

  @Override
  public long offset() {
    return (long) in.position - start;
  }

  @Override
  public DecodeContext context() {
    return context;
  }

  @Override
  public CodecException mismatch(String problem) {
    return CodecException.mismatch(problem, path(), offset(), null);
  }

  private CodecException malformed(String problem) {
    return CodecException.malformed(problem, path(), offset(), null);
  }
}
