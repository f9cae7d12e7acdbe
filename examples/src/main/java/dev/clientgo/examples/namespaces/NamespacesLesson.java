package dev.clientgo.examples.namespaces;

import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.FooDefinition;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The lesson of informers in several namespaces. */
@Command(
    name = "namespaces",
    description =
        "Follows the pods with the label app=web, and the Foos, of some namespaces. If it starts"
            + " its own server, it also creates objects there, in these namespaces and another.")
public final class NamespacesLesson extends Lesson {

  @Parameters(
      paramLabel = "NAMESPACE",
      description = "The namespaces; by default default and kube-system.")
  private List<String> namespaces = List.of("default", "kube-system");

  /** The command line parser calls this. */
  public NamespacesLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws InterruptedException {
    FooDefinition.require(cluster, client);
    if (cluster.isOwn()) {
      createObjects(client);
    }
    try (NamespaceFollower follower = new NamespaceFollower(client, out)) {
      out.println("Following parts of " + cluster);
      for (String namespace : namespaces) {
        follower.add(namespace);
        out.println(follower.summary(namespace));
      }
      awaitEnd();
      namespaces.forEach(follower::remove);
    }
  }

  private static void createObjects(RESTClient client) throws InterruptedException {
    for (String namespace : List.of("default", "kube-system", "kube-public")) {
      client.resource(Pod.TYPE).create(pod(namespace, "web", Map.of("app", "web")));
      client.resource(Pod.TYPE).create(pod(namespace, "database", Map.of("app", "db")));
      client
          .resource(Foo.TYPE)
          .create(Foo.of(namespace, "example", foo -> foo.editSpec(s -> s.replicas(1))));
    }
  }

  private static Pod pod(String namespace, String name, Map<String, String> labels) {
    return Pod.of(
        namespace,
        name,
        pod ->
            pod.editMetadata(m -> m.labels(labels))
                .editSpec(s -> s.editContainers("main", c -> c.image("nginx:1.29"))));
  }
}
