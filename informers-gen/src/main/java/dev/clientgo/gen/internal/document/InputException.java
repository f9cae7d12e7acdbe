package dev.clientgo.gen.internal.document;

import dev.clientgo.gen.report.Report;

/** Thrown if a document, or a part of it, cannot be used; other documents can. */
public final class InputException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Report.Problem problem;

  public InputException(Report.Problem problem) {
    super(problem.toString());
    this.problem = problem;
  }

  public Report.Problem problem() {
    return problem;
  }
}
