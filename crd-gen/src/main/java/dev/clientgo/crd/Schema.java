package dev.clientgo.crd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Adds to the schema of a component, a type, or the elements of a list or map: {@code
 * List<@Schema(pattern = "^[a-z]+$") String>}. The names are those of OpenAPI.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.TYPE_USE})
public @interface Schema {

  /** The value of an attribute that is not set. */
  String UNSET = "\0";

  /** How a list is merged, and what makes its elements unique: {@code x-kubernetes-list-type}. */
  enum ListType {
    /** {@link #SET} for a Java set; else none, which servers take for {@link #ATOMIC}. */
    BY_TYPE,
    /** Replaced as a whole. */
    ATOMIC,
    /** No element twice. */
    SET,
    /** No two elements with the same {@link Schema#listMapKeys}. */
    MAP
  }

  /** How an object or a map is merged: {@code x-kubernetes-map-type}. */
  enum MapType {
    /** None, which servers take for {@link #GRANULAR}. */
    BY_TYPE,
    /** Replaced as a whole. */
    ATOMIC,
    /** Merged field by field. */
    GRANULAR
  }

  /** What {@code kubectl explain} shows. */
  String description() default "";

  /** The type, such as {@code string}, for a class that a codec writes. Its fields are not read. */
  String type() default "";

  /** The format, such as {@code ipv4}, {@code uri} or {@code password}. */
  String format() default "";

  /** The default: for strings the text, for others JSON or YAML. The field may be absent then. */
  String defaultValue() default UNSET;

  /** The field may be absent though the type is not nullable: the record fills it itself. */
  boolean optional() default false;

  /** The field may be null; not the same as absent. */
  boolean nullable() default false;

  /** The smallest number. */
  double minimum() default Double.NaN;

  /** The largest number. */
  double maximum() default Double.NaN;

  /** Whether {@link #minimum} itself is too small. */
  boolean exclusiveMinimum() default false;

  /** Whether {@link #maximum} itself is too large. */
  boolean exclusiveMaximum() default false;

  /** A number of which the value must be a multiple. */
  double multipleOf() default Double.NaN;

  /** The least number of characters. */
  long minLength() default -1;

  /** The largest number of characters. */
  long maxLength() default -1;

  /** A regular expression of Go's syntax (RE2). */
  String pattern() default "";

  /** The values of a string. Java's enums have theirs. */
  String[] enumValues() default {};

  /** The least number of elements. */
  long minItems() default -1;

  /** The largest number of elements. */
  long maxItems() default -1;

  /** The least number of entries of a map. */
  long minProperties() default -1;

  /** The largest number of entries of a map. */
  long maxProperties() default -1;

  /** How the list is merged. */
  ListType listType() default ListType.BY_TYPE;

  /** The fields of the elements that are the key of a list of type {@link ListType#MAP}. */
  String[] listMapKeys() default {};

  /** How the object or map is merged. */
  MapType mapType() default MapType.BY_TYPE;

  /** Whether the server keeps fields that the schema does not have. */
  boolean preserveUnknownFields() default false;

  /** Whether the object is one of the API, with {@code apiVersion}, {@code kind}, metadata. */
  boolean embeddedResource() default false;
}
