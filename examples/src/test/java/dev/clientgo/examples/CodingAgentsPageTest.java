package dev.clientgo.examples;

import static dev.clientgo.envtest.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.envtest.junit.ApiServerTest;
import dev.clientgo.envtest.junit.TestNamespace;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/coding-agents.md}, which are compiled and run here. */
@ApiServerTest
final class CodingAgentsPageTest {

  @Test
  void imports_areThoseOfThisFile() throws IOException {
    Path source = Path.of("src/test/java/dev/clientgo/examples/CodingAgentsPageTest.java");

    assertThat(imports(Path.of("../docs/coding-agents.md"))).isEqualTo(imports(source));
  }

  private static List<String> imports(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.filter(line -> line.matches("import .*dev\\.clientgo\\..*")).toList();
    }
  }

  @Test
  void write(RESTClient client, @TestNamespace String namespace) throws InterruptedException {
    ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace(namespace);
    ConfigMap created =
        maps.create(ConfigMap.of(namespace, "a", map -> map.data(Map.of("k", "v"))));
    ConfigMap edited = maps.edit("a", map -> map.with(m -> m.editData(data -> data.put("k", "w"))));
    Optional<ConfigMap> absent = maps.find("b"); // get("b") throws.
    ConfigMap applied =
        maps.apply(
            ConfigMap.of(namespace, "b", map -> map.data(Map.of("k", "v"))),
            ApplyOptions.of("my-program"));
    List<ConfigMap> listed =
        maps.list(ListOptions.builder().labelSelector("app=web").build()).items();
    try {
      maps.delete("c");
    } catch (ApiStatusException e) {
      if (!e.isNotFound()) {
        throw e;
      }
    }

    assertThat(created.data()).containsEntry("k", "v");
    assertThat(edited.data()).containsEntry("k", "w");
    assertThat(absent).isEmpty();
    assertThat(applied.metadata().uid()).isNotNull();
    assertThat(listed).isEmpty();
  }

  @Test
  void read(RESTClient client, @TestNamespace String namespace) throws InterruptedException {
    client
        .resource(Pod.TYPE)
        .inNamespace(namespace)
        .create(
            Pod.of(
                namespace,
                "web",
                pod ->
                    pod.editMetadata(m -> m.labels(Map.of("app", "web")))
                        .editSpec(s -> s.editContainers("web", c -> c.image("nginx")))));
    AtomicInteger added = new AtomicInteger();

    try (SharedInformerFactory factory =
        SharedInformerFactory.builder(Clientset.of(client)).build()) {
      var pods = factory.of(Pod.TYPE).inNamespace(namespace);
      pods.informer()
          .addEventHandler(
              new ResourceEventHandler<Pod>() {
                @Override
                public void onAdd(Pod pod, boolean isInInitialList) {
                  added.incrementAndGet(); // Short: enqueue a key, and work elsewhere.
                }

                @Override
                public void onDelete(DeletedObject<Pod> deleted) {}
              });
      factory.start();
      factory.awaitSynced(Duration.ofSeconds(30)).orThrow();
      List<Pod> web = pods.lister().list(Selector.parse("app=web"));
      boolean runs = PodPhase.RUNNING.equals(web.get(0).status().phase()); // No string.

      assertThat(web).hasSize(1);
      assertThat(runs).isFalse();
    }
  }

  // The body of a reconciler.
  private static Result reconcile(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> map = context.client().resource(ConfigMap.TYPE).find(request);
    if (map.isEmpty()) {
      return Result.done(); // Deleted: what it owned is collected.
    }
    // Sends nothing if nothing changes, so a reconciler may do this each time.
    context
        .client()
        .resource(ConfigMap.TYPE)
        .edit(map.get(), m -> m.with(b -> b.editData(data -> data.put("seen", "yes"))));
    return Result.done(); // Throw to be called again later; Result.requeueAfter(…) to look again.
  }

  @Test
  void control(RESTClient client, @TestNamespace String namespace) throws InterruptedException {
    try (Manager manager = Manager.builder(client).inNamespaces(namespace).build()) {
      manager.add(
          Controller.builder(CodingAgentsPageTest::reconcile)
              .named("seen")
              .forKind(ConfigMap.TYPE)
              .build());
      manager.start(); // A program calls run(), which returns after SIGTERM.
      ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace(namespace);
      maps.create(ConfigMap.of(namespace, "a", map -> {}));

      await(maps).untilFound(namespace + "/a", "is seen", map -> map.data().containsKey("seen"));
    }
  }
}
