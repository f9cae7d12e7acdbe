package dev.clientgo.kubectl;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.status.StatusDetails;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
public record FieldConflict(String manager, String field) {

  private static final Pattern MANAGER = Pattern.compile("conflict with \"([^\"]*)\"");

  /** Returns the conflicts that the server's answer to an apply names; empty for other errors. */
  public static List<FieldConflict> of(KubernetesException error) {
    StatusDetails details =
        error instanceof ApiStatusException status ? status.status().details() : null;
    List<StatusCause> causes = details == null ? null : details.causes();
    return causes == null
        ? List.of()
        : causes.stream()
            .filter(cause -> "FieldManagerConflict".equals(cause.reason()))
            .map(FieldConflict::of)
            .toList();
  }

  private static FieldConflict of(StatusCause cause) {
    Matcher manager = MANAGER.matcher(String.valueOf(cause.message()));
    return new FieldConflict(
        manager.find() ? manager.group(1) : String.valueOf(cause.message()),
        String.valueOf(cause.field()));
  }

  /** Returns the conflict as a person would tell it. */
  @Override
  public String toString() {
    return field + " belongs to " + manager;
  }
}
