package dev.clientgo.apimachinery.meta.options;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options for reading an object. Immutable.
 *
 * <p>Corresponds to client-go's {@code metav1.GetOptions}.
 */
public final class GetOptions {

  /** The server's defaults: the most recent state. */
  public static final GetOptions NONE = builder().build();

  private final @Nullable String resourceVersion;

  private GetOptions(Builder builder) {
    resourceVersion = builder.resourceVersion;
  }

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts with these options. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.resourceVersion = resourceVersion;
    return builder;
  }

  /** Returns the version; absent for the most recent state. */
  public @Nullable String resourceVersion() {
    return resourceVersion;
  }

  /** Returns the query parameters of these options. */
  public Map<String, String> toQuery() {
    Map<String, String> query = new LinkedHashMap<>();
    if (resourceVersion != null && !resourceVersion.isEmpty()) {
      query.put("resourceVersion", resourceVersion);
    }
    return query;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof GetOptions options && toQuery().equals(options.toQuery());
  }

  @Override
  public int hashCode() {
    return toQuery().hashCode();
  }

  @Override
  public String toString() {
    return toQuery().toString();
  }

  /** Builds {@link GetOptions}. Not safe for use by many threads. */
  public static final class Builder {
    private @Nullable String resourceVersion;

    private Builder() {}

    /**
     * Sets the version: absent or empty for the most recent state, {@code "0"} for any state that
     * the server has cached, any other for a state at least as new.
     */
    public Builder resourceVersion(@Nullable String resourceVersion) {
      this.resourceVersion = resourceVersion;
      return this;
    }

    /** Returns the options built. */
    public GetOptions build() {
      return new GetOptions(this);
    }
  }
}
