package dev.clientgo.examples.lesson;

import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.kubernetes.core.v1.RestartPolicy;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The pod of a lesson, which runs. */
public final class RunningPod {

  private RunningPod() {}

  /**
   * Returns the name of the pod that the user has named, or creates one in a cluster of the lesson.
   *
   * @param script what a shell does in the pod
   * @throws LessonException if there is none and none would run
   */
  public static String require(
      Cluster cluster, RESTClient client, String namespace, @Nullable String pod, String script)
      throws InterruptedException, TimeoutException {
    if (pod != null) {
      return pod;
    }
    if (!cluster.runsPods()) {
      throw new LessonException(
          "name a pod of "
              + cluster
              + ", or start a cluster that runs one with --kube-cluster: an API server alone runs"
              + " no pods");
    }
    ResourceClient<Pod> pods = client.resource(Pod.TYPE).inNamespace(namespace);
    pods.create(
        Pod.of(
            namespace,
            "web-0",
            created ->
                created.editSpec(
                    spec ->
                        spec.restartPolicy(RestartPolicy.NEVER)
                            .editContainers(
                                "main",
                                main ->
                                    main.image("busybox").command(List.of("sh", "-c", script))))));
    pods.await(
        "web-0", found -> found.filter(RunningPod::hasStarted).isPresent(), Duration.ofMinutes(1));
    return "web-0";
  }

  private static boolean hasStarted(Pod pod) {
    PodPhase phase = pod.status().phase();
    return PodPhase.RUNNING.equals(phase) || PodPhase.SUCCEEDED.equals(phase);
  }
}
