package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.ProtobufFields.Form;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
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
 */
final class ProtobufReader extends JsonReader {

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH = 2;
  private static final int FIXED32 = 5;

  /** What the reader is inside of. */
  private enum Frame {
    OBJECT,
    /** A message whose fields are those of the object around it. */
    INNER,
    ARRAY,
    MAP
  }

  private final byte[] bytes;
  private final int start;
  private final DecodeContext context;
  private int position;

  /** Where the message ends that the reader is in. */
  private int limit;

  // The value that is next, if there is one, begins at the position.
  private boolean pending;
  private int number;
  private int wire;
  private Form form = Form.PLAIN;
  private int valueEnd;

  // What the reader is inside of, and how it was there.
  private int depth;
  private Frame[] frames = new Frame[16];
  private int[] limits = new int[16];
  private int[] numbers = new int[16];
  private Form[] forms = new Form[16];
  private boolean[] first = new boolean[16];
  private @Nullable ProtobufFields[] fields = new ProtobufFields[16];
  private @Nullable String[] names = new String[16];

  ProtobufReader(byte[] bytes, int from, int to, DecodeContext context) {
    this.bytes = bytes;
    this.context = context;
    start = from;
    position = from;
    limit = to;
    pending = true;
    wire = LENGTH;
    valueEnd = to;
  }

  // ---------------------------------------------------------------------------------- Structure

  @Override
  public Token peek() {
    if (!pending) {
      return Token.END_OF_STREAM;
    }
    return switch (form) {
      case TIME, MICRO_TIME, QUANTITY, BYTES -> Token.STRING;
      case INT_OR_STRING -> isString() ? Token.STRING : Token.NUMBER;
      case STRINGS -> Token.ARRAY;
      case RAW -> Token.OBJECT;
      case PLAIN -> wire == LENGTH ? Token.STRING : Token.NUMBER;
    };
  }

  @Override
  public void beginObject() {
    require(LENGTH, "a message");
    push(Frame.OBJECT);
    limit = valueEnd;
    pending = false;
  }

  @Override
  public int nextField(FieldNames table) {
    ProtobufFields own = table.protobuf();
    if (own == null) {
      throw malformed("the type with the fields " + table + " has no form in protobuf");
    }
    if (fields[depth] == null) {
      fields[depth] = own;
    }
    while (true) {
      dropPending();
      if (position == limit) {
        boolean inner = frames[depth] == Frame.INNER;
        pop();
        if (!inner) {
          return END;
        }
        continue;
      }
      readTag();
      ProtobufFields at = fields[depth];
      ProtobufFields inner = at == null ? null : at.inner(number);
      if (inner != null) {
        push(Frame.INNER);
        limit = valueEnd;
        fields[depth] = inner;
        pending = false;
        continue;
      }
      int index = at == null ? -1 : at.index(number);
      if (index >= 0) {
        form = own.form(index);
        if (!isAbsent(own.zeroIsAbsent(index))) {
          names[depth] = table.name(index);
          return index;
        }
      }
    }
  }

  private boolean isAbsent(boolean zeroIsAbsent) {
    return switch (form) {
      case TIME, MICRO_TIME, BYTES -> position == valueEnd;
      case RAW -> rawLength() == 0;
      default -> zeroIsAbsent && isZero();
    };
  }

  private boolean isZero() {
    return switch (wire) {
      case VARINT -> bytes[position] == 0;
      case LENGTH -> position == valueEnd;
      default -> fixed64() == 0;
    };
  }

  @Override
  public @Nullable String nextName() {
    dropPending();
    if (frames[depth] == Frame.OBJECT) {
      frames[depth] = Frame.MAP;
    } else {
      position = limit;
      limit = limits[depth];
      if (!isRepeated(numbers[depth])) {
        pop();
        return null;
      }
      limit = valueEnd;
      pending = false;
    }
    return readEntry();
  }

  /** Reads the key of the entry that ends at the limit, and makes its value the next one. */
  private String readEntry() {
    String key = "";
    while (position < limit) {
      readTag();
      form = Form.PLAIN;
      if (number == 1) {
        key = nextString();
      } else if (number == 2) {
        form = forms[depth];
        names[depth] = key;
        return key;
      } else {
        skip();
      }
    }
    // The value is the default of its type, which is written by some.
    wire = LENGTH;
    valueEnd = position;
    form = forms[depth];
    pending = true;
    return key;
  }

