package dev.clientgo.apimachinery.restmapper;

import java.util.List;

/**
 * Several resources or kinds fit, and nothing says which is meant. Corresponds to apimachinery's
 * {@code meta.AmbiguousResourceError} and {@code meta.AmbiguousKindError}.
 */
public final class AmbiguousMatchException extends MappingException {

  private static final long serialVersionUID = 1;

  private final transient List<?> matches;

  AmbiguousMatchException(Object partial, String what, List<?> matches) {
    super(partial + " matches multiple " + what + " " + matches);
    this.matches = List.copyOf(matches);
  }

  /** Returns what fits: resources, kinds or mappings, as the call asked for. */
  public List<?> matches() {
    return matches;
  }
}
