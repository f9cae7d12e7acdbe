package dev.clientgo.kubectl;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.status.StatusDetails;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  public List<Conflict> conflicts() {
    return error == null ? List.of() : Conflict.of(error);
  }

  /** Returns the result as kubectl prints it: {@code deployment.apps/web created}. */
  @Override
  public String toString() {
    String text = resource + " " + outcome.name().toLowerCase(Locale.ROOT);
    if (error == null) {
      return text;
    }
    List<Conflict> conflicts = conflicts();
    return text
        + ": "
        + (conflicts.isEmpty()
            ? error.getMessage()
            : conflicts + ": leave the fields out, or apply with force()");
  }

  /**
   * A field that another manager wants otherwise.
   *
   * <pre>{@code
   * result.conflicts().forEach(c -> System.out.println(c.field() + " belongs to " + c.manager()));
   * }</pre>
   *
   * @param manager the other manager, such as {@code kubectl-edit}
   * @param field the field, such as {@code .spec.replicas}
   */
  public record Conflict(String manager, String field) {

    private static final Pattern MANAGER = Pattern.compile("conflict with \"([^\"]*)\"");

    /** Returns the conflicts that the server's answer to an apply names; empty for other errors. */
    public static List<Conflict> of(KubernetesException error) {
      StatusDetails details =
          error instanceof ApiStatusException status ? status.status().details() : null;
      List<StatusCause> causes = details == null ? null : details.causes();
      return causes == null
          ? List.of()
          : causes.stream()
              .filter(cause -> "FieldManagerConflict".equals(cause.reason()))
              .map(Conflict::of)
              .toList();
    }

    private static Conflict of(StatusCause cause) {
      Matcher manager = MANAGER.matcher(String.valueOf(cause.message()));
      return new Conflict(
          manager.find() ? manager.group(1) : String.valueOf(cause.message()),
          String.valueOf(cause.field()));
    }

    /** Returns the conflict as a person would tell it. */
    @Override
    public String toString() {
      return field + " belongs to " + manager;
    }
  }
}
