package dev.clientgo.apimachinery.errors;

import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Several resources or kinds match, and none is preferred. Corresponds to apimachinery's {@code
 * meta.AmbiguousResourceError} and {@code meta.AmbiguousKindError}.
 */
public final class AmbiguousMatchException extends MappingException {

  private static final long serialVersionUID = 1;

  private final transient List<?> matches;

  private AmbiguousMatchException(String asked, String what, List<?> matches) {
    super(
        asked
            + " matches multiple "
            + what
            + matches.stream()
                .map(MappingException::readable)
                .collect(Collectors.joining(", ", " [", "]")));
    this.matches = List.copyOf(matches);
  }

  /**
   * Returns the error for a full or partial name that matches several resources: {@code "ingresses"
   * matches multiple resources [ingresses in extensions/v1beta1, ingresses in
   * networking.k8s.io/v1]}.
   *
   * @param what the name of the matches, in the plural
   */
  public static AmbiguousMatchException resource(
      GroupVersionResource partial, String what, List<?> matches) {
    return new AmbiguousMatchException(quoted(partial), what, matches);
  }

  /**
   * Returns the error for a kind that matches several resources or versions.
   *
   * @param what the name of the matches, in the plural
   */
  public static AmbiguousMatchException kind(GroupKind kind, String what, List<?> matches) {
    return new AmbiguousMatchException("kind \"" + kind + '"', what, matches);
  }

  /** Returns the matches: resources, kinds or mappings, depending on the call. */
  public List<?> matches() {
    return matches;
  }
}
