package dev.clientgo.apimachinery.errors;

import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A mapper has no match for a resource or kind. The message names it as the caller wrote it.
 * Corresponds to apimachinery's {@code meta.NoResourceMatchError} and {@code
 * meta.NoKindMatchError}.
 */
public final class NoMatchException extends MappingException {

  private static final long serialVersionUID = 1;

  private NoMatchException(String message) {
    super(message);
  }

  /**
   * Returns the error for a full or partial name without a match: {@code no matches for resource
   * "widgets.example.com"}.
   */
  public static NoMatchException resource(GroupVersionResource partial) {
    return new NoMatchException("no matches for resource " + quoted(partial));
  }

  /**
   * Returns the error for a kind without a match: {@code no matches for kind "Widget" in version
   * "example.com/v1"}.
   *
   * @param searchedVersions the versions that the caller named; empty for any
   */
  public static NoMatchException kind(GroupKind kind, Collection<String> searchedVersions) {
    Set<String> searched =
        searchedVersions.stream()
            .map(version -> new GroupVersion(kind.group(), version).toString())
            .collect(Collectors.toCollection(TreeSet::new));
    return new NoMatchException(
        "no matches for kind \""
            + kind.kind()
            + "\" in "
            + switch (searched.size()) {
              case 0 -> "group \"" + kind.group() + "\"";
              case 1 -> "version \"" + searched.iterator().next() + "\"";
              default ->
                  searched.stream().collect(Collectors.joining("\", \"", "versions [\"", "\"]"));
            });
  }
}
