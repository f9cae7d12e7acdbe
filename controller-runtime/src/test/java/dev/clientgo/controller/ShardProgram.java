package dev.clientgo.controller;

import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A replica in a separate JVM: {@code KUBECONFIG IDENTITY}. It writes its identity into each of its
 * objects, several times a second, with the number of the write and the version that it has seen.
 */
final class ShardProgram {

  static final LeaseLock GROUP = LeaseLock.of("default", "shard-processes");

  static final Duration LEASE = Duration.ofSeconds(4);

  /** The label of the objects. */
  static final String LABEL = "shard-processes";

  private ShardProgram() {}

  public static void main(String[] arguments) throws InterruptedException {
    String identity = arguments[1];
    try (RESTClient client =
            RESTClient.create(
                KubeConfigLoader.builder().file(Path.of(arguments[0])).build().load());
        Manager manager =
            Manager.builder(client)
                .shards(
                    GROUP,
                    group ->
                        group
                            .identity(identity)
                            .leaseDuration(LEASE)
                            .renewDeadline(Duration.ofSeconds(3))
                            .retryPeriod(Duration.ofMillis(400)))
                .build()) {
      manager.add(
          Controller.builder((request, context) -> reconcile(request, context, identity))
              .forKind(
                  ConfigMap.TYPE,
                  Predicate.of(ShardProgram::isOurs)
                      .and(Predicate.ofUpdates(ShardProgram::isNewVersion)))
              .shardedCache(true)
              .workers(4)
              .build());
      manager.run();
    }
  }

  /** The writes of the replicas lead to no further ones at once. */
  private static boolean isNewVersion(ConfigMap before, ConfigMap after) {
    return !Objects.equals(before.data().get("version"), after.data().get("version"));
  }

  static boolean isOurs(ConfigMap map) {
    return map.metadata().labels().containsKey(LABEL);
  }

  private static Result reconcile(Request request, Context context, String identity)
      throws InterruptedException {
    CachedResource<ConfigMap> maps = context.client().resource(ConfigMap.TYPE);
    Optional<ConfigMap> found = maps.find(request);
    if (found.isEmpty()) {
      return Result.done();
    }
    maps.edit(
        found.get(),
        map ->
            map.with(
                m ->
                    m.editData(
                        data -> {
                          int writes = Integer.parseInt(data.getOrDefault("writes", "0"));
                          data.put("writes", Integer.toString(writes + 1));
                          data.put("by", identity);
                          data.put("seen", data.getOrDefault("version", ""));
                        })));
    return Result.requeueAfter(Duration.ofMillis(500));
  }
}
