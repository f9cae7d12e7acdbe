package dev.clientgo.apimachinery.json;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.ProtobufFields.Form;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A reader of a message of protobuf, for codecs of JSON: it gives what the JSON of the same object
 * would.
 *
 * <p>A codec asks for fields by a table of names, which knows their numbers, and for values by
 * their types; so it need not know what it reads. Objects and maps are messages; a list or a map is
 * a field that comes again and again, without a break.
 *
 * <p>{@link ProtobufScanner} knows the bytes; what the values mean is known here. Whatever is wrong
 * with the bytes is a {@link CodecException}.
 */
final class ProtobufReader extends JsonReader implements ValueCache.Place {

  /** What the reader is inside of. */
  private enum Frame {
    OBJECT,
    /** A message whose fields are those of the object around it. */
    INNER,
    ARRAY,
    MAP
  }

  /** One thing that the reader is inside of, and how it was there. */
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

  /** Where the bytes are that {@link #valueCache} looks for. */
  private int textStart;

  private int textEnd;

  private Level[] levels = new Level[8];
  private int depth;

  /** Whether there is a value at the position that has not been read. */
  private boolean pending = true;

  private Form form = Form.PLAIN;

  ProtobufReader(byte[] bytes, int from, int to, DecodeContext context) {
    this.context = context;
    parts = new ProtobufParts(context, this::malformed);
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
      int index = field(own);
      if (index >= 0) {
        levels[depth].name = table.name(index);
        return index;
      }
    }
  }

  /** Returns the index of the field that the next value is of, -1 if there is nothing in JSON. */
  private int field(ProtobufFields own) {
    ProtobufFields at = levels[depth].fields;
    ProtobufFields inner = at == null ? null : at.inner(in.number);
    if (inner != null) {
      require(ProtobufScanner.LENGTH, "a message");
      enter(Frame.INNER).fields = inner;
      return -1;
    }
    int index = at == null ? -1 : at.index(in.number);
    if (index < 0) {
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
    // The value is the default of its type, which is written by some.
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

  /** Goes into the message that is the next value. */
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
    RawJson raw = parts.raw(in);
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
    throw new UnsupportedOperationException("fields that a type does not know have no names here");
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
