package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.leaderelection.shard.ShardGroup;
import dev.clientgo.leaderelection.shard.ShardWork;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of shard groups in {@code docs/shards.md}, which are compiled here. */
final class ShardsPageTest {

  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  static Manager sharded(RESTClient client, Reconciler reconciler) {
    Manager manager =
        Manager.builder(client).shards(LeaseLock.of("shop", "my-operator-shards")).build();
    manager.add(
        Controller.builder(reconciler).forKind(ConfigMap.TYPE).owns(Deployment.TYPE).build());
    return manager;
  }

  static void shardedCache(Manager manager, Reconciler reconciler) {
    manager.add(
        Controller.builder(reconciler)
            .forKind(ConfigMap.TYPE)
            .owns(Deployment.TYPE)
            .shardedCache(true)
            .build());
  }

  static Manager withOptions(RESTClient client, String podName) {
    Manager manager =
        Manager.builder(client)
            .shards(
                LeaseLock.of("shop", "my-operator-shards"),
                group -> group.identity(podName).slots(1024))
            .build();
    return manager;
  }

  static void workOn(ShardGroup group, RESTClient client, ConfigMap map)
      throws InterruptedException {
    Optional<ShardWork> begun = group.begin(map.metadata().uid(), () -> {});
    if (begun.isPresent()) {
      try (ShardWork work = begun.get()) { // The slot waits for it.
        work.fence(client).resource(ConfigMap.TYPE).inNamespace("shop").update(map);
      }
    }
  }

  @Test
  void examples_areThoseOfThisClass() throws IOException {
    String here =
        squeezed(
            Files.readString(Path.of("src/test/java/dev/clientgo/controller/ShardsPageTest.java")));
    String page = Files.readString(Path.of("../docs/shards.md"));
    int begin = page.indexOf("\n## An informer of a shard"); // Tested in envtest.
    int end = page.indexOf("\n## A group without the controller runtime");
    Matcher examples = EXAMPLE.matcher(page.substring(0, begin) + page.substring(end));
    int count = 0;
    while (examples.find()) {
      assertThat(here).contains(squeezed(examples.group(1).replaceAll("\\bFoo\\b", "ConfigMap")));
      count++;
    }

    assertThat(count).isEqualTo(4);
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }
}
