package dev.clientgo.apimachinery.meta.options;

import java.util.Map;

/**
 * Options for patching an object. A patch that applies a configuration needs a {@link
 * #fieldManager}. Immutable.
 *
 * <p>Corresponds to client-go's {@code metav1.PatchOptions} and {@code metav1.ApplyOptions}.
 */
public final class PatchOptions extends WriteOptions {

  /** The server's defaults. */
  public static final PatchOptions NONE = builder().build();

  private final boolean force;

  private PatchOptions(Builder builder) {
    super(builder);
    force = builder.force;
  }

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts with these options. */
  public Builder toBuilder() {
    return new Builder().from(this).force(force);
  }

  /** Returns whether the patch takes over fields that other managers own. */
  public boolean force() {
    return force;
  }

  @Override
  public Map<String, String> toQuery() {
    Map<String, String> query = super.toQuery();
    if (force) {
      query.put("force", "true");
    }
    return query;
  }

  /** Builds {@link PatchOptions}. Not safe for use by many threads. */
  public static final class Builder extends WriteOptions.Builder<Builder> {
    private boolean force;

    private Builder() {}

    @Override
    Builder self() {
      return this;
    }

    /**
     * Sets whether the patch takes over fields that other managers own. Only patches that apply a
     * configuration may.
     */
    public Builder force(boolean force) {
      this.force = force;
      return this;
    }

    /** Returns the options built. */
    public PatchOptions build() {
      return new PatchOptions(this);
    }
  }
}
