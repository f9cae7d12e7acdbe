package dev.clientgo.examples;

import dev.clientgo.apimachinery.errors.KubernetesException;
import java.io.PrintWriter;
import java.util.concurrent.TimeoutException;

/** Runs what keeps a server of the lesson's own busy, until the lesson ends. */
public final class WorkloadThread implements AutoCloseable {

  private final Task workload;
  private final PrintWriter out;
  private final Thread thread = new Thread(this::run, "workload");

  /** What runs until it is interrupted. */
  @FunctionalInterface
  public interface Task {
    /** Creates, changes and deletes objects. */
    void run() throws InterruptedException, TimeoutException;
  }

  /** Makes a thread that is not yet started; if the workload fails, it says so to {@code out}. */
  public WorkloadThread(Task workload, PrintWriter out) {
    this.workload = workload;
    this.out = out;
  }

  /** Starts it. */
  public void start() {
    thread.start();
  }

  private void run() {
    try {
      workload.run();
    } catch (InterruptedException e) {
      // The lesson is over.
    } catch (KubernetesException | TimeoutException e) {
      out.println("! the workload ended: " + e.getMessage());
    }
  }

  /** Ends it, and waits until it has ended. */
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
