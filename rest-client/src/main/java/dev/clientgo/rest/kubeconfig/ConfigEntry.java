package dev.clientgo.rest.kubeconfig;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** An entry of a kubeconfig. Two entries of a kind are equal if their fields are. */
abstract class ConfigEntry {

  final YamlMapping tree;
  private final @Nullable Path origin;

  ConfigEntry(YamlMapping tree, @Nullable Path origin) {
    this.tree = tree;
    this.origin = origin;
  }

  /** Returns the file that this was read from. */
  public @Nullable Path origin() {
    return origin;
  }

  /**
   * Returns the extension of that name: maps, lists, strings, numbers and booleans; null if absent.
   */
  public @Nullable Object extension(String name) {
    return tree.extension(name);
  }

  YamlMapping tree() {
    return tree;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ConfigEntry entry
        && getClass() == entry.getClass()
        && tree.equals(entry.tree);
  }

  @Override
  public int hashCode() {
    return tree.hashCode();
  }
}
