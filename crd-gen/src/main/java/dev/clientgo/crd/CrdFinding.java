package dev.clientgo.crd;

import static java.util.Objects.requireNonNull;

/**
 * One difference between two definitions that users should know of.
 *
 * @param severity what the difference breaks
 * @param definition the name of the definition
 * @param path where the difference is: {@code v1 .spec.replicas}, or a field of the definition
 * @param change what has changed
 * @param advice what to do about it
 */
public record CrdFinding(
    Severity severity, String definition, String path, String change, String advice) {

  /** Checks that nothing is missing. */
  public CrdFinding {
    requireNonNull(severity, "severity");
    requireNonNull(definition, "definition");
    requireNonNull(path, "path");
    requireNonNull(change, "change");
    requireNonNull(advice, "advice");
  }

  /** How bad a difference is, the worst first. */
  public enum Severity {
    /**
     * The server would refuse or cut objects that it has stored, or refuses the new definition
     * because of them.
     */
    STORED_OBJECTS("breaks stored objects"),
    /** A client that worked with the old definition fails, or does something else. */
    CLIENTS("breaks clients"),
    /** It depends on the objects and clients. */
    WARNING("warning");

    private final String text;

    Severity(String text) {
      this.text = text;
    }

    /** Returns the severity for people, such as {@code breaks clients}. */
    @Override
    public String toString() {
      return text;
    }
  }

  /** Returns whether the difference breaks something for certain. */
  public boolean isBreaking() {
    return severity != Severity.WARNING;
  }

  /** Returns the finding as one line. */
  @Override
  public String toString() {
    return severity + ": " + definition + " " + path + ": " + change + "; " + advice;
  }
}
