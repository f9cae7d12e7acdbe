package dev.clientgo.kubectl;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The result for one object.
 *
 * <pre>{@code
 * if (result.outcome() == ObjectResult.Outcome.FAILED) {
 *   System.err.println(result); // deployment.apps/web failed: …
 * }
 * }</pre>
 *
 * @param resource the kind and the name: {@code deployment.apps/web}
 * @param outcome what became of it
 * @param value the object as the server has it now, or last had it; as it was written if that is
 *     not known
 * @param error why it failed; null if it did not
 */
public record ObjectResult(
    String resource, Outcome outcome, Unstructured value, @Nullable KubernetesException error) {

  /** The possible results for an object. */
  public enum Outcome {
    /** It was not there before. */
    CREATED,
    /** It was there, and the apply has changed it, or the fields that its manager owns. */
    CONFIGURED,
    /** It was there, and the apply has changed nothing; other programs may have. */
    UNCHANGED,
    /** It was in no manifest any more, and has been deleted; finalizers may keep it for a while. */
    PRUNED,
    /** It has been deleted; finalizers may keep it for a while. */
    DELETED,
    /** It was to be deleted, and was not there. */
    ABSENT,
    /** Something went wrong, see {@link ObjectResult#error}. */
    FAILED
  }

  public ObjectResult {
    requireNonNull(resource, "resource");
    requireNonNull(outcome, "outcome");
    requireNonNull(value, "value");
    if ((outcome == Outcome.FAILED) != (error != null)) {
      throw new IllegalArgumentException(
          "a failure must have an error, and other results must not");
    }
  }

  static ObjectResult failed(String resource, Unstructured object, KubernetesException error) {
    return new ObjectResult(resource, Outcome.FAILED, object, error);
  }

  /** Returns the fields that other managers want otherwise, if it failed for that. */
  public List<FieldConflict> conflicts() {
    return error == null ? List.of() : FieldConflict.of(error);
  }

  /** Returns the result as kubectl prints it: {@code deployment.apps/web created}. */
  @Override
  public String toString() {
    String text = resource + " " + outcome.name().toLowerCase(Locale.ROOT);
    if (error == null) {
      return text;
    }
    List<FieldConflict> conflicts = conflicts();
    return text
        + ": "
        + (conflicts.isEmpty()
            ? error.getMessage()
            : conflicts + ": leave the fields out, or apply with force()");
  }
}
