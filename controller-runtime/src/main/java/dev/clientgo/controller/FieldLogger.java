package dev.clientgo.controller;

import dev.clientgo.clock.CrashLog;
import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * A logger that adds the same fields to each message; it translates no messages.
 *
 * @param fields begins with a blank
 */
record FieldLogger(System.Logger log, String fields) implements System.Logger {

  static FieldLogger of(System.Logger log, String controller, Request request, long reconcileId) {
    String cluster = request.cluster().isEmpty() ? "" : " cluster=" + request.cluster();
    String object = cluster + " namespace=" + request.namespace() + " name=" + request.name();
    String fields = "controller=" + controller + object + " reconcileId=" + reconcileId;
    return new FieldLogger(log, " " + CrashLog.line(fields));
  }

  @Override
  public String getName() {
    return log.getName();
  }

  @Override
  public boolean isLoggable(Level level) {
    return log.isLoggable(level);
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String message,
      @Nullable Throwable thrown) {
    log.log(level, (ResourceBundle) null, message + fields, thrown);
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String format,
      @Nullable Object @Nullable ... values) {
    String pattern = String.valueOf(format);
    if (values != null && values.length > 0 && isLoggable(level)) {
      try { // Here, because the fields may have braces.
        pattern = new MessageFormat(pattern).format(values);
      } catch (RuntimeException e) { // Of the text of a value, too.
        // Logged as it is.
      }
    }
    log(level, null, pattern, (Throwable) null);
  }
}
