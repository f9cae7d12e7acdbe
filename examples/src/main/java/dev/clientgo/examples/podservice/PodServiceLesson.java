package dev.clientgo.examples.podservice;

import dev.clientgo.clock.Clock;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.examples.lesson.WorkloadThread;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The lesson of a web service that answers from a cache. */
@Command(
    name = "pod-service",
    description =
        "Answers queries about pods over HTTP from the cache of an informer, and streams their"
            + " changes. If it starts its own server, it also creates pods there.")
public final class PodServiceLesson extends Lesson {

  private static final Duration SYNC_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  @Option(names = "--port", description = "The port of the service; by default a free one.")
  private int port;

  /** The command line parser calls this. */
  public PodServiceLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws IOException, InterruptedException {
    ResourceClient<Pod> pods = client.resource(Pod.TYPE).inNamespace("default");
    for (int i = 0; cluster.isOwn() && i < 3; i++) {
      pods.create(pod("web-" + i, "web", cluster));
    }
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try (PodService service = new PodService(client, address, PodServiceOptions.DEFAULTS);
        WorkloadThread workload = new WorkloadThread(() -> runJobs(pods, cluster), out)) {
      service.start();
      if (!service.awaitSynced(SYNC_TIMEOUT)) {
        out.println("! the cache is not full yet, /healthz tells why");
      }
      String url = "http://localhost:" + service.port();
      out.println("Serving the pods of " + cluster);
      out.println("  curl -i '" + url + "/pods?namespace=default&label=app%3Dweb&limit=2'");
      out.println("  curl -N '" + url + "/watch?label=app%3Djob'");
      out.println("  curl " + url + "/healthz");
      if (cluster.isOwn()) {
        workload.start();
      }
      awaitEnd();
    }
  }

  /** Something for {@code /watch} to show. */
  private static void runJobs(ResourceClient<Pod> pods, Cluster cluster)
      throws InterruptedException {
    for (int i = 1; ; i++) {
      String name = "job-" + i;
      Pod job = pods.create(pod(name, "job", cluster));
      Clock.system().sleep(PAUSE);
      if (!cluster.runsPods()) { // A kubelet writes the status itself.
        pods.updateStatus(job.with(p -> p.editStatus(s -> s.phase(PodPhase.SUCCEEDED))));
      }
      Clock.system().sleep(PAUSE);
      pods.delete(name);
    }
  }

  private static Pod pod(String name, String app, Cluster cluster) {
    @Nullable String node = cluster.runsPods() ? null : "node-1"; // A scheduler chooses it.
    return Pod.of(
        "default",
        name,
        pod ->
            pod.editMetadata(m -> m.labels(Map.of("app", app)))
                .editSpec(s -> s.nodeName(node).editContainers("web", c -> c.image("nginx:1.29"))));
  }
}
