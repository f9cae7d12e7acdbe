package dev.clientgo.kubectl;

import dev.clientgo.apimachinery.errors.KubernetesException;
import java.util.stream.Collectors;

/**
 * Some objects could not be applied or deleted. The message describes each; the errors are the
 * suppressed exceptions of this one.
 */
public final class ManifestsException extends KubernetesException {

  private static final long serialVersionUID = 1;

  private final transient ApplyReport report;

  ManifestsException(ApplyReport report) {
    super(
        report.failures().size()
            + " of "
            + report.results().size()
            + " objects failed:\n"
            + report.failures().stream()
                .map(ObjectResult::toString)
                .collect(Collectors.joining("\n")),
        null);
    this.report = report;
    report.failures().forEach(failure -> addSuppressed(failure.error()));
  }

  /** Returns what became of each object. */
  public ApplyReport report() {
    return report;
  }
}
