package dev.clientgo.apimachinery.meta.options;

/**
 * Options for replacing an object. Immutable.
 *
 * <p>Corresponds to client-go's {@code metav1.UpdateOptions}.
 */
public final class UpdateOptions extends WriteOptions {

  /** The server's defaults. */
  public static final UpdateOptions NONE = builder().build();

  private UpdateOptions(Builder builder) {
    super(builder);
  }

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts with these options. */
  public Builder toBuilder() {
    return new Builder().from(this);
  }

  /** Builds {@link UpdateOptions}. Not safe for use by many threads. */
  public static final class Builder extends WriteOptions.Builder<Builder> {

    private Builder() {}

    @Override
    Builder self() {
      return this;
    }

    /** Returns the options built. */
    public UpdateOptions build() {
      return new UpdateOptions(this);
    }
  }
}
