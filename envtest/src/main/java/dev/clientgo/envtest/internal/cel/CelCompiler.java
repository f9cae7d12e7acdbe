package dev.clientgo.envtest.internal.cel;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiles expressions in CEL. Safe for use by many threads. */
public interface CelCompiler {

  /**
   * Compiles an expression.
   *
   * @param variables the schemas of the variables; an empty one allows any value, and a schema that
   *     only has {@code optional} makes an optional value of the schema in it
   * @param type the type of the result, {@code bool} or {@code string}
   * @throws CelException if it does not compile or has another type, in the words of kube-apiserver
   */
  Expression compile(String expression, Map<String, Map<String, Object>> variables, String type)
      throws CelException;

  /** A compiled expression. */
  interface Expression {

    /** Returns whether the expression refers to a variable. */
    boolean uses(String variable);

    /**
     * Evaluates the expression.
     *
     * @param variables the values of all variables
     * @throws CelException if there is no result
     */
    Object evaluate(Map<String, @Nullable Object> variables) throws CelException;
  }

  /** An expression does not compile, or has no result. */
  final class CelException extends Exception {
    private static final long serialVersionUID = 1L;

    CelException(String message) {
      super(message);
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }
  }
}
