package dev.clientgo.controller.finalizer;

import dev.clientgo.clock.CrashLog;
import dev.clientgo.controller.TerminalException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finalizers of an object have failed. The message has each with its error; {@link #errors} has the
 * exceptions. The object keeps these finalizers, and the controller tries them again.
 */
public final class FinalizerException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Map<String, Exception> errors;

  FinalizerException(String object, Map<String, Exception> errors) {
    super(message(object, errors), leading(errors).get(0));
    this.errors = new LinkedHashMap<>(errors);
    leading(errors).stream().skip(1).forEach(this::addSuppressed);
  }

  /** Returns the errors by the names of their finalizers. */
  public Map<String, Exception> errors() {
    return Collections.unmodifiableMap(errors);
  }

  /** An error that another attempt can mend comes first: the controller looks at the cause. */
  private static List<Exception> leading(Map<String, Exception> errors) {
    List<Exception> ordered = new ArrayList<>();
    errors.values().stream().filter(error -> !isTerminal(error)).forEach(ordered::add);
    errors.values().stream().filter(FinalizerException::isTerminal).forEach(ordered::add);
    return ordered;
  }

  private static boolean isTerminal(Exception error) {
    return error instanceof TerminalException;
  }

  private static String message(String object, Map<String, Exception> errors) {
    StringBuilder text = new StringBuilder("finalizers of ").append(object).append(" have failed");
    String separator = ": ";
    for (Map.Entry<String, Exception> error : errors.entrySet()) {
      text.append(separator).append(error.getKey()).append(" (");
      text.append(CrashLog.text(error.getValue())).append(')');
      separator = ", ";
    }
    return text.toString();
  }
}
