package dev.clientgo.kubectl;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.kubectl.ObjectResult.Outcome;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The result for each object, in the order in which they were applied.
 *
 * <pre>{@code
 * report.results().forEach(System.out::println);
 * report.orThrow();
 * }</pre>
 *
 * @param results one for each object, none left out
 */
public record ApplyReport(List<ObjectResult> results) {

  public ApplyReport {
    results = List.copyOf(results);
  }

  /** Returns the objects that failed. */
  public List<ObjectResult> failures() {
    return results.stream().filter(result -> result.outcome() == Outcome.FAILED).toList();
  }

  /**
   * Returns this report if nothing failed.
   *
   * @throws ManifestsException if something failed; its message describes each failure
   */
  public ApplyReport orThrow() {
    if (!failures().isEmpty()) {
      throw new ManifestsException(this);
    }
    return this;
  }

  /** Returns one line for each object. */
  @Override
  public String toString() {
    return lines(results);
  }

  private static String lines(List<ObjectResult> results) {
    return results.stream().map(ObjectResult::toString).collect(Collectors.joining("\n"));
  }

  /**
   * Some objects could not be applied or deleted. The message describes each; the errors are the
   * suppressed exceptions of this one.
   */
  public static final class ManifestsException extends KubernetesException {

    private static final long serialVersionUID = 1;

    private final transient ApplyReport report;

    private ManifestsException(ApplyReport report) {
      super(
          "%d of %d objects failed:\n%s"
              .formatted(
                  report.failures().size(), report.results().size(), lines(report.failures())),
          null);
      this.report = report;
      report.failures().forEach(failure -> addSuppressed(failure.error()));
    }

    /** Returns what became of each object. */
    public ApplyReport report() {
      return report;
    }
  }
}
