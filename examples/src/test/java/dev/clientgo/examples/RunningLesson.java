package dev.clientgo.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;

/** A lesson that continues until the test has seen enough of it. */
final class RunningLesson implements AutoCloseable {

  private static final long SECONDS = 60;

  private final Printed out = new Printed();
  private final Printed err = new Printed();
  private final Thread thread;

  private RunningLesson(String... args) {
    thread =
        new Thread(
            () -> Main.run(args, new PrintWriter(out, true), new PrintWriter(err, true)), "lesson");
    thread.setDaemon(true);
  }

  /** Starts a lesson that has no end of its own. */
  static RunningLesson start(String... args) {
    RunningLesson lesson = new RunningLesson(args);
    lesson.thread.start();
    return lesson;
  }

  /** Waits until it has printed all of this, in this order. */
  void await(String... parts) throws InterruptedException {
    out.await(parts);
  }

  /** Returns what it has printed so far. */
  String printed() {
    return out.toString();
  }

  /** Ends it as Ctrl-C does, and returns what it has printed; it has not complained. */
  String end() throws InterruptedException {
    thread.interrupt();
    thread.join(SECONDS * 1000);
    assertThat(thread.isAlive()).as("alive after " + SECONDS + " s").isFalse();
    assertThat(err.toString()).isEmpty();
    return out.toString();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
