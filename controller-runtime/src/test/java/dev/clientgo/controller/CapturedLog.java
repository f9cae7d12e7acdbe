package dev.clientgo.controller;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Collects the log messages of a class while this is open. */
public final class CapturedLog extends Handler implements AutoCloseable {

  private final Logger logger;
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  private CapturedLog(Logger logger) {
    this.logger = logger;
  }

  public static CapturedLog of(Class<?> source) {
    CapturedLog log = new CapturedLog(Logger.getLogger(source.getName()));
    log.logger.addHandler(log);
    log.logger.setUseParentHandlers(false);
    return log;
  }

  public List<LogRecord> records(Level level) {
    return records.stream().filter(record -> record.getLevel().equals(level)).toList();
  }

  public boolean contains(String text) {
    return records.stream()
        .anyMatch(record -> new SimpleFormatter().formatMessage(record).contains(text));
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
  }
}