  @Override
  public void beginArray() {
    if (!pending) {
      throw new IllegalStateException("no value here; move to the next one first");
    }
    push(Frame.ARRAY);
    if (form == Form.STRINGS) {
      limit = valueEnd;
      numbers[depth] = 1;
      forms[depth] = Form.PLAIN;
      pending = false;
    } else {
      first[depth] = true;
    }
  }

  @Override
  public boolean nextElement() {
    if (first[depth]) {
      first[depth] = false;
      return true;
    }
    dropPending();
    if (isRepeated(numbers[depth])) {
      form = forms[depth];
      return true;
    }
    if (limit != limits[depth]) {
      position = limit;
    }
    pop();
    return false;
  }

  /** Moves to the next field if it is of this number. */
  private boolean isRepeated(int wanted) {
    int before = position;
    if (position < limit) {
      readTag();
      if (number == wanted) {
        return true;
      }
    }
    position = before;
    pending = false;
    return false;
  }

  @Override
  public boolean nextNull() {
    return false;
  }

  private void push(Frame frame) {
    if (depth + 1 == frames.length) {
      if (depth >= MAX_DEPTH) {
        throw malformed("nesting of more than " + MAX_DEPTH + " levels");
      }
      grow(2 * frames.length);
    }
    depth++;
    frames[depth] = frame;
    limits[depth] = limit;
    numbers[depth] = number;
    forms[depth] = form;
    first[depth] = false;
    fields[depth] = null;
    names[depth] = null;
  }

  private void grow(int size) {
    frames = Arrays.copyOf(frames, size);
    limits = Arrays.copyOf(limits, size);
    numbers = Arrays.copyOf(numbers, size);
    forms = Arrays.copyOf(forms, size);
    first = Arrays.copyOf(first, size);
    fields = Arrays.copyOf(fields, size);
    names = Arrays.copyOf(names, size);
  }

