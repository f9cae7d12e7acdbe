package dev.clientgo.examples.podinformer;

import dev.clientgo.apimachinery.clock.Clock;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.ResourceClient;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** Something to look at: pods that come, run for a while, and go. */
final class Workload implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMillis(400);
  private static final int PODS = 3;

  private final ResourceClient<Unstructured> pods;
  private final PrintWriter out;
  private final Thread thread = new Thread(this::run, "workload");

  Workload(ResourceClient<Unstructured> pods, PrintWriter out) {
    this.pods = pods.inNamespace("default");
    this.out = out;
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      Deque<String> running = new ArrayDeque<>();
      for (int number = 1; ; number++) {
        running.add(create("web-" + number));
        if (running.size() > PODS) {
          pods.delete(running.remove());
          pause();
        }
      }
    } catch (InterruptedException e) {
      // The lesson is over.
    } catch (KubernetesException e) {
      out.println("! the workload ended: " + e.getMessage());
    }
  }

  private String create(String name) throws InterruptedException {
    Unstructured pod =
        pods.create(
            Unstructured.of(
                Map.of(
                    "apiVersion",
                    "v1",
                    "kind",
                    "Pod",
                    "metadata",
                    Map.of("name", name, "labels", Map.of("app", "web")),
                    "spec",
                    Map.of("containers", List.of(Map.of("name", "web", "image", "nginx:1.29"))))));
    pause();
    pods.updateStatus(pod.with("Running", "status", "phase"));
    pause();
    return name;
  }

  private static void pause() throws InterruptedException {
    Clock.system().sleep(PAUSE);
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
