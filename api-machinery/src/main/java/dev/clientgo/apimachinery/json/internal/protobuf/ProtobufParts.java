package dev.clientgo.apimachinery.json.internal.protobuf;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.internal.intern.Pool;
import dev.clientgo.apimachinery.json.internal.protobuf.ProtobufFields.Form;
import dev.clientgo.apimachinery.json.internal.utf8.TimeText;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads strings, and values that are a message in protobuf but not an object in JSON: times,
 * quantities, numbers that may be strings, raw JSON. Each method reads the next value of a scanner
 * without moving it.
 */
public final class ProtobufParts {

  private final Pool strings;
  private final Function<String, CodecException> errors;
  private final ProtobufScanner part;

  /**
   * @param errors creates an exception from the description of a problem
   */
  public ProtobufParts(Pool strings, Function<String, CodecException> errors) {
    this.strings = strings;
    this.errors = errors;
    this.part = new ProtobufScanner(errors);
  }

  /** Returns the JSON string of a value of this form. */
  public String string(ProtobufScanner in, Form form) {
    return switch (form) {
      case TIME, MICRO_TIME -> time(in, form);
      case QUANTITY -> string(in, 1);
      case INT_OR_STRING -> string(in, 3);
      case BYTES -> base64(in);
      default -> text(in.bytes, in.position, in.valueEnd);
    };
  }

  private String text(byte[] bytes, int from, int to) {
    int hash = 0;
    for (int i = from; i < to; i++) {
      byte b = bytes[i];
      if (b < 0) {
        return strings.string(new String(bytes, from, to - from, UTF_8));
      }
      hash = 31 * hash + b;
    }
    return strings.string(bytes, from, to - from, hash);
  }

  private String base64(ProtobufScanner in) {
    byte[] value = Arrays.copyOfRange(in.bytes, in.position, in.valueEnd);
    return strings.string(Base64.getEncoder().encodeToString(value));
  }

  private String time(ProtobufScanner in, Form form) {
    long seconds = number(in, 1);
    long nanos = number(in, 2);
    if (!TimeText.isWritable(seconds) || nanos < 0 || nanos >= 1_000_000_000) {
      throw errors.apply("not a time: second " + seconds + ", nanosecond " + nanos);
    }
    return form == Form.TIME ? TimeText.seconds(seconds) : TimeText.micros(seconds, nanos);
  }

  private String string(ProtobufScanner in, int field) {
    return find(in, field, ProtobufScanner.LENGTH)
        ? text(in.bytes, part.position, part.valueEnd)
        : "";
  }

  /** Returns the number in a field of the message; 0 if it is absent. */
  public long number(ProtobufScanner in, int field) {
    return find(in, field, ProtobufScanner.VARINT) ? part.varint() : 0;
  }

  /** Returns the text of the raw JSON in the message; empty if there is none. */
  public byte[] raw(ProtobufScanner in) {
    return hasRaw(in) ? Arrays.copyOfRange(in.bytes, part.position, part.valueEnd) : new byte[0];
  }

  /** Returns whether the message holds raw JSON. */
  public boolean hasRaw(ProtobufScanner in) {
    return find(in, 1, ProtobufScanner.LENGTH) && !part.isZero();
  }

  /** Moves to a field of the message. */
  private boolean find(ProtobufScanner in, int field, int wire) {
    if (!part.over(in.bytes, in.position, in.valueEnd).find(field)) {
      return false;
    }
    if (part.wire != wire) {
      throw errors.apply("a value of wire type " + part.wire + " in field " + field);
    }
    return true;
  }

  /** Returns the end of the list of values that have the same field as the next value. */
  public int endOfList(ProtobufScanner in) {
    part.over(in.bytes, in.valueEnd, in.limit);
    while (part.isNext(in.number)) {
      part.skip();
    }
    return part.position;
  }

  /** Returns the namespace and name of an object, whose first field is its metadata. */
  public static @Nullable String nameOf(byte[] bytes, int from, int to) {
    try {
      ProtobufScanner in =
          new ProtobufScanner(problem -> CodecException.malformed(problem, "", -1, null));
      if (!in.over(bytes, from, to).find(1) || in.wire != ProtobufScanner.LENGTH) {
        return null;
      }
      ProtobufParts metadata = new ProtobufParts(new Pool(16), in::error);
      String name = metadata.string(in, 1);
      String namespace = metadata.string(in, 3);
      return name.isEmpty() ? null : namespace.isEmpty() ? name : namespace + "/" + name;
    } catch (CodecException e) {
      return null;
    }
  }
}
