package dev.clientgo.apimachinery.meta.options;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options that creating, replacing and patching an object have in common. Immutable. */
public abstract class WriteOptions {

  private final boolean dryRun;
  private final @Nullable String fieldManager;
  private final @Nullable FieldValidation fieldValidation;

  WriteOptions(Builder<?> builder) {
    dryRun = builder.dryRun;
    fieldManager = builder.fieldManager;
    fieldValidation = builder.fieldValidation;
  }

  /** Returns whether the server does everything but store the result. */
  public final boolean dryRun() {
    return dryRun;
  }

  /** Returns the name of the manager that owns the fields which the request sets. */
  public final @Nullable String fieldManager() {
    return fieldManager;
  }

  /** Returns how the server treats fields that it does not know. */
  public final @Nullable FieldValidation fieldValidation() {
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
  public final boolean equals(@Nullable Object other) {
    return other instanceof WriteOptions that
        && getClass() == that.getClass()
        && toQuery().equals(that.toQuery());
  }

  @Override
  public final int hashCode() {
    return toQuery().hashCode();
  }

  @Override
  public final String toString() {
    return toQuery().toString();
  }

  /**
   * Builds {@link WriteOptions}. Not safe for use by many threads.
   *
   * @param <B> the type of the builder itself
   */
  public abstract static class Builder<B extends Builder<B>> {

    private boolean dryRun;
    private @Nullable String fieldManager;
    private @Nullable FieldValidation fieldValidation;

    Builder() {}

    abstract B self();

    B from(WriteOptions options) {
      return dryRun(options.dryRun)
          .fieldManager(options.fieldManager)
          .fieldValidation(options.fieldValidation);
    }

    /** Sets whether the server does everything but store the result. */
    public B dryRun(boolean dryRun) {
      this.dryRun = dryRun;
      return self();
    }

    /**
     * Sets the name of the manager that owns the fields which the request sets. If it is absent,
     * the server takes the first part of the user agent.
     *
     * @throws IllegalArgumentException if the name has more than 128 characters, or characters that
     *     cannot be printed
     */
    public B fieldManager(@Nullable String fieldManager) {
      this.fieldManager = FieldManager.check(fieldManager);
      return self();
    }

    /** Sets how the server treats fields that it does not know. */
    public B fieldValidation(@Nullable FieldValidation fieldValidation) {
      this.fieldValidation = fieldValidation;
      return self();
    }
  }
}
