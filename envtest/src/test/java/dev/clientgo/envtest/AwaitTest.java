package dev.clientgo.envtest;

import static dev.clientgo.envtest.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.Lister;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.Eventually;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The condition itself makes the next change, so each wait continues because of an event. */
@Timeout(300)
final class AwaitTest {

  private static final GroupVersionResource CONFIG_MAPS =
      new GroupVersionResource("", "v1", "configmaps");
  private static final Duration SHORT = Duration.ofMillis(50);

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final RESTClient client = RESTClient.create(server.restConfig());
  private final ResourceClient<Unstructured> configMaps =
      client.dynamic(CONFIG_MAPS).inNamespace("default");
  private final SharedIndexInformer<Unstructured> informer =
      SharedIndexInformer.builder(ListWatch.<Unstructured>of(configMaps::list, configMaps::watch))
          .type(configMaps.type())
          .name("settings")
          .build();

  @AfterEach
  void close() {
    informer.close();
    client.close();
    server.close();
  }

  private void put(String name, String value) {
    server
        .objects(CONFIG_MAPS)
        .put(
            Unstructured.of(
                Map.of(
                    "metadata", Map.of("name", name, "namespace", "default"),
                    "data", Map.of("key", value))));
  }

  /**
   * Does something the first time that it is asked, and returns whether that many objects exist.
   */
  private static Predicate<Lister<Unstructured>> after(Runnable change, int objects) {
    AtomicInteger asked = new AtomicInteger();
    return lister -> {
      if (asked.getAndIncrement() == 0) {
        change.run();
      }
      return lister.list().size() == objects;
    };
  }

  @Test
  void until_informer_seesLaterObjects() throws Exception {
    put("a", "1");
    informer.start();

    await(informer).until("2 settings", after(() -> put("b", "1"), 2));

    assertThat(informer.lister().list()).hasSize(2);
    assertThat(informer.health().handlers()).isEmpty();
  }

  @Test
  void until_client_seesLaterObjectsAndLeavesNoWatch() throws Exception {
    put("a", "1");

    await(configMaps).until("2 settings", after(() -> put("b", "1"), 2));

    server.awaitWatches(0);
  }

  @Test
  void untilFound_returnsTheObjectThatMeetsTheCondition() throws Exception {
    put("a", "1");
    informer.start();
    AtomicInteger asked = new AtomicInteger();

    Unstructured found =
        await(informer)
            .untilFound(
                "default/a",
                "its key is 2",
                settings -> {
                  if (asked.getAndIncrement() == 0) {
                    put("a", "2");
                  }
                  return settings.nestedString("data", "key").filter("2"::equals).isPresent();
                });

    assertThat(found.nestedString("data", "key")).contains("2");
  }

  @Test
  void untilDeleted_seesTheDeletion() throws Exception {
    put("a", "1");
    informer.start();
    informer.addEventHandler(
        handler -> handler.onAdd(added -> server.objects(CONFIG_MAPS).delete("default", "a")));

    await(informer).untilDeleted("default/a");

    assertThat(informer.lister().find(ObjectName.parse("default/a"))).isEmpty();
  }

  private void startSynced() throws InterruptedException {
    informer.start();
    assertThat(informer.awaitSynced(Duration.ofMinutes(1))).isTrue();
  }

  @Test
  void untilAsserted_failure_hasTheLastErrorAsItsCause() throws Exception {
    startSynced();

    assertThatThrownBy(
            () ->
                await(informer)
                    .within(SHORT)
                    .untilAsserted(settings -> assertThat(settings.list()).hasSize(3)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the assertion holds")
        .hasStackTraceContaining("Expected size: 3 but was: 0");
  }

  @Test
  void timeout_tellsTheObjectsAndTheHealth() throws Exception {
    put("a", "1");
    startSynced();

    assertThatThrownBy(() -> await(informer).within(SHORT).untilFound("default/b"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("not within PT0.05S: default/b: it exists")
        .hasMessageContaining("settings has 1 object\n  default/a: ")
        .hasMessageContaining("InformerHealth[");
    assertThat(informer.health().handlers()).isEmpty();
  }

  @Test
  void timeout_notSynced_tellsTheServersError() throws Exception {
    server.faults().on(request -> request.matches("list", "configmaps")).always().answer(403);
    server.faults().on(request -> request.matches("watch", "configmaps")).always().answer(403);
    informer.start();
    Eventually.await("a refused list", () -> informer.health().toString().contains("Forbidden"));

    assertThatThrownBy(() -> await(informer).within(SHORT).untilDeleted("default/a"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the informer has not synced")
        .hasMessageContaining("injected (Forbidden)");
  }

  @Test
  void notStarted_isAnError() {
    assertThatThrownBy(() -> await(informer).untilFound("default/a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("before it is started: settings");
  }
}
