package dev.clientgo.apimachinery.meta;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a table is asked for, besides what selects its objects. Immutable.
 *
 * <p>Corresponds to client-go's {@code metav1.TableOptions}, without its {@code noHeaders}, which
 * is not sent.
 */
public final class TableOptions {

  /** Rows carry what the server gives by itself: the metadata of their objects. */
  public static final TableOptions NONE = new TableOptions(null);

  private final @Nullable IncludeObjectPolicy includeObject;

  private TableOptions(@Nullable IncludeObjectPolicy includeObject) {
    this.includeObject = includeObject;
  }

  /** Returns options under which each row carries this of its object. */
  public static TableOptions including(IncludeObjectPolicy policy) {
    return new TableOptions(requireNonNull(policy, "policy"));
  }

  /** Returns what each row carries of its object, absent for what the server gives by itself. */
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
}
