package dev.clientgo.controller;

import dev.clientgo.clock.CrashLog;
import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * A logger that adds the same fields to each message.
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
    if (isLoggable(level)) {
      log.log(level, (ResourceBundle) null, text(bundle, message) + fields, thrown);
    }
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String format,
      @Nullable Object @Nullable ... values) {
    if (isLoggable(level)) {
      log(level, null, formatted(text(bundle, format), values), (Throwable) null);
    }
  }

  private static String text(@Nullable ResourceBundle bundle, @Nullable String message) {
    return bundle != null && message != null && bundle.containsKey(message)
        ? bundle.getString(message)
        : String.valueOf(message);
  }

  /** Formats here, because the fields may have braces. */
  private static String formatted(String format, @Nullable Object @Nullable [] values) {
    try {
      return values == null || values.length == 0 ? format : MessageFormat.format(format, values);
    } catch (IllegalArgumentException e) {
      return format;
    }
  }
}
