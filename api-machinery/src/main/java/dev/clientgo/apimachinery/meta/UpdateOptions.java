package dev.clientgo.apimachinery.meta;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an object is replaced. Immutable.
 *
 * <p>Corresponds to client-go's {@code metav1.UpdateOptions}.
 */
public final class UpdateOptions {

  /** Nothing is asked for in particular. */
  public static final UpdateOptions NONE = builder().build();

  private final boolean dryRun;
  private final @Nullable String fieldManager;
  private final @Nullable FieldValidation fieldValidation;

  private UpdateOptions(Builder builder) {
    dryRun = builder.dryRun;
    fieldManager = builder.fieldManager;
    fieldValidation = builder.fieldValidation;
  }

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts with these options. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.dryRun = dryRun;
    builder.fieldManager = fieldManager;
    builder.fieldValidation = fieldValidation;
    return builder;
  }

  /** Returns whether the server does everything but store the result. */
  public boolean dryRun() {
    return dryRun;
  }

  /** Returns under which name the fields that are set are owned. */
  public @Nullable String fieldManager() {
    return fieldManager;
  }

  /** Returns what the server does about fields that it does not know. */
  public @Nullable FieldValidation fieldValidation() {
    return fieldValidation;
  }

  /** Returns the query parameters of these options. */
  public Map<String, String> toQuery() {
    Map<String, String> query = new LinkedHashMap<>();
    if (dryRun) {
      query.put("dryRun", "All");
    }
    if (fieldManager != null) {
      query.put("fieldManager", fieldManager);
    }
    if (fieldValidation != null) {
      query.put("fieldValidation", fieldValidation.value());
    }
    return query;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof UpdateOptions options && toQuery().equals(options.toQuery());
  }

  @Override
  public int hashCode() {
    return toQuery().hashCode();
  }

  @Override
  public String toString() {
    return toQuery().toString();
  }

  /** Builds {@link UpdateOptions}. Not safe for use by many threads. */
  public static final class Builder {
    private boolean dryRun;
    private @Nullable String fieldManager;
    private @Nullable FieldValidation fieldValidation;

    private Builder() {}

    /** Sets whether the server does everything but store the result. */
    public Builder dryRun(boolean dryRun) {
      this.dryRun = dryRun;
      return this;
    }

    /**
     * Sets under which name the fields that are set are owned; the server makes one of the user
     * agent if it is absent.
     *
     * @throws IllegalArgumentException if it has more than 128 characters or some that cannot be
     *     printed
     */
    public Builder fieldManager(@Nullable String fieldManager) {
      this.fieldManager = FieldManager.check(fieldManager);
      return this;
    }

    /** Sets what the server does about fields that it does not know. */
    public Builder fieldValidation(@Nullable FieldValidation fieldValidation) {
      this.fieldValidation = fieldValidation;
      return this;
    }

    /** Returns the options built. */
    public UpdateOptions build() {
      return new UpdateOptions(this);
    }
  }
}
