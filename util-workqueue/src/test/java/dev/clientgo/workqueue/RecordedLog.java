package dev.clientgo.workqueue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Records the log of a class until this is closed, in place of the console. */
final class RecordedLog extends Handler implements AutoCloseable {

  private final Logger logger;
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  private RecordedLog(Logger logger) {
    this.logger = logger;
  }

  static RecordedLog of(Class<?> type) {
    Logger logger = Logger.getLogger(type.getName());
    RecordedLog log = new RecordedLog(logger);
    logger.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
    logger.addHandler(log);
    return log;
  }

  List<LogRecord> records(Level level) {
    return records.stream().filter(record -> record.getLevel().equals(level)).toList();
  }

  List<String> lines(Level level) {
    return records(level).stream().map(LogRecord::getMessage).toList();
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
