package dev.clientgo.apimachinery.meta.options;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options for deleting an object. Immutable.
 *
 * <p>The client sends them as the body of the request. All but the preconditions can also be sent
 * as its query. Corresponds to client-go's {@code metav1.DeleteOptions}, without its deprecated
 * {@code orphanDependents}.
 */
public final class DeleteOptions {

  /** The server's defaults. */
  public static final DeleteOptions NONE = builder().build();

  /** Reads and writes this type. */
  public static final JsonCodec<DeleteOptions> CODEC = new Codec();

  private final @Nullable Duration gracePeriod;
  private final @Nullable Preconditions preconditions;
  private final @Nullable DeletionPropagation propagationPolicy;
  private final boolean dryRun;
  private final boolean ignoreStoreReadErrorWithClusterBreakingPotential;

  private DeleteOptions(Builder builder) {
    gracePeriod = builder.gracePeriod;
    preconditions = builder.preconditions;
    propagationPolicy = builder.propagationPolicy;
    dryRun = builder.dryRun;
    ignoreStoreReadErrorWithClusterBreakingPotential =
        builder.ignoreStoreReadErrorWithClusterBreakingPotential;
  }

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts with these options. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.gracePeriod = gracePeriod;
    builder.preconditions = preconditions;
    builder.propagationPolicy = propagationPolicy;
    builder.dryRun = dryRun;
    builder.ignoreStoreReadErrorWithClusterBreakingPotential =
        ignoreStoreReadErrorWithClusterBreakingPotential;
    return builder;
  }

  /**
   * Returns how long the object may take to terminate; absent for the object's own grace period.
   */
  public @Nullable Duration gracePeriod() {
    return gracePeriod;
  }

  /** Returns the preconditions of the deletion. */
  public @Nullable Preconditions preconditions() {
    return preconditions;
  }

  /** Returns how the deletion propagates to owned objects; absent for the default of the kind. */
  public @Nullable DeletionPropagation propagationPolicy() {
    return propagationPolicy;
  }

  /** Returns whether the server does everything but delete. */
  public boolean dryRun() {
    return dryRun;
  }

  /** Returns whether the server removes an object from the store even if it cannot read it. */
  public boolean ignoreStoreReadErrorWithClusterBreakingPotential() {
    return ignoreStoreReadErrorWithClusterBreakingPotential;
  }

  /** Returns the query parameters of these options; the preconditions have none. */
  public Map<String, String> toQuery() {
    Map<String, String> query = new LinkedHashMap<>();
    if (gracePeriod != null) {
      query.put("gracePeriodSeconds", Long.toString(gracePeriod.toSeconds()));
    }
    if (propagationPolicy != null) {
      query.put("propagationPolicy", propagationPolicy.value());
    }
    if (dryRun) {
      query.put("dryRun", "All");
    }
    if (ignoreStoreReadErrorWithClusterBreakingPotential) {
      query.put("ignoreStoreReadErrorWithClusterBreakingPotential", "true");
    }
    return query;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DeleteOptions options
        && toQuery().equals(options.toQuery())
        && Objects.equals(preconditions, options.preconditions);
  }

  @Override
  public int hashCode() {
    return Objects.hash(toQuery(), preconditions);
  }

  @Override
  public String toString() {
    return preconditions == null ? toQuery().toString() : toQuery() + " if " + preconditions;
  }

  /** Builds {@link DeleteOptions}. Not safe for use by many threads. */
  public static final class Builder {
    private @Nullable Duration gracePeriod;
    private @Nullable Preconditions preconditions;
    private @Nullable DeletionPropagation propagationPolicy;
    private boolean dryRun;
    private boolean ignoreStoreReadErrorWithClusterBreakingPotential;

    private Builder() {}

    /**
     * Sets how long the object may take to terminate; zero deletes it at once.
     *
     * @throws IllegalArgumentException if the period is negative or not in whole seconds
     */
    public Builder gracePeriod(@Nullable Duration gracePeriod) {
      // Truncated to seconds, half a second would be zero, which kills the object at once.
      if (gracePeriod != null && (gracePeriod.isNegative() || !isWholeSeconds(gracePeriod))) {
        throw new IllegalArgumentException(
            "the grace period must be zero or more, in whole seconds, but is " + gracePeriod);
      }
      this.gracePeriod = gracePeriod;
      return this;
    }

    private static boolean isWholeSeconds(Duration duration) {
      return duration.equals(duration.truncatedTo(ChronoUnit.SECONDS));
    }

    /**
     * Sets the preconditions of the deletion; the server answers with a conflict if they do not
     * hold.
     */
    public Builder preconditions(@Nullable Preconditions preconditions) {
      this.preconditions = preconditions;
      return this;
    }

    /** Sets how the deletion propagates to owned objects. */
    public Builder propagationPolicy(@Nullable DeletionPropagation propagationPolicy) {
      this.propagationPolicy = propagationPolicy;
      return this;
    }

    /** Sets whether the server does everything but delete. */
    public Builder dryRun(boolean dryRun) {
      this.dryRun = dryRun;
      return this;
    }

    /**
     * Sets whether the server removes an object from the store even if it cannot decrypt or decode
     * it. The server then ignores finalizers and preconditions; the name is upstream's and a
     * warning.
     */
    public Builder ignoreStoreReadErrorWithClusterBreakingPotential(boolean ignore) {
      this.ignoreStoreReadErrorWithClusterBreakingPotential = ignore;
      return this;
    }

    /** Returns the options built. */
    public DeleteOptions build() {
      return new DeleteOptions(this);
    }
  }

  private static final class Codec implements JsonCodec<DeleteOptions> {

    private static final FieldNames FIELDS =
        FieldNames.of(
                "gracePeriodSeconds",
                "preconditions",
                "propagationPolicy",
                "dryRun",
                "ignoreStoreReadErrorWithClusterBreakingPotential")
            .protobuf("1 2 4 5 6");

    @Override
    public DeleteOptions read(JsonReader in) {
      Builder builder = new Builder();
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> builder.gracePeriod = Duration.ofSeconds(in.nextLong());
          case 1 -> builder.preconditions = Preconditions.CODEC.read(in);
          case 2 -> builder.propagationPolicy = propagationPolicy(in);
          case 3 -> builder.dryRun = !in.nextStringList().isEmpty();
          case 4 -> builder.ignoreStoreReadErrorWithClusterBreakingPotential = in.nextBoolean();
          default -> throw new AssertionError(field);
        }
      }
      return builder.build();
    }

    private static DeletionPropagation propagationPolicy(JsonReader in) {
      String value = in.nextString();
      for (DeletionPropagation policy : DeletionPropagation.values()) {
        if (policy.value().equals(value)) {
          return policy;
        }
      }
      throw in.mismatch("expected Orphan, Background or Foreground, found \"" + value + "\"");
    }

    @Override
    public void write(JsonWriter out, DeleteOptions value) {
      Duration gracePeriod = value.gracePeriod;
      DeletionPropagation policy = value.propagationPolicy;
      out.beginObject();
      out.field("apiVersion", "v1");
      out.field("kind", "DeleteOptions");
      out.field("gracePeriodSeconds", gracePeriod == null ? null : gracePeriod.toSeconds());
      out.field("preconditions", Preconditions.CODEC, value.preconditions);
      out.field("propagationPolicy", policy == null ? null : policy.value());
      out.stringListField("dryRun", value.dryRun ? List.of("All") : null);
      out.field(
          "ignoreStoreReadErrorWithClusterBreakingPotential",
          value.ignoreStoreReadErrorWithClusterBreakingPotential ? true : null);
      out.endObject();
    }
  }
}
