package dev.clientgo.apimachinery.meta;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a configuration is applied: under whose name, and whether fields that others own are taken
 * over. Immutable.
 *
 * <p>Corresponds to client-go's {@code metav1.ApplyOptions}.
 */
public final class ApplyOptions {

  private final PatchOptions options;

  private ApplyOptions(PatchOptions options) {
    this.options = options;
  }

  /**
   * Returns the options of one who applies under this name.
   *
   * @throws IllegalArgumentException if the name is empty, has more than 128 characters or some
   *     that cannot be printed
   */
  public static ApplyOptions of(String fieldManager) {
    if (requireNonNull(fieldManager, "fieldManager").isEmpty()) {
      throw new IllegalArgumentException("the field manager of an apply must not be empty");
    }
    return new ApplyOptions(PatchOptions.builder().fieldManager(fieldManager).build());
  }

  /** Returns options that take over fields that others own; without, those are a conflict. */
  public ApplyOptions force() {
    return new ApplyOptions(options.toBuilder().force(true).build());
  }

  /** Returns options with which the server does everything but store the result. */
  public ApplyOptions dryRun() {
    return new ApplyOptions(options.toBuilder().dryRun(true).build());
  }

  /** Returns the name of who applies. */
  public String fieldManager() {
    return requireNonNull(options.fieldManager(), "fieldManager");
  }

  /** Returns whether fields that others own are taken over. */
  public boolean isForced() {
    return options.force();
  }

  /** Returns whether the server does everything but store the result. */
  public boolean isDryRun() {
    return options.dryRun();
  }

  /** Returns these options as those of the patch that an apply is. */
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
