package dev.clientgo.controller.debug;

import dev.clientgo.apimachinery.meta.ObjectName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A field that two writers change again and again, each to its own value; or one that a controller
 * changes at each reconcile, which starts the next one.
 *
 * <p>{@link #toString} describes it in one or two sentences.
 *
 * @param resource the kind of the object, such as {@code deployments.apps}
 * @param object the name of the object
 * @param field the field, such as {@code spec.replicas}
 * @param last the last writer, and its value
 * @param other the writer before, and its value
 * @param changes how often the field has changed
 * @param within in which time
 */
public record FieldFight(
    String resource,
    ObjectName object,
    String field,
    Writer last,
    Writer other,
    int changes,
    Duration within) {

  /**
   * A writer of the field.
   *
   * @param manager the field manager and its operation, such as {@code helm (Apply)}; {@code
   *     unknown} if the object of the cache does not tell
   * @param isThisProcess whether it is a client of this manager
   * @param value the value as JSON, cut off if it is long; null if the field was removed; {@code
   *     (hidden)} in a Secret
   */
  public record Writer(String manager, boolean isThisProcess, @Nullable String value) {

    private String who() {
      return isThisProcess ? manager + ", this process," : manager;
    }

    private String what() {
      return value == null ? " removes it" : " sets " + value;
    }
  }

  /** Returns whether this process is the only writer: it changes the field at each reconcile. */
  public boolean isWithItself() {
    return last.isThisProcess() && other.isThisProcess();
  }

  /** Returns the fight as a person would tell it, and what to do. */
  @Override
  public String toString() {
    String where = field + " of " + resource + " " + object;
    String often = changes + " changes in " + within;
    return isWithItself()
        ? "this controller changes "
            + where
            + " at each reconcile, and each change starts the next reconcile: "
            + often
            + ", the last from "
            + other.value()
            + " to "
            + last.value()
            + ". Change the field only if other fields change, or ignore own changes with a"
            + " predicate such as generationChanged()."
        : "two writers fight over "
            + where
            + ": "
            + last.who()
            + last.what()
            + ", "
            + other.who()
            + other.what()
            + "; "
            + often
            + ". Let only one of them set the field.";
  }
}
