package dev.clientgo.examples.lesson;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.kubelet.ContainerLog;
import dev.clientgo.envtest.kubelet.ContainerProgram;
import dev.clientgo.envtest.kubelet.FakeKubelet;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.kubernetes.core.v1.RestartPolicy;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The pod of a lesson, which runs. */
public final class RunningPod implements AutoCloseable {

  private static final String CREATED = "web-0";
  private static final String CONTAINER = "main";
  private static final Map<String, String> LABELS = Map.of("app", "web");

  private final String name;
  private final @Nullable Process process;

  private RunningPod(String name, @Nullable Process process) {
    this.name = name;
    this.process = process;
  }

  /**
   * Returns the pod that the user has named, or creates one in a cluster of the lesson. On an
   * embedded server, a process of this machine plays its container.
   *
   * @param script what a shell does in the pod
   * @throws LessonException if there is none and none would run
   */
  public static RunningPod require(
      Cluster cluster, RESTClient client, String namespace, @Nullable String pod, String script)
      throws IOException, InterruptedException, TimeoutException {
    return pod != null
        ? new RunningPod(pod, null)
        : start(cluster, client, namespace, CREATED, script);
  }

  /**
   * Creates a pod with the label {@code app=web} in a cluster of the lesson, as {@link #require}
   * does.
   *
   * @throws LessonException if no pod would run there
   */
  public static RunningPod start(
      Cluster cluster, RESTClient client, String namespace, String name, String script)
      throws IOException, InterruptedException, TimeoutException {
    if (cluster.embeddedServer().isPresent()) {
      return play(cluster.embeddedServer().get().kubelet(), namespace, name, script);
    }
    if (!cluster.runsPods()) {
      throw new LessonException(
          "name a pod of "
              + cluster
              + ", or start a cluster that runs one with --kube-cluster: an API server alone runs"
              + " no pods");
    }
    ResourceClient<Pod> pods = client.resource(Pod.TYPE).inNamespace(namespace);
    pods.create(pod(namespace, name, script));
    pods.await(
        name, found -> found.filter(RunningPod::hasStarted).isPresent(), Duration.ofMinutes(1));
    return new RunningPod(name, null);
  }

  private static Pod pod(String namespace, String name, String script) {
    return Pod.of(
        namespace,
        name,
        created ->
            created
                .editMetadata(meta -> meta.labels(LABELS))
                .editSpec(
                    spec ->
                        spec.restartPolicy(RestartPolicy.NEVER)
                            .editContainers(
                                CONTAINER,
                                main ->
                                    main.image("busybox").command(List.of("sh", "-c", script)))));
  }

  private static boolean hasStarted(Pod pod) {
    PodPhase phase = pod.status().phase();
    return PodPhase.RUNNING.equals(phase) || PodPhase.SUCCEEDED.equals(phase);
  }

  private static RunningPod play(FakeKubelet kubelet, String namespace, String name, String script)
      throws IOException {
    kubelet.runPod(Unstructured.from(Pod.CODEC, pod(namespace, name, script)));
    kubelet.container(namespace, name, CONTAINER, ContainerProgram.localProcess());
    Process process = new ProcessBuilder("sh", "-c", script).redirectErrorStream(true).start();
    ContainerLog log = kubelet.log(namespace, name, CONTAINER);
    Thread writer = new Thread(() -> write(process.getInputStream(), log), "lesson-pod-log");
    writer.setDaemon(true);
    writer.start();
    return new RunningPod(name, process);
  }

  private static void write(InputStream output, ContainerLog log) {
    try (OutputStream lines = log.stream()) {
      output.transferTo(lines);
    } catch (IOException e) {
      log.errorLine("the output of the container cannot be read: " + e.getMessage());
    } finally {
      log.end();
    }
  }

  /** Returns the name of the pod. */
  public String name() {
    return name;
  }

  /** Ends the process that plays the container, if one does. */
  @Override
  public void close() {
    if (process != null) {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
  }
}
