package dev.clientgo.testing;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/** Collects the log messages of a class, and keeps them off the console, while this is open. */
public final class CapturedLog extends Handler implements AutoCloseable {

  private static final SimpleFormatter FORMATTER = new SimpleFormatter();

  private final Logger logger;
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  private CapturedLog(Logger logger) {
    this.logger = logger;
  }

  /** Collects what the console would show. */
  public static CapturedLog of(Class<?> source) {
    return of(source, null);
  }

  /** Collects messages of this level and those above. */
  public static CapturedLog of(Class<?> source, @Nullable Level level) {
    CapturedLog log = new CapturedLog(Logger.getLogger(source.getName()));
    log.logger.addHandler(log);
    log.logger.setUseParentHandlers(false);
    log.logger.setLevel(level);
    return log;
  }

  /** Returns the messages of one level so far. */
  public List<LogRecord> records(Level level) {
    return records.stream().filter(record -> record.getLevel().equals(level)).toList();
  }

  /** Returns the texts of one level so far. */
  public List<String> texts(Level level) {
    return records(level).stream().map(FORMATTER::formatMessage).toList();
  }

  /** Returns all messages so far, each with its level and its stack trace. */
  public List<String> traces() {
    return records.stream()
        .map(
            record ->
                record.getLevel()
                    + " "
                    + FORMATTER.formatMessage(record)
                    + trace(record.getThrown()))
        .toList();
  }

  private static String trace(@Nullable Throwable thrown) {
    if (thrown == null) {
      return "";
    }
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return "\n" + text;
  }

  /** Returns whether a message so far has the text. */
  public boolean contains(String text) {
    return records.stream().anyMatch(record -> FORMATTER.formatMessage(record).contains(text));
  }

  @Override
  public void publish(LogRecord record) {
    records.add(record);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }
}
