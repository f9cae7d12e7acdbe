package dev.clientgo.apimachinery.meta.options;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * Options for applying a configuration: the field manager, and whether to take over fields of other
 * managers. Immutable.
 *
 * <p>Corresponds to client-go's {@code metav1.ApplyOptions}.
 *
 * @param toPatchOptions the options of the patch that an apply request sends
 */
public record ApplyOptions(PatchOptions toPatchOptions) {

  /**
   * Checks the field manager.
   *
   * @throws IllegalArgumentException if it is absent or empty
   */
  public ApplyOptions {
    String fieldManager = toPatchOptions.fieldManager();
    if (fieldManager == null || fieldManager.isEmpty()) {
      throw new IllegalArgumentException("the field manager of an apply request must not be empty");
    }
  }

  /**
   * Returns the options of a field manager.
   *
   * @throws IllegalArgumentException if the name is empty, has more than 128 characters, or has
   *     characters that cannot be printed
   */
  public static ApplyOptions of(String fieldManager) {
    requireNonNull(fieldManager, "fieldManager");
    return new ApplyOptions(PatchOptions.builder().fieldManager(fieldManager).build());
  }

  /**
   * Returns options that take over fields of other managers. Without, such fields are a conflict.
   */
  public ApplyOptions force() {
    return new ApplyOptions(toPatchOptions.toBuilder().force(true).build());
  }

  /** Returns options with which the server does everything but store the result. */
  public ApplyOptions dryRun() {
    return new ApplyOptions(toPatchOptions.toBuilder().dryRun(true).build());
  }

  /** Returns the name of the field manager. */
  public String fieldManager() {
    return requireNonNull(toPatchOptions.fieldManager(), "fieldManager");
  }

  /** Returns whether the request takes over fields of other managers. */
  public boolean isForced() {
    return toPatchOptions.force();
  }

  /** Returns whether the server does everything but store the result. */
  public boolean isDryRun() {
    return toPatchOptions.dryRun();
  }

  /** Returns the query parameters of these options. */
  public Map<String, String> toQuery() {
    return toPatchOptions.toQuery();
  }

  @Override
  public String toString() {
    return toPatchOptions.toString();
  }
}
