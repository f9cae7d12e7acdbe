package dev.clientgo.apimachinery.meta.options;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options for applying a configuration: the field manager, and whether to take over fields of other
 * managers. Immutable.
 *
 * <p>Corresponds to client-go's {@code metav1.ApplyOptions}.
 */
public final class ApplyOptions {

  private final PatchOptions options;

  private ApplyOptions(PatchOptions options) {
    this.options = options;
  }

  /**
   * Returns the options of a field manager.
   *
   * @throws IllegalArgumentException if the name is empty, has more than 128 characters, or has
   *     characters that cannot be printed
   */
  public static ApplyOptions of(String fieldManager) {
    if (requireNonNull(fieldManager, "fieldManager").isEmpty()) {
      throw new IllegalArgumentException("the field manager of an apply request must not be empty");
    }
    return new ApplyOptions(PatchOptions.builder().fieldManager(fieldManager).build());
  }

  /**
   * Returns options that take over fields of other managers. Without, such fields are a conflict.
   */
  public ApplyOptions force() {
    return new ApplyOptions(options.toBuilder().force(true).build());
  }

  /** Returns options with which the server does everything but store the result. */
  public ApplyOptions dryRun() {
    return new ApplyOptions(options.toBuilder().dryRun(true).build());
  }

  /** Returns the name of the field manager. */
  public String fieldManager() {
    return requireNonNull(options.fieldManager(), "fieldManager");
  }

  /** Returns whether the request takes over fields of other managers. */
  public boolean isForced() {
    return options.force();
  }

  /** Returns whether the server does everything but store the result. */
  public boolean isDryRun() {
    return options.dryRun();
  }

  /** Returns the options of the patch that an apply request sends. */
  public PatchOptions toPatchOptions() {
    return options;
  }

  /** Returns the query parameters of these options. */
  public Map<String, String> toQuery() {
    return options.toQuery();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ApplyOptions apply && options.equals(apply.options);
  }

  @Override
  public int hashCode() {
    return options.hashCode();
  }

  @Override
  public String toString() {
    return options.toString();
  }
}
