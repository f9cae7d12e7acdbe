package dev.clientgo.envtest.controllers;

import static dev.clientgo.envtest.controllers.BuiltInController.GARBAGE_COLLECTOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.apiextensions.v1.CustomResourceDefinition;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Kinds that come and go under the embedded garbage collector. The real one asks for kinds every
 * half minute; this one follows their definitions, so a fake clock may stand still.
 */
@Timeout(300)
final class GarbageOfCustomKindsTest {

  private static final Duration WAIT = Duration.ofSeconds(60);
  private static final Path DEFINITION = Path.of("src/test/crds/gadgets.yaml");
  private static final GroupVersionResource GADGETS =
      new GroupVersionResource("gc.example.com", "v1", "gadgets");

  private EmbeddedApiServer server;
  private EmbeddedControllers controllers;
  private RESTClient client;
  private ResourceClient<ConfigMap> maps;

  @BeforeEach
  void start() throws Exception {
    FakeClock clock = FakeClock.create();
    server = EmbeddedApiServer.builder().clock(clock).start();
    controllers = EmbeddedControllers.builder(server).only(GARBAGE_COLLECTOR).clock(clock).start();
    client = RESTClient.create(server.restConfig());
    maps = client.resource(ConfigMap.TYPE).inNamespace("default");
  }

  @AfterEach
  void stop() {
    client.close();
    controllers.close();
    server.close();
  }

  private static OwnerReference ofGadget(String name, String uid) {
    return OwnerReference.of(
        o -> o.apiVersion("gc.example.com/v1").kind("Gadget").name(name).uid(uid));
  }

  private void child(String name, OwnerReference owner) throws Exception {
    maps.create(
        ConfigMap.of(
            "default",
            name,
            m -> m.editMetadata(meta -> meta.editOwnerReferences(all -> all.add(owner)))));
  }

  private boolean isWatched() {
    return server.watches().stream()
        .anyMatch(watch -> watch.request().resource().equals("gadgets"));
  }

  @Test
  void ownerOfAnUnknownKind_keepsItsDependent_untilTheKindIsKnown() throws Exception {
    child("child", ofGadget("absent", "1"));
    ConfigMap owner = maps.create(ConfigMap.of("default", "owner", m -> {}));
    child("other", OwnerReferences.newOwnerRef(owner));
    maps.delete("owner");
    maps.await("other", Optional::isEmpty, WAIT);
    assertThat(maps.find("child")).isPresent();

    server.installCrds(DEFINITION);

    maps.await("child", Optional::isEmpty, WAIT);
  }

  @Test
  void kindIsDeleted_dependentsOfItsObjectsGo_andItIsNoLongerWatched() throws Exception {
    server.installCrds(DEFINITION);
    Unstructured gadget =
        client
            .dynamic(GADGETS)
            .inNamespace("default")
            .create(
                Unstructured.of(Map.of("metadata", Map.of("name", "gadget")))
                    .withType("gc.example.com/v1", "Gadget"));
    child("child", ofGadget("gadget", String.valueOf(gadget.metadata().uid())));
    Poll.every(Duration.ofMillis(5)).immediately().atMost(WAIT).until(this::isWatched);

    client.resource(CustomResourceDefinition.TYPE).delete("gadgets.gc.example.com");

    maps.await("child", Optional::isEmpty, WAIT);
    Poll.every(Duration.ofMillis(5)).immediately().atMost(WAIT).until(() -> !isWatched());
    child("late", ofGadget("gadget", String.valueOf(gadget.metadata().uid())));
    maps.await("late", Optional::isEmpty, WAIT);
  }
}
