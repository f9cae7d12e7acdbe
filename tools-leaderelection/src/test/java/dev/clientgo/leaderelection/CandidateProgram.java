package dev.clientgo.leaderelection;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * A candidate in a separate JVM. It reports on standard output what happens to it. For each line on
 * standard input it writes to the ConfigMap {@code output} with the last client that a term has
 * given it, leader or not.
 */
final class CandidateProgram {

  static final Duration LEASE = Duration.ofSeconds(3);

  private CandidateProgram() {}

  public static void main(String[] arguments) throws Exception {
    String identity = arguments[1];
    BlockingQueue<LeadershipTerm> terms = new ArrayBlockingQueue<>(1);
    try (RESTClient client =
            RESTClient.create(
                KubeConfigLoader.builder().file(Path.of(arguments[0])).build().load());
        LeaderElector elector =
            LeaderElector.builder(client, LeaseLock.of("default", "processes"), identity)
                .leaseDuration(LEASE)
                .renewDeadline(Duration.ofMillis(2500))
                .retryPeriod(Duration.ofMillis(100))
                .onStartedLeading(
                    term -> {
                      terms.add(term);
                      System.out.println("leads");
                    })
                .onStoppedLeading(() -> System.out.println("stopped"))
                .build()) {
      elector.start();
      BufferedReader commands =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      LeadershipTerm term = null;
      while (commands.readLine() != null) {
        term = term == null ? terms.take() : term;
        System.out.println(write(term, identity));
      }
    }
  }

  private static String write(LeadershipTerm term, String identity) throws InterruptedException {
    ResourceClient<ConfigMap> maps = term.client().resource(ConfigMap.TYPE).inNamespace("default");
    try {
      maps.patch("output", Patch.merge("{\"data\":{\"writer\":\"" + identity + "\"}}"));
      return "wrote";
    } catch (LeadershipLostException e) {
      return "refused " + e.mayHaveReachedServer();
    } catch (KubernetesException e) {
      return "failed " + e;
    }
  }
}
