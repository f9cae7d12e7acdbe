package dev.clientgo.apimachinery.json.internal.protobuf;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The numbers and forms of the fields of a type in protobuf.
 *
 * <p>Upstream inlines some structs into the JSON of others; in protobuf each is a separate message.
 * So a number leads to a field of the JSON, or to the fields of such a message.
 */
public final class ProtobufFields {

  /** The forms in which protobuf writes the values of fields. */
  public enum Form {
    /** The usual form of the type. */
    PLAIN(' '),
    /** Seconds and nanoseconds, for a time in seconds. */
    TIME('t'),
    /** Seconds and nanoseconds, for a time in microseconds. */
    MICRO_TIME('u'),
    /** A string in a message. */
    QUANTITY('q'),
    /** A message of the type, the number and the string. */
    INT_OR_STRING('i'),
    /** Bytes, which JSON writes in base64. */
    BYTES('b'),
    /** JSON in a message. */
    RAW('r'),
    /** A list of strings in a message. */
    STRINGS('s');

    private final char letter;

    Form(char letter) {
      this.letter = letter;
    }

    static Form of(char letter) {
      for (Form form : values()) {
        if (form.letter == letter) {
          return form;
        }
      }
      throw new IllegalArgumentException("no form has the letter " + letter);
    }
  }

  /** By number: the index of the field plus one; 0 if there is none. */
  private short[] indexes = {};

  private @Nullable ProtobufFields[] inner = {};
  private final Form[] forms;
  private final boolean[] zeroIsAbsent;

  private ProtobufFields(int count) {
    forms = new Form[count];
    zeroIsAbsent = new boolean[count];
    Arrays.fill(forms, Form.PLAIN);
  }

  /**
   * Parses a description: for each field its numbers, joined by points, then {@code z} if its zero
   * is not in JSON, then the letter of its form if it has one; {@code -} if it is not in protobuf.
   */
  public static ProtobufFields parse(String description, int count) {
    ProtobufFields fields = new ProtobufFields(count);
    String[] each = description.split(" ", -1);
    if (each.length != count) {
      throw new IllegalArgumentException(description + " does not describe " + count + " fields");
    }
    for (int i = 0; i < count; i++) {
      if (!each[i].equals("-")) {
        fields.add(i, each[i]);
      }
    }
    return fields;
  }

  private void add(int index, String field) {
    int end = field.length();
    if (Character.isLetter(field.charAt(end - 1)) && field.charAt(end - 1) != 'z') {
      forms[index] = Form.of(field.charAt(--end));
    }
    if (field.charAt(end - 1) == 'z') {
      zeroIsAbsent[index] = true;
      end--;
    }
    ProtobufFields at = this;
    int from = 0;
    for (int point; (point = field.indexOf('.', from)) > 0; from = point + 1) {
      at = at.within(Integer.parseInt(field, from, point, 10));
    }
    int number = Integer.parseInt(field, from, end, 10);
    at.indexes = Arrays.copyOf(at.indexes, Math.max(at.indexes.length, number + 1));
    at.indexes[number] = (short) (index + 1);
  }

  private ProtobufFields within(int number) {
    inner = Arrays.copyOf(inner, Math.max(inner.length, number + 1));
    ProtobufFields fields = inner[number];
    if (fields == null) {
      fields = new ProtobufFields(0);
      inner[number] = fields;
    }
    return fields;
  }

  /** Returns the index of the field of a number; -1 if there is none. */
  public int index(int number) {
    return number < indexes.length ? indexes[number] - 1 : -1;
  }

  /** Returns the fields of the inlined message of a number; null if it is not such a message. */
  public @Nullable ProtobufFields inner(int number) {
    return number < inner.length ? inner[number] : null;
  }

  /** Returns the form of a field. */
  public Form form(int index) {
    return forms[index];
  }

  /** Returns whether a zero of a field is not in JSON. */
  public boolean zeroIsAbsent(int index) {
    return zeroIsAbsent[index];
  }
}
