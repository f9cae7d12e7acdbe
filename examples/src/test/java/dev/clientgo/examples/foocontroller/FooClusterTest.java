package dev.clientgo.examples.foocontroller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.controller.Manager;
import dev.clientgo.envtest.KubeCluster;
import dev.clientgo.examples.lesson.FooDefinition;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.rest.RESTClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lesson on a whole cluster, whose own controllers report the pods of a Deployment. */
final class FooClusterTest {

  private final StringWriter out = new StringWriter();

  /** The cluster's controller alone writes the status, and the garbage collector deletes. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void workload_onAWholeCluster_leavesTheStatusToItsController(boolean runtime) throws Exception {
    assumeTrue(KubeCluster.isAvailable(), "build it with envtest/kube-apiserver/build");
    Set<String> writers = ConcurrentHashMap.newKeySet();
    try (KubeCluster cluster = KubeCluster.start();
        RESTClient client = RESTClient.create(cluster.restConfig())) {
      FooDefinition.install(client);
      Watch<Deployment> watch = client.resource(Deployment.TYPE).watch();
      Thread reader = new Thread(() -> record(watch, writers), "status-writers");
      reader.start();
      if (runtime) {
        try (Manager manager = FooLesson.manager(Manager.builder(client))) {
          manager.start();
          playOnce(client);
        }
      } else {
        try (FooController controller =
            new FooController(client, Duration.ofSeconds(5), new PrintWriter(out, true))) {
          controller.start();
          playOnce(client);
        }
      }
      watch.close();
      reader.join(Duration.ofSeconds(30).toMillis());
    }

    assertThat(writers).containsExactly("kube-controller-manager");
  }

  private void playOnce(RESTClient client) throws Exception {
    new Workload(client, /* podsRun= */ true, new PrintWriter(out, true))
        .createScaleAndDelete("example");
  }

  /** Records which programs write the status of Deployments, until the watch ends. */
  private static void record(Watch<Deployment> watch, Set<String> writers) {
    try {
      for (var event = watch.next(); event.isPresent(); event = watch.next()) {
        if (event.get() instanceof WatchEvent.Modified<Deployment> modified) {
          modified.value().metadata().managedFields().stream()
              .filter(entry -> "status".equals(entry.subresource()))
              .forEach(entry -> writers.add(String.valueOf(entry.manager())));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
