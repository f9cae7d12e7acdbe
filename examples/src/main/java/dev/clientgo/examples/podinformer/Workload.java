package dev.clientgo.examples.podinformer;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.examples.lesson.WorkloadThread;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** A workload to watch: it creates pods, lets them run for a while, and deletes them. */
final class Workload implements WorkloadThread.Task {

  private static final Duration PAUSE = Duration.ofMillis(400);
  private static final int PODS = 3;

  private final ResourceClient<Unstructured> pods;
  private final boolean podsRun;

  /**
   * @param podsRun whether a kubelet runs the pods; else the workload says that they run
   */
  Workload(ResourceClient<Unstructured> pods, boolean podsRun) {
    this.pods = pods.inNamespace("default");
    this.podsRun = podsRun;
  }

  @Override
  public void run() throws InterruptedException {
    Deque<String> running = new ArrayDeque<>();
    for (int number = 1; ; number++) {
      running.add(create("web-" + number));
      if (running.size() > PODS) {
        pods.delete(running.remove());
        pause();
      }
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
    if (!podsRun) {
      pods.updateStatus(pod.with("Running", "status", "phase"));
    }
    pause();
    return name;
  }

  private static void pause() throws InterruptedException {
    Clock.system().sleep(PAUSE);
  }
}
