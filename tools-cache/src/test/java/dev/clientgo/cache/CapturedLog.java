package dev.clientgo.cache;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Captures the log of a class, stack traces included, and keeps it off the console while open. */
final class CapturedLog extends Handler implements AutoCloseable {

  private static final SimpleFormatter FORMATTER = new SimpleFormatter();

  private final Logger logger;
  private final List<String> records = new ArrayList<>();

  CapturedLog(Class<?> source) {
    logger = Logger.getLogger(source.getName());
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
  }

  @Override
  public synchronized void publish(LogRecord line) {
    records.add(line.getLevel() + " " + FORMATTER.formatMessage(line) + trace(line.getThrown()));
  }

  private static String trace(Throwable thrown) {
    if (thrown == null) {
      return "";
    }
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return "\n" + text;
  }

  /** Returns the records so far, each with its level and its stack trace. */
  synchronized List<String> records() {
    return List.copyOf(records);
  }

  /** Returns how many lines the records take. */
  synchronized long lines() {
    return records.stream().flatMap(String::lines).count();
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
