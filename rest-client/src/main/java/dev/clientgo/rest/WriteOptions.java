package dev.clientgo.rest;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an object is to be written. Immutable.
 *
 * <p>Corresponds to client-go's {@code metav1.CreateOptions}, {@code UpdateOptions}, {@code
 * PatchOptions} and {@code ApplyOptions}, which differ in that only the last two know {@link
 * Builder#force}.
 */
public final class WriteOptions {

  /** Nothing is asked for in particular. */
  public static final WriteOptions NONE = builder().build();

  /** What the server does about fields that it does not know or finds twice. */
  public enum FieldValidation {
    /** It drops them without a word. */
    IGNORE("Ignore"),
    /** It drops them and warns. The server does so if it is not told otherwise. */
    WARN("Warn"),
    /** It refuses the request. */
    STRICT("Strict");

    private final String value;

    FieldValidation(String value) {
      this.value = value;
    }
  }

  private final Map<String, String> query;

  private WriteOptions(Builder builder) {
    query = Map.copyOf(builder.query);
  }

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the options of one who applies a configuration: a name is needed for that. */
  public static WriteOptions fieldManager(String fieldManager) {
    return builder().fieldManager(fieldManager).build();
  }

  void addTo(Request request) {
    query.forEach(request::param);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof WriteOptions options && query.equals(options.query);
  }

  @Override
  public int hashCode() {
    return query.hashCode();
  }

  @Override
  public String toString() {
    return query.toString();
  }

  /** Builds {@link WriteOptions}. Not safe for use by many threads. */
  public static final class Builder {
    private final Map<String, String> query = new LinkedHashMap<>();

    private Builder() {}

    /** Sets under which name the fields that are set are owned. */
    public Builder fieldManager(String fieldManager) {
      query.put("fieldManager", fieldManager);
      return this;
    }

    /** Sets what the server does about fields that it does not know. */
    public Builder fieldValidation(FieldValidation fieldValidation) {
      query.put("fieldValidation", fieldValidation.value);
      return this;
    }

    /** Has the server do everything but store the object. */
    public Builder dryRun() {
      query.put("dryRun", "All");
      return this;
    }

    /** Takes over fields that others own, when a configuration is applied. */
    public Builder force() {
      query.put("force", "true");
      return this;
    }

    /** Returns the options built. */
    public WriteOptions build() {
      return new WriteOptions(this);
    }
  }
}
