package dev.clientgo.kubectl;

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
    return results.stream().map(ObjectResult::toString).collect(Collectors.joining("\n"));
  }
}
