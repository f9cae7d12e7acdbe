package dev.clientgo.apimachinery.meta.table;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of a table, in addition to those that select its objects. Immutable.
 *
 * <p>Corresponds to client-go's {@code metav1.TableOptions}, without its {@code noHeaders}, which
 * is not sent.
 */
public final class TableOptions {

  /** The server's defaults: rows carry the metadata of their objects. */
  public static final TableOptions NONE = new TableOptions(null);

  private final @Nullable IncludeObjectPolicy includeObject;

  private TableOptions(@Nullable IncludeObjectPolicy includeObject) {
    this.includeObject = includeObject;
  }

  /** Returns options that set how much of its object each row carries. */
  public static TableOptions including(IncludeObjectPolicy policy) {
    return new TableOptions(requireNonNull(policy, "policy"));
  }

  /** Returns how much of its object each row carries; absent for the server's default. */
  public @Nullable IncludeObjectPolicy includeObject() {
    return includeObject;
  }

  /** Returns the query parameters of these options. */
  public Map<String, String> toQuery() {
    return includeObject == null ? Map.of() : Map.of("includeObject", includeObject.value());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TableOptions options && includeObject == options.includeObject;
  }

  @Override
  public int hashCode() {
    return toQuery().hashCode();
  }

  @Override
  public String toString() {
    return toQuery().toString();
  }

  /**
   * How much of its object a row of a table carries.
   *
   * <p>Corresponds to client-go's {@code metav1.IncludeObjectPolicy}.
   */
  public enum IncludeObjectPolicy {
    /** Nothing. */
    NONE("None"),
    /**
     * The metadata, as {@link dev.clientgo.apimachinery.meta.PartialObjectMetadata}. This is the
     * server's default.
     */
    METADATA("Metadata"),
    /** The whole object. */
    OBJECT("Object");

    private final String value;

    IncludeObjectPolicy(String value) {
      this.value = value;
    }

    /** Returns the value in a query. */
    public String value() {
      return value;
    }
  }
}