  private void pop() {
    limit = limits[depth];
    depth--;
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public void leave(int target) {
    while (depth > target) {
      switch (frames[depth]) {
        case OBJECT, INNER -> {
          pending = false;
          position = limit;
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
    require(LENGTH, "a string");
    int from = position;
    int to = valueEnd;
    position = valueEnd;
    pending = false;
    return switch (form) {
      case TIME -> time(from, to, false);
      case MICRO_TIME -> time(from, to, true);
      case QUANTITY -> inMessage(from, to, 1);
      case INT_OR_STRING -> inMessage(from, to, 3);
      case BYTES ->
          context.share(Base64.getEncoder().encodeToString(Arrays.copyOfRange(bytes, from, to)));
      default -> string(from, to);
    };
  }

  private String string(int from, int to) {
    int hash = 0;
    for (int i = from; i < to; i++) {
      if (bytes[i] < 0) {
        return context.share(new String(bytes, from, to - from, UTF_8));
      }
      hash = 31 * hash + bytes[i];
    }
    return context.ascii(bytes, from, to - from, hash);
  }

  /** Returns the string that a message has in a field. */
  private String inMessage(int from, int to, int wanted) {
    ProtobufReader message = new ProtobufReader(bytes, from, to, context);
    return message.find(wanted) ? message.nextString() : "";
  }

  private long numberInMessage(int from, int to, int wanted) {
    ProtobufReader message = new ProtobufReader(bytes, from, to, context);
    return message.find(wanted) ? message.nextLong() : 0;
  }

  /** Moves to a field of the message that the reader was made for. */
  private boolean find(int wanted) {
    pending = false;
    while (position < limit) {
      readTag();
      if (number == wanted) {
        return true;
      }
      skip();
    }
    return false;
  }

  private String time(int from, int to, boolean micro) {
    long nanos = numberInMessage(from, to, 2);
    String whole = Instant.ofEpochSecond(numberInMessage(from, to, 1)).toString();
    return micro
        ? "%s.%06dZ".formatted(whole.substring(0, whole.length() - 1), nanos / 1000)
        : whole;
  }

  private boolean isString() {
    return numberInMessage(position, valueEnd, 1) == 1;
  }

  @Override
  public boolean nextBoolean() {
    return nextLong() != 0;
  }

  @Override
  public int nextInt() {
    if (form == Form.INT_OR_STRING) {
      int value = (int) numberInMessage(position, valueEnd, 2);
      skip();
      return value;
    }
    return (int) nextLong();
  }

  @Override
  public long nextLong() {
    require(VARINT, "a whole number");
    pending = false;
    return varint();
  }

  @Override
  public double nextDouble() {
    require(FIXED64, "a number");
    double value = Double.longBitsToDouble(fixed64());
    skip();
    return value;
  }

  @Override
  public Number nextNumber() {
    return wire == FIXED64 ? (Number) nextDouble() : (Number) nextLong();
  }

  @Override
  public RawJson nextRaw() {
    require(LENGTH, "JSON");
    if (form != Form.RAW) {
      throw mismatch("expected JSON, found a message");
    }
    int length = rawLength();
    RawJson raw = RawJson.wrap(Arrays.copyOfRange(bytes, valueEnd - length, valueEnd));
    position = valueEnd;
    pending = false;
    return context.share(raw);
  }

  /** Returns how much JSON there is at the end of the message that is the next value. */
  private int rawLength() {
    ProtobufReader message = new ProtobufReader(bytes, position, valueEnd, context);
    return message.find(1) ? message.valueEnd - message.position : 0;
  }

  @Override
  public void skip() {
    pending = false;
    switch (wire) {
      case VARINT -> varint();
      case FIXED64 -> position += 8;
      case FIXED32 -> position += 4;
      default -> position = valueEnd;
    }
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
    if (wire != expected) {
      throw mismatch("expected " + what + ", found a value of wire type " + wire);
    }
  }

  // --------------------------------------------------------------------------------------- Bytes

  private void readTag() {
    long tag = varint();
    number = (int) (tag >>> 3);
    wire = (int) (tag & 7);
    switch (wire) {
      case LENGTH -> {
        long length = varint();
        if (length < 0 || length > limit - position) {
          throw malformed(
              "a value of " + length + " bytes where " + (limit - position) + " are left");
        }
        valueEnd = position + (int) length;
      }
      case VARINT, FIXED64, FIXED32 -> valueEnd = position;
      default -> throw malformed("wire type " + wire);
    }
    int fixed = wire == FIXED64 ? 8 : wire == FIXED32 ? 4 : 0;
    if (number == 0 || limit - position < fixed) {
      throw malformed("no field of a message");
    }
    pending = true;
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (position >= limit) {
        throw malformed("the message ends within a number");
      }
      byte b = bytes[position++];
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw malformed("a number of more than 64 bits");
  }

  private long fixed64() {
    long value = 0;
    for (int i = 7; i >= 0; i--) {
      value = value << 8 | (bytes[position + i] & 0xff);
    }
    return value;
  }

  // -------------------------------------------------------------------------------------- Errors

  @Override
  public String path() {
    StringBuilder path = new StringBuilder();
    for (int i = 1; i <= depth; i++) {
      if (names[i] != null) {
        path.append('/').append(names[i]);
      }
    }
    return path.toString();
  }

  @Override
  public long offset() {
    return (long) position - start;
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

  @Override
  public <T> T nextValue(JsonCodec<T> codec) {
    return codec.read(this);
  }

  @Override
  public <T> List<T> nextList(JsonCodec<T> codec) {
    return readList(codec);
  }

  @Override
  public <T> T nextObject(JsonCodec<T> codec) {
    int from = position;
    int to = valueEnd;
    try {
      return codec.read(this);
    } catch (CodecException e) {
      throw e.inObject(null, nameOf(from, to));
    }
  }

  /** Returns the name of the object in a message, whose first field is its metadata. */
  private String nameOf(int from, int to) {
    ProtobufReader object = new ProtobufReader(bytes, from, to, context);
    if (!object.find(1)) {
      return "?";
    }
    String namespace = object.inMessage(object.position, object.valueEnd, 3);
    String name = object.inMessage(object.position, object.valueEnd, 1);
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  @Override
  public <T> T nextWithRest(JsonCodec<T> codec, BiConsumer<String, @Nullable Object> rest) {
    throw new UnsupportedOperationException("fields that a type does not know have no names here");
  }
}
