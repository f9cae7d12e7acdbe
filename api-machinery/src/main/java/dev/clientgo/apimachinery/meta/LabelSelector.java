package dev.clientgo.apimachinery.meta;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.Immutable;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A label selector as a field of an object: selects the objects that meet every condition.
 *
 * <p>An empty selector selects all objects; an absent selector selects none. {@link
 * dev.clientgo.apimachinery.labels.Selector#of(LabelSelector)} converts it for matching. Immutable.
 * Corresponds to client-go's {@code metav1.LabelSelector}.
 *
 * @param matchLabels the labels that an object must have, with these values
 * @param matchExpressions further conditions
 */
public record LabelSelector(
    @Nullable Map<String, String> matchLabels,
    @Nullable List<LabelSelectorRequirement> matchExpressions) {

  /** Reads and writes this type. */
  public static final JsonCodec<LabelSelector> CODEC = new Codec();

  public LabelSelector {
    matchLabels = Immutable.map(matchLabels);
    matchExpressions = Immutable.list(matchExpressions);
  }

  /** Returns the labels that an object must have; never null, empty if absent. */
  @Override
  public Map<String, String> matchLabels() {
    return Immutable.orEmpty(matchLabels);
  }

  /** Returns further conditions; never null, empty if absent. */
  @Override
  public List<LabelSelectorRequirement> matchExpressions() {
    return Immutable.orEmpty(matchExpressions);
  }

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a new value, whose fields {@code fill} sets. */
  public static LabelSelector of(Consumer<Builder> fill) {
    return Edits.apply(builder(), fill).build();
  }

  /** Returns a copy of this value with the changes that {@code edit} makes. */
  public LabelSelector with(Consumer<Builder> edit) {
    return Edits.apply(toBuilder(), edit).build();
  }

  /** Returns a builder that starts with this value. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.matchLabels = matchLabels;
    builder.matchExpressions = matchExpressions;
    return builder;
  }

  /** Builds a {@link LabelSelector}. Not safe for use by many threads. */
  public static final class Builder {
    private @Nullable Map<String, String> matchLabels;
    private @Nullable List<LabelSelectorRequirement> matchExpressions;

    private Builder() {}

    /** Sets the labels that an object must have, with these values. */
    public Builder matchLabels(@Nullable Map<String, String> matchLabels) {
      this.matchLabels = matchLabels;
      return this;
    }

    /** Edits the labels that an object must have, which begin empty if absent. */
    public Builder editMatchLabels(Consumer<Map<String, String>> edit) {
      this.matchLabels = Edits.map(this.matchLabels, edit);
      return this;
    }

    /** Sets further conditions. */
    public Builder matchExpressions(@Nullable List<LabelSelectorRequirement> matchExpressions) {
      this.matchExpressions = matchExpressions;
      return this;
    }

    /** Adds a condition, whose fields {@code fill} sets. */
    public Builder addMatchExpressions(Consumer<LabelSelectorRequirement.Builder> fill) {
      this.matchExpressions = Edits.add(this.matchExpressions, LabelSelectorRequirement.of(fill));
      return this;
    }

    /** Edits the further conditions, which begin empty if absent. */
    public Builder editMatchExpressions(Consumer<List<LabelSelectorRequirement>> edit) {
      this.matchExpressions = Edits.list(this.matchExpressions, edit);
      return this;
    }

    /** Returns the value built. */
    public LabelSelector build() {
      return new LabelSelector(matchLabels, matchExpressions);
    }
  }

  private static final class Codec implements JsonCodec<LabelSelector> {

    private static final FieldNames FIELDS =
        FieldNames.of("matchLabels", "matchExpressions").protobuf("1 2");

    @Override
    public LabelSelector read(JsonReader in) {
      Builder builder = new Builder();
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> builder.matchLabels = in.nextStringMap();
          case 1 -> builder.matchExpressions = in.nextList(LabelSelectorRequirement.CODEC);
          default -> throw new AssertionError(field);
        }
      }
      return builder.build();
    }

    @Override
    public void write(JsonWriter out, LabelSelector value) {
      out.beginObject();
      out.stringMapField("matchLabels", value.matchLabels());
      out.listField("matchExpressions", LabelSelectorRequirement.CODEC, value.matchExpressions());
      out.endObject();
    }
  }
}
