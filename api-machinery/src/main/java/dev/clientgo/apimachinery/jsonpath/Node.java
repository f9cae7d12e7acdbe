package dev.clientgo.apimachinery.jsonpath;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a parsed template. */
sealed interface Node {

  /** Text that is printed unchanged. */
  record Text(String text) implements Node {}

  /** The content of braces: steps from the current value, whose results are printed. */
  record Path(List<Step> steps) implements Node {}

  /** The part from {@code range} to {@code end}, repeated with each result as current value. */
  record Range(Path over, List<Node> body) implements Node {}

  /** One step from a list of values to another. */
  sealed interface Step {}

  /** A constant: in a template, or on a side of a comparison. */
  record Literal(Object value) implements Step {}

  /** Back to the root of the document. */
  record Root() implements Step {}

  /** The field of that name of each value. */
  record Field(String name) implements Step {}

  /** All fields or elements of each value. */
  record Wildcard() implements Step {}

  /** Each value with all objects and arrays within it. */
  record Descent() implements Step {}

  /** One element, counted from the end if negative. */
  record Index(int index) implements Step {}

  /** Elements from start to before end, every step-th; absent bounds are those of the array. */
  record Slice(@Nullable Integer start, @Nullable Integer end, int step) implements Step {}

  /** The results of several paths, one after the other. */
  record Union(List<Path> paths) implements Step {}

  /** The elements for which a condition holds. */
  record Filter(Path left, Operator operator, Path right) implements Step {}

  /** The operators of a filter. */
  enum Operator {
    EXISTS(""),
    EQUAL("=="),
    NOT_EQUAL("!="),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">=");

    final String text;

    Operator(String text) {
      this.text = text;
    }
  }
}
