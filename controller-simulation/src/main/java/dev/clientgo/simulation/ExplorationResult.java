package dev.clientgo.simulation;

import java.util.List;

/**
 * The result of an exploration. Printable.
 *
 * @param findings the changes that break the controller, each with the fewest fields that still do
 * @param runs how many runs there were
 * @param fields how many fields the schema has, the elements of lists and maps included
 * @param tried how many of them were changed
 * @param notReached the others; of a part in which none was changed, only its root
 * @param withoutEffect the fields whose changes have changed only the fields themselves
 * @param changes how many changes were tried
 * @param refused how many changes the server has refused, by the schema, a rule or a webhook
 * @param reported how many changes the controller could not follow, as its status says
 */
public record ExplorationResult(
    List<Finding> findings,
    int runs,
    int fields,
    int tried,
    List<String> notReached,
    List<String> withoutEffect,
    int changes,
    int refused,
    int reported) {

  /**
   * What a change does to the controller.
   *
   * @param change a JSON merge patch; {@link Exploration#replay} tries it again. Empty if the
   *     object itself breaks the controller.
   * @param diff the lines of the object as YAML, with {@code -} and {@code +} where the change is
   * @param violations the descriptions of what is wrong; empty if nothing is
   * @param history the history of the runs, one event a line
   */
  public record Finding(
      String change, List<String> diff, List<String> violations, List<String> history) {

    /** Returns the violations, the two objects and the history. */
    public String describe() {
      return "Change "
          + change
          + (violations.isEmpty() ? " passes." : " breaks the controller:\n  - ")
          + String.join("\n  - ", violations)
          + "\nThe object, before and after:\n    "
          + String.join("\n    ", diff)
          + "\nReplay it by exploration.replay(change).\nHistory, in simulated time:\n  "
          + String.join("\n  ", history);
    }
  }

  /** Returns whether changes were tried and nothing was found. */
  public boolean passed() {
    return findings.isEmpty() && changes > 0;
  }

  /**
   * Does nothing if changes were tried and nothing was found.
   *
   * @throws AssertionError otherwise; it shows the first finding
   */
  public void assertPassed() {
    if (!passed()) {
      throw new AssertionError(
          this
              + (findings.isEmpty()
                  ? "\nThis shows nothing, since no change was tried."
                  : "\nThis is the first.\n" + findings.get(0).describe()));
    }
  }

  /** Returns the numbers, the changes that were found and the fields to look at, a line each. */
  @Override
  public String toString() {
    StringBuilder text =
        new StringBuilder(
            String.format(
                "%d runs, %d of %d fields tried by %d changes, %d refused by the server, %d by the"
                    + " controller, %d failed",
                runs, tried, fields, changes, refused, reported, findings.size()));
    findings.forEach(finding -> text.append("\n  failed: ").append(finding.change));
    notReached.forEach(field -> text.append("\n  not reached: ").append(field));
    withoutEffect.forEach(field -> text.append("\n  without effect: ").append(field));
    return text.toString();
  }
}
