package dev.clientgo.gen;

/** A document, or part of one, cannot be used. The rest can. */
final class InputException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  InputException(Problem problem) {
    super(problem.toString());
    this.problem = problem;
  }

  Problem problem() {
    return problem;
  }
}
