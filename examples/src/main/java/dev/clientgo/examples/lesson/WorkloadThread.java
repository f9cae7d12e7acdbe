package dev.clientgo.examples.lesson;

import dev.clientgo.apimachinery.errors.KubernetesException;
import java.io.PrintWriter;
import java.util.concurrent.TimeoutException;

/** Runs a workload on the lesson's own server until the lesson ends. */
public final class WorkloadThread implements AutoCloseable {

  private final Task workload;
  private final PrintWriter out;
  private final Thread thread = new Thread(this::run, "workload");

  /** A workload, which runs until it is interrupted. */
  @FunctionalInterface
  public interface Task {
    /** Creates, changes and deletes objects. */
    void run() throws InterruptedException, TimeoutException;
  }

  /**
   * Creates a thread without starting it. If the workload fails, it reports the error to {@code
   * out}.
   */
  public WorkloadThread(Task workload, PrintWriter out) {
    this.workload = workload;
    this.out = out;
  }

  /** Starts the workload. */
  public void start() {
    thread.start();
  }

  private void run() {
    try {
      workload.run();
    } catch (InterruptedException e) {
      // The lesson has ended.
    } catch (KubernetesException | TimeoutException e) {
      out.println("! the workload ended: " + e.getMessage());
    }
  }

  /** Interrupts the workload and waits for its end. */
  @Override
  public void close() {
    thread.interrupt();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
