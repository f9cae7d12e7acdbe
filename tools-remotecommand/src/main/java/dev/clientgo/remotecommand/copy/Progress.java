package dev.clientgo.remotecommand.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Counts files and bytes, and reports them to the caller. For one thread. */
final class Progress {

  private final Consumer<? super CopyProgress> listener;
  private final List<String> skipped = new ArrayList<>();
  private String file = "";
  private long fileBytes;
  private long fileSize;
  private long files;
  private long bytes;

  Progress(Consumer<? super CopyProgress> listener) {
    this.listener = listener;
  }

  /** A state to which an attempt that fails returns. */
  record Mark(long fileBytes, long files, long bytes, int skipped) {}

  Mark mark() {
    return new Mark(fileBytes, files, bytes, skipped.size());
  }

  void reset(Mark mark) {
    fileBytes = mark.fileBytes();
    files = mark.files();
    bytes = mark.bytes();
    skipped.subList(mark.skipped(), skipped.size()).clear();
  }

  void begin(String name, long size) {
    file = name;
    fileSize = size;
    fileBytes = 0;
  }

  void add(int count) {
    fileBytes += count;
    bytes += count;
    if (fileBytes < fileSize) {
      report();
    }
  }

  void end() {
    files++;
    report();
  }

  private void report() {
    listener.accept(new CopyProgress(file, fileBytes, fileSize, files, bytes));
  }

  void skip(String name, String reason) {
    skipped.add(name + ": " + reason);
  }

  CopyResult result(int retries) {
    return new CopyResult(files, bytes, skipped, retries);
  }
}
