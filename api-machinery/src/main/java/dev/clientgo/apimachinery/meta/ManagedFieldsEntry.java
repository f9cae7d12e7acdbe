package dev.clientgo.apimachinery.meta;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RawJson;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object that one manager has set, and how it set them.
 *
 * <p>Immutable. Corresponds to client-go's {@code metav1.ManagedFieldsEntry}.
 *
 * @param manager The name of the manager
 * @param operation {@code Apply} or {@code Update}
 * @param apiVersion The version of the fields
 * @param time When the entry was last changed
 * @param fieldsType The form of the fields, {@code FieldsV1}
 * @param fieldsV1 The fields, kept as text
 * @param subresource The subresource through which the manager set them
 */
public record ManagedFieldsEntry(
    @Nullable String manager,
    @Nullable String operation,
    @Nullable String apiVersion,
    @Nullable Time time,
    @Nullable String fieldsType,
    @Nullable RawJson fieldsV1,
    @Nullable String subresource) {

  /** Reads and writes this type. */
  public static final JsonCodec<ManagedFieldsEntry> CODEC = new Codec();

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a new value, whose fields {@code fill} sets. */
  public static ManagedFieldsEntry of(Consumer<Builder> fill) {
    Builder builder = new Builder();
    fill.accept(builder);
    return builder.build();
  }

  /** Returns a copy of this value with the changes that {@code edit} makes. */
  public ManagedFieldsEntry with(Consumer<Builder> edit) {
    Builder builder = toBuilder();
    edit.accept(builder);
    return builder.build();
  }

  /** Returns a builder that starts with this value. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.manager = manager;
    builder.operation = operation;
    builder.apiVersion = apiVersion;
    builder.time = time;
    builder.fieldsType = fieldsType;
    builder.fieldsV1 = fieldsV1;
    builder.subresource = subresource;
    return builder;
  }

  /** Builds a {@link ManagedFieldsEntry}. Not safe for use by many threads. */
  public static final class Builder {
    private @Nullable String manager;
    private @Nullable String operation;
    private @Nullable String apiVersion;
    private @Nullable Time time;
    private @Nullable String fieldsType;
    private @Nullable RawJson fieldsV1;
    private @Nullable String subresource;

    private Builder() {}

    /** Sets the name of the manager. */
    public Builder manager(@Nullable String manager) {
      this.manager = manager;
      return this;
    }

    /** Sets {@code Apply} or {@code Update}. */
    public Builder operation(@Nullable String operation) {
      this.operation = operation;
      return this;
    }

    /** Sets the version of the fields. */
    public Builder apiVersion(@Nullable String apiVersion) {
      this.apiVersion = apiVersion;
      return this;
    }

    /** Sets when the entry was last changed. */
    public Builder time(@Nullable Time time) {
      this.time = time;
      return this;
    }

    /** Sets the form of the fields, {@code FieldsV1}. */
    public Builder fieldsType(@Nullable String fieldsType) {
      this.fieldsType = fieldsType;
      return this;
    }

    /** Sets the fields, kept as text. */
    public Builder fieldsV1(@Nullable RawJson fieldsV1) {
      this.fieldsV1 = fieldsV1;
      return this;
    }

    /** Sets the subresource through which the manager set the fields. */
    public Builder subresource(@Nullable String subresource) {
      this.subresource = subresource;
      return this;
    }

    /** Returns the value built. */
    public ManagedFieldsEntry build() {
      return new ManagedFieldsEntry(
          manager, operation, apiVersion, time, fieldsType, fieldsV1, subresource);
    }
  }

  private static final class Codec implements JsonCodec<ManagedFieldsEntry> {

    private static final FieldNames FIELDS =
        FieldNames.of(
                "manager",
                "operation",
                "apiVersion",
                "time",
                "fieldsType",
                "fieldsV1",
                "subresource")
            .protobuf("1z 2z 3z 4t 6z 7r 8z");

    @Override
    public ManagedFieldsEntry read(JsonReader in) {
      String manager = null;
      String operation = null;
      String apiVersion = null;
      Time time = null;
      String fieldsType = null;
      RawJson fieldsV1 = null;
      String subresource = null;
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> manager = in.nextString();
          case 1 -> operation = in.nextString();
          case 2 -> apiVersion = in.nextString();
          case 3 -> time = Time.CODEC.read(in);
          case 4 -> fieldsType = in.nextString();
          case 5 -> fieldsV1 = in.nextValue(RawJson.CODEC);
          case 6 -> subresource = in.nextString();
          default -> throw new AssertionError(field);
        }
      }
      return new ManagedFieldsEntry(
          manager, operation, apiVersion, time, fieldsType, fieldsV1, subresource);
    }

    @Override
    public void write(JsonWriter out, ManagedFieldsEntry value) {
      out.beginObject();
      out.field("manager", value.manager());
      out.field("operation", value.operation());
      out.field("apiVersion", value.apiVersion());
      out.field("time", Time.CODEC, value.time());
      out.field("fieldsType", value.fieldsType());
      out.field("fieldsV1", value.fieldsV1());
      out.field("subresource", value.subresource());
      out.endObject();
    }
  }
}
