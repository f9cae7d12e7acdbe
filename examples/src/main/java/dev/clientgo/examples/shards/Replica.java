package dev.clientgo.examples.shards;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.leaderelection.shard.ShardGroup;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import java.time.Duration;

/** A replica of a program with one controller. It writes its name into each order that it has. */
final class Replica implements AutoCloseable {

  private final String name;
  private final RESTClient client;
  private final Manager manager;
  private volatile boolean dead;

  Replica(String name, RestConfig config) {
    this.name = name;
    client =
        RESTClient.builder(config)
            .addInterceptor(
                (request, next) -> {
                  if (dead) {
                    throw new TransportException(
                        TransportException.Kind.CONNECTION_LOST, "the node has no power", null);
                  }
                  return next.send(request);
                })
            .build();
    manager =
        Manager.builder(client)
            .shards(
                LeaseLock.of("default", "orders"),
                group ->
                    group // Shorter than the defaults, so that the lesson is short.
                        .identity(name)
                        .leaseDuration(Duration.ofSeconds(4))
                        .renewDeadline(Duration.ofSeconds(3))
                        .retryPeriod(Duration.ofMillis(500)))
            .build();
    manager.add(
        Controller.builder(this::reconcile)
            .forKind(ConfigMap.TYPE, Predicate.of(Replica::isOrder))
            .build());
    manager.start();
  }

  private static boolean isOrder(ConfigMap map) {
    return String.valueOf(map.metadata().name()).startsWith("order-");
  }

  private Result reconcile(Request request, Context context) throws InterruptedException {
    context
        .client()
        .resource(ConfigMap.TYPE)
        .inNamespace(request.namespace())
        .edit(request.name(), map -> map.with(m -> m.editData(data -> data.put("by", name))));
    return Result.done();
  }

  ShardGroup group() {
    return manager.shards().orElseThrow();
  }

  /** Cuts the replica off from the server, as if its node had died. */
  void die() {
    dead = true;
  }

  /** Leaves the group. */
  void leave() {
    manager.close();
  }

  @Override
  public void close() {
    leave();
    client.close();
  }

  @Override
  public String toString() {
    return name;
  }
}
