package dev.clientgo.remotecommand.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Counts files and bytes, and reports them to the caller. For one thread. */
final class Progress {

  /**
   * The most entries that are named as skipped, and the most characters of one: memory is bounded.
   */
  private static final int MAX_SKIPPED = 10_000;

  private static final int MAX_NAME = 1000;

  private final Consumer<? super CopyProgress> listener;
  private final List<String> skipped = new ArrayList<>();
  private long skips;
  private String file = "";
  private long fileBytes;
  private long fileSize;
  private long files;
  private long bytes;

  Progress(Consumer<? super CopyProgress> listener) {
    this.listener = listener;
  }

  /** A state to which an attempt that fails returns. */
  record Mark(long fileBytes, long files, long bytes, long skips) {}

  Mark mark() {
    return new Mark(fileBytes, files, bytes, skips);
  }

  void reset(Mark mark) {
    fileBytes = mark.fileBytes();
    files = mark.files();
    bytes = mark.bytes();
    skips = mark.skips();
    skipped.subList((int) Math.min(skips, skipped.size()), skipped.size()).clear();
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
    if (skips++ < MAX_SKIPPED) {
      String text = name + ": " + reason;
      skipped.add(text.substring(0, Math.min(text.length(), MAX_NAME)));
    }
  }

  CopyResult result(int retries) {
    List<String> named = new ArrayList<>(skipped);
    if (skips > named.size()) {
      named.add("and " + (skips - named.size()) + " more");
    }
    return new CopyResult(files, bytes, named, retries);
  }
}
