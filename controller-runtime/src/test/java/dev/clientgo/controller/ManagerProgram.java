package dev.clientgo.controller;

import dev.clientgo.clock.Clock;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * An operator in a separate JVM. Its reconciler reports that it has begun, waits until there is a
 * Secret of the same name, writes a ConfigMap, and reports that it has ended. It also reports that
 * it got SIGTERM, and a little after {@link Manager#run} that this has returned.
 */
final class ManagerProgram {

  private ManagerProgram() {}

  public static void main(String[] arguments) throws InterruptedException {
    Reconciler reconciler =
        (request, context) -> {
          System.out.println("begins");
          CachedResource<ConfigMap> maps =
              context.client().resource(ConfigMap.TYPE).inNamespace(request.namespace());
          CachedResource<Secret> secrets =
              context.client().resource(Secret.TYPE).inNamespace(request.namespace());
          Optional<Secret> secret = secrets.find(request.name());
          while (secret.isEmpty()) {
            Clock.system().sleep(Duration.ofMillis(10));
            secret = secrets.find(request.name());
          }
          maps.create(ConfigMap.of(request.namespace(), "written", m -> {}));
          System.out.println("ends");
          return Result.done();
        };
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("terminates")));
    try (RESTClient client =
            RESTClient.create(
                KubeConfigLoader.builder().file(Path.of(arguments[0])).build().load());
        Manager manager =
            Manager.builder(client)
                .leaderElection(LeaseLock.of("default", "operator"))
                .gracefulShutdownTimeout(Duration.ofSeconds(90))
                .build()) {
      manager.add(
          Controller.builder(reconciler)
              .forKind(ConfigMap.TYPE, Predicate.of(map -> "x".equals(map.metadata().name())))
              .build());
      manager.run();
    }
    System.getLogger("program").log(System.Logger.Level.INFO, "run has returned");
    Clock.system().sleep(Duration.ofMillis(300));
    System.out.println("returned");
  }
}
