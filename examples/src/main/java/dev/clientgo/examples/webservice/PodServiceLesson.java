package dev.clientgo.examples.webservice;

import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The lesson of a web service that answers from a cache. */
@Command(
    name = "web-service",
    description =
        "Answers questions about pods over HTTP from the cache of an informer. If it starts its own"
            + " server, it also creates three pods there.")
public final class PodServiceLesson extends Lesson {

  @Option(names = "--port", description = "The port of the service; by default a free one.")
  private int port;

  /** The command line parser calls this. */
  public PodServiceLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws IOException, InterruptedException {
    for (int i = 0; cluster.isOwn() && i < 3; i++) {
      client.resource(Pod.TYPE).create(pod("web-" + i));
    }
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try (PodService service = new PodService(client, address)) {
      service.start();
      String url = "http://localhost:" + service.port();
      out.println("Serving the pods of " + cluster);
      out.println("Try: curl '" + url + "/pods?app=web' or " + url + "/readyz");
      awaitEnd();
    }
  }

  static Pod pod(String name) {
    return Pod.of(
        "default",
        name,
        pod ->
            pod.editMetadata(m -> m.labels(Map.of("app", "web")))
                .editSpec(
                    s -> s.nodeName("node-1").editContainers("web", c -> c.image("nginx:1.29"))));
  }
}
