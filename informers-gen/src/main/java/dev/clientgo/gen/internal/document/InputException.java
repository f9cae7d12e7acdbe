package dev.clientgo.gen.internal.document;

import dev.clientgo.gen.report.Problem;

/** A document, or part of one, cannot be used. The rest can. */
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
