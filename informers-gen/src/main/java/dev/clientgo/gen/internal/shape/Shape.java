package dev.clientgo.gen.internal.shape;

import dev.clientgo.gen.internal.document.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The structure of a schema that matters for Java, without descriptions, defaults and bounds.
 *
 * <p>Two shapes with one signature become one class.
 */
public sealed interface Shape {

  /** Returns a short text that is equal for shapes of equal structure. */
  String signature();

  /** Returns the innermost element of lists and maps; other shapes return themselves. */
  default Shape leaf() {
    return this;
  }

  /** Returns whether values are objects of a class with a builder. */
  default boolean isObject() {
    return false;
  }

  /** Types that the JSON reader and writer handle themselves. */
  enum Scalar implements Shape {
    STRING("String", "nextString", "STRING"),
    BOOLEAN("Boolean", "nextBoolean", "BOOLEAN"),
    INT("Integer", "nextInt", "INT"),
    LONG("Long", "nextLong", "LONG"),
    DOUBLE("Double", "nextDouble", "DOUBLE"),
    NUMBER("Number", "nextNumber", "NUMBER"),
    ANY("dev.clientgo.apimachinery.json.RawJson", "nextRaw", "RAW");

    public final String className;
    public final String reader;
    public final String codec;

    Scalar(String className, String reader, String codec) {
      this.className = className;
      this.reader = reader;
      this.codec = codec;
    }

    @Override
    public String signature() {
      return name();
    }
  }

  /**
   * A class that exists, with a constant {@code CODEC}.
   *
   * @param editable whether it has a {@code builder()} and a {@code toBuilder()}
   * @param hasEmpty whether it has a constant {@code EMPTY}, which stands for an absent one
   */
  record Known(String className, boolean editable, boolean hasEmpty) implements Shape {
    @Override
    public String signature() {
      return className;
    }

    @Override
    public boolean isObject() {
      return editable;
    }
  }

  /**
   * A named type of the input.
   *
   * @param enumeration whether it is a string of which some values are known, and no object
   */
  record Named(String name, boolean enumeration) implements Shape {
    @Override
    public String signature() {
      return "@" + name;
    }

    @Override
    public boolean isObject() {
      return !enumeration;
    }
  }

  /** A list. */
  record ListOf(Shape element) implements Shape {
    @Override
    public String signature() {
      return "[" + element.signature() + "]";
    }

    @Override
    public Shape leaf() {
      return element.leaf();
    }
  }

  /** A map from strings. */
  record MapOf(Shape value) implements Shape {
    @Override
    public String signature() {
      return "<" + value.signature() + ">";
    }

    @Override
    public Shape leaf() {
      return value.leaf();
    }
  }

  /**
   * A string of which some values are known. Its signature holds the name of its field: two fields
   * that take the same values may mean different things.
   */
  record Enumeration(String signature, List<String> values) implements Shape {}

  /**
   * An object with known fields.
   *
   * @param open whether fields beyond these are kept
   * @param weight how many fields it has, with those within
   */
  record Struct(
      String signature,
      List<Field> fields,
      boolean open,
      int weight,
      @Nullable String description,
      Node source)
      implements Shape {

    @Override
    public boolean isObject() {
      return true;
    }
  }

  /**
   * A field of an object.
   *
   * @param name the name in JSON
   * @param expected whether it is an object that readers may expect: one that Go keeps as a struct
   *     and not as a pointer, or that the schema requires
   * @param note the default, for the Javadoc
   * @param key the field, a string, that identifies the elements of the list; null if none does
   * @param protobuf the numbers on the way to it in protobuf, joined by points, and {@code z} if
   *     its zero is not sent; null if it is not known
   */
  record Field(
      String name,
      Shape shape,
      boolean expected,
      @Nullable String description,
      @Nullable String note,
      @Nullable String key,
      @Nullable String protobuf) {

    /** Returns the same field as one that readers may expect, if it is an object. */
    public Field asExpected() {
      return new Field(name, shape, shape.isObject(), description, note, key, protobuf);
    }

    /** Returns the same field of a type that is not in protobuf. */
    public Field withoutProtobuf() {
      return new Field(name, shape, expected, description, note, key, null);
    }
  }
}
