package dev.clientgo.rest;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an object is to be deleted. Immutable.
 *
 * <p>Corresponds to client-go's {@code metav1.DeleteOptions}.
 */
public final class DeleteOptions {

  /** The server decides. */
  public static final DeleteOptions NONE = builder().build();

  /** What becomes of the objects that the deleted one owns. */
  public enum PropagationPolicy {
    /** They stay and lose their owner. */
    ORPHAN("Orphan"),
    /** They are deleted some time after their owner. */
    BACKGROUND("Background"),
    /** They are deleted before their owner, which is marked until then. */
    FOREGROUND("Foreground");

    private final String value;

    PropagationPolicy(String value) {
      this.value = value;
    }
  }

  static final JsonCodec<DeleteOptions> CODEC = new Codec();

  private final @Nullable Duration gracePeriod;
  private final @Nullable PropagationPolicy propagationPolicy;
  private final @Nullable String uid;
  private final @Nullable String resourceVersion;
  private final boolean dryRun;

  private DeleteOptions(Builder builder) {
    gracePeriod = builder.gracePeriod;
    propagationPolicy = builder.propagationPolicy;
    uid = builder.uid;
    resourceVersion = builder.resourceVersion;
    dryRun = builder.dryRun;
  }

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds {@link DeleteOptions}. Not safe for use by many threads. */
  public static final class Builder {
    private @Nullable Duration gracePeriod;
    private @Nullable PropagationPolicy propagationPolicy;
    private @Nullable String uid;
    private @Nullable String resourceVersion;
    private boolean dryRun;

    private Builder() {}

    /** Sets how much time the object has to end, in whole seconds; zero means none. */
    public Builder gracePeriod(@Nullable Duration gracePeriod) {
      this.gracePeriod = gracePeriod;
      return this;
    }

    /** Sets what becomes of the objects that the deleted one owns. */
    public Builder propagationPolicy(@Nullable PropagationPolicy propagationPolicy) {
      this.propagationPolicy = propagationPolicy;
      return this;
    }

    /** Deletes only the object with this uid, not a later one of the same name. */
    public Builder preconditionUid(@Nullable String uid) {
      this.uid = uid;
      return this;
    }

    /** Deletes only this version of the object. */
    public Builder preconditionResourceVersion(@Nullable String resourceVersion) {
      this.resourceVersion = resourceVersion;
      return this;
    }

    /** Has the server do everything but delete the object. */
    public Builder dryRun() {
      this.dryRun = true;
      return this;
    }

    /** Returns the options built. */
    public DeleteOptions build() {
      return new DeleteOptions(this);
    }
  }

  private static final class Codec implements JsonCodec<DeleteOptions> {
    /** Servers never send options. */
    @Override
    public DeleteOptions read(JsonReader in) {
      throw in.mismatch("delete options are only written");
    }

    @Override
    public void write(JsonWriter out, DeleteOptions options) {
      out.beginObject();
      out.field("kind", "DeleteOptions");
      out.field("apiVersion", "v1");
      out.field(
          "gracePeriodSeconds",
          options.gracePeriod == null ? null : options.gracePeriod.toSeconds());
      if (options.uid != null || options.resourceVersion != null) {
        out.name("preconditions");
        out.beginObject();
        out.field("uid", options.uid);
        out.field("resourceVersion", options.resourceVersion);
        out.endObject();
      }
      out.field(
          "propagationPolicy",
          options.propagationPolicy == null ? null : options.propagationPolicy.value);
      out.stringListField("dryRun", options.dryRun ? List.of("All") : null);
      out.endObject();
    }
  }
}
