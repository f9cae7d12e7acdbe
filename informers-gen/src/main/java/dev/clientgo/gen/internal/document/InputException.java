package dev.clientgo.gen.internal.document;

import dev.clientgo.gen.report.Problem;

/** Thrown if a document, or a part of it, cannot be used; other documents can. */
public final class InputException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  public InputException(Problem problem) {
    super(problem.toString());
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
