package dev.clientgo.apimachinery.meta;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.Immutable;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A condition on one label, as a field of an object.
 *
 * <p>Immutable. Corresponds to client-go's {@code metav1.LabelSelectorRequirement}.
 *
 * @param key the key of the label
 * @param operator {@value #IN}, {@value #NOT_IN}, {@value #EXISTS} or {@value #DOES_NOT_EXIST}
 * @param values the values to compare with; absent or empty for the last two operators
 */
public record LabelSelectorRequirement(
    @Nullable String key, @Nullable String operator, @Nullable List<String> values) {

  /** The value of the label is one of several. */
  public static final String IN = "In";

  /** The value of the label is none of several, or there is no such label. */
  public static final String NOT_IN = "NotIn";

  /** The label is there, whatever its value. */
  public static final String EXISTS = "Exists";

  /** The label is not there. */
  public static final String DOES_NOT_EXIST = "DoesNotExist";

  /** Reads and writes this type. */
  public static final JsonCodec<LabelSelectorRequirement> CODEC = new Codec();

  public LabelSelectorRequirement {
    values = Immutable.list(values);
  }

  /** Returns the values to compare with; never null, empty if absent. */
  @Override
  public List<String> values() {
    return Immutable.orEmpty(values);
  }

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a new value, whose fields {@code fill} sets. */
  public static LabelSelectorRequirement of(Consumer<Builder> fill) {
    return Edits.apply(builder(), fill).build();
  }

  /** Returns a copy of this value with the changes that {@code edit} makes. */
  public LabelSelectorRequirement with(Consumer<Builder> edit) {
    return Edits.apply(toBuilder(), edit).build();
  }

  /** Returns a builder that starts with this value. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.key = key;
    builder.operator = operator;
    builder.values = values;
    return builder;
  }

  /** Builds a {@link LabelSelectorRequirement}. Not safe for use by many threads. */
  public static final class Builder {
    private @Nullable String key;
    private @Nullable String operator;
    private @Nullable List<String> values;

    private Builder() {}

    /** Sets the key of the label. */
    public Builder key(@Nullable String key) {
      this.key = key;
      return this;
    }

    /** Sets the operator, such as {@link #IN}. */
    public Builder operator(@Nullable String operator) {
      this.operator = operator;
      return this;
    }

    /** Sets the values to compare with. */
    public Builder values(@Nullable List<String> values) {
      this.values = values;
      return this;
    }

    /** Edits the values to compare with, which begin empty if absent. */
    public Builder editValues(Consumer<List<String>> edit) {
      this.values = Edits.list(this.values, edit);
      return this;
    }

    /** Returns the value built. */
    public LabelSelectorRequirement build() {
      return new LabelSelectorRequirement(key, operator, values);
    }
  }

  private static final class Codec implements JsonCodec<LabelSelectorRequirement> {

    private static final FieldNames FIELDS =
        FieldNames.of("key", "operator", "values").protobuf("1 2 3");

    @Override
    public LabelSelectorRequirement read(JsonReader in) {
      Builder builder = new Builder();
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> builder.key = in.nextString();
          case 1 -> builder.operator = in.nextString();
          case 2 -> builder.values = in.nextStringList();
          default -> throw new AssertionError(field);
        }
      }
      return builder.build();
    }

    @Override
    public void write(JsonWriter out, LabelSelectorRequirement value) {
      out.beginObject();
      out.field("key", value.key());
      out.field("operator", value.operator());
      out.stringListField("values", value.values());
      out.endObject();
    }
  }
}
