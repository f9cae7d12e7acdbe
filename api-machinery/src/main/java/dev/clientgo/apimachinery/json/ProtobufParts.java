package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.ProtobufFields.Form;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads values that are one thing in JSON and a message in protobuf: times, quantities, numbers
 * that may be strings, raw JSON; and strings, wherever they stand. The value is the next one of a
 * scanner, which stays where it is.
 */
final class ProtobufParts {

  private final DecodeContext context;
  private final Function<String, CodecException> errors;
  private final ProtobufScanner part;

  /**
   * @param errors makes an error of what is wrong
   */
  ProtobufParts(DecodeContext context, Function<String, CodecException> errors) {
    this.context = context;
    this.errors = errors;
    this.part = new ProtobufScanner(errors);
  }

  /** Returns the string that JSON has for a value of this form. */
  String string(ProtobufScanner in, Form form) {
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
        return context.share(new String(bytes, from, to - from, UTF_8));
      }
      hash = 31 * hash + b;
    }
    return context.ascii(bytes, from, to - from, hash);
  }

  private String base64(ProtobufScanner in) {
    byte[] value = Arrays.copyOfRange(in.bytes, in.position, in.valueEnd);
    return context.share(Base64.getEncoder().encodeToString(value));
  }

  private String time(ProtobufScanner in, Form form) {
    long seconds = number(in, 1);
    long nanos = number(in, 2);
    if (!ProtobufTime.isWritable(seconds, nanos)) {
      throw errors.apply("no time: second " + seconds + ", nanosecond " + nanos);
    }
    return form == Form.TIME ? ProtobufTime.seconds(seconds) : ProtobufTime.micros(seconds, nanos);
  }

  private String string(ProtobufScanner in, int field) {
    return find(in, field, ProtobufScanner.LENGTH)
        ? text(in.bytes, part.position, part.valueEnd)
        : "";
  }

  /** Returns the number that the message has in a field. */
  long number(ProtobufScanner in, int field) {
    return find(in, field, ProtobufScanner.VARINT) ? part.varint() : 0;
  }

  /** Returns the raw JSON that the message holds, of no bytes if it holds none. */
  RawJson raw(ProtobufScanner in) {
    return RawJson.wrap(
        hasRaw(in) ? Arrays.copyOfRange(in.bytes, part.position, part.valueEnd) : new byte[0]);
  }

  /** Returns whether the message holds raw JSON. */
  boolean hasRaw(ProtobufScanner in) {
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

  /** Returns where the last of the values ends that are of the same field as the next one. */
  int endOfList(ProtobufScanner in) {
    part.over(in.bytes, in.valueEnd, in.limit);
    while (part.isNext(in.number)) {
      part.skip();
    }
    return part.position;
  }

  /** Returns the name of the object in a message, whose first field is its metadata. */
  static @Nullable String nameOf(byte[] bytes, int from, int to) {
    try {
      ProtobufScanner in =
          new ProtobufScanner(problem -> CodecException.malformed(problem, "", -1, null));
      if (!in.over(bytes, from, to).find(1) || in.wire != ProtobufScanner.LENGTH) {
        return null;
      }
      ProtobufParts metadata = new ProtobufParts(DecodeContext.create(), in::error);
      String name = metadata.string(in, 1);
      String namespace = metadata.string(in, 3);
      return name.isEmpty() ? null : namespace.isEmpty() ? name : namespace + "/" + name;
    } catch (CodecException e) {
      return null;
    }
  }
}
