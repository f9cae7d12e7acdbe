package dev.clientgo.controller;

import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.leaderelection.LeadershipLostException;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A replica in a separate JVM, which reconciles an object every 20 ms while it leads. It prints
 * {@code reconciles} each time, and {@code lost} at the end.
 */
final class TermProgram {

  private TermProgram() {}

  public static void main(String[] arguments) throws InterruptedException {
    Reconciler reconciler =
        (request, context) -> {
          System.out.println("reconciles");
          return Result.requeueAfter(Duration.ofMillis(20));
        };
    try (RESTClient client =
            RESTClient.create(
                KubeConfigLoader.builder().file(Path.of(arguments[0])).build().load());
        Manager manager =
            Manager.builder(client)
                .leaderElection(
                    LeaseLock.of("default", "operator"),
                    options ->
                        options
                            .leaseDuration(Duration.ofSeconds(3))
                            .renewDeadline(Duration.ofMillis(2500))
                            .retryPeriod(Duration.ofMillis(100)))
                .build()) {
      manager.add(Controller.builder(reconciler).forKind(ConfigMap.TYPE).warmUp(true).build());
      manager.run();
    } catch (LeadershipLostException e) {
      System.out.println("lost");
    }
  }
}
