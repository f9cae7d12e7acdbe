package dev.clientgo.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What {@link Wait} does with a server. */
abstract class WaitContract {

  private static final Duration LONG = Duration.ofSeconds(60);

  abstract RESTClient client();

  private ResourceClient<ConfigMap> configMaps() {
    return client().resource(ConfigMap.TYPE).inNamespace("default");
  }

  private ResourceClient<Unstructured> deployments() {
    return client()
        .dynamic(new GroupVersionResource("apps", "v1", "deployments"))
        .inNamespace("default");
  }

  /** Waits in another thread. */
  private static <T> CompletableFuture<T> inBackground(Work<T> work) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return work.run();
          } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
          }
        });
  }

  private interface Work<T> {
    T run() throws InterruptedException, TimeoutException;
  }

  @Test
  void forCondition_waitsForTheGenerationThatIsObserved() throws Exception {
    deployments().create(Unstructured.parseYaml(RolloutContract.deployment("wait")).get(0));
    Scaler.of(deployments()).scale("wait", 3); // Generation 2: a server does not store a 0.
    long generation = deployments().get("wait").metadata().generation();
    CompletableFuture<Optional<Unstructured>> waiting =
        inBackground(() -> Wait.forCondition("available").timeout(LONG).on(deployments(), "wait"));

    status("wait", generation - 1);
    assertThatThrownBy(
            () ->
                Wait.forCondition("Available")
                    .timeout(Duration.ofMillis(1))
                    .on(deployments(), "wait"))
        .isInstanceOf(TimeoutException.class);
    status("wait", generation);

    Optional<Unstructured> met = waiting.get(60, TimeUnit.SECONDS);
    assertThat(met.orElseThrow().nestedLong("status", "observedGeneration")).contains(generation);
  }

  private void status(String name, long observed) throws InterruptedException {
    Map<String, ?> available =
        Map.of("type", "Available", "status", "True", "reason", "Test", "message", "");
    Map<String, ?> status =
        Map.of("observedGeneration", observed, "conditions", List.of(available));
    deployments().status().patch(name, Patch.merge(Map.of("status", status)));
  }

  @Test
  void forJsonPath_waitsForTheValue() throws Exception {
    configMaps().create(ConfigMap.of("default", "path", c -> c.data(Map.of("phase", "new"))));
    CompletableFuture<Optional<ConfigMap>> waiting =
        inBackground(
            () ->
                Wait.parse("jsonpath='{.data.phase}'=done").timeout(LONG).on(configMaps(), "path"));

    configMaps().edit("path", map -> map.with(c -> c.data(Map.of("phase", "done"))));

    assertThat(waiting.get(60, TimeUnit.SECONDS).orElseThrow().data())
        .isEqualTo(Map.of("phase", "done"));
  }

  @Test
  void forCreateAndDelete_waitForThem() throws Exception {
    CompletableFuture<Optional<ConfigMap>> creation =
        inBackground(() -> Wait.forCreate().timeout(LONG).on(configMaps(), "comes"));
    configMaps().create(ConfigMap.of("default", "comes", c -> {}));
    assertThat(creation.get(60, TimeUnit.SECONDS)).isPresent();

    CompletableFuture<Optional<ConfigMap>> deletion =
        inBackground(() -> Wait.forDelete().timeout(LONG).on(configMaps(), "comes"));
    configMaps().delete("comes");
    deletion.get(60, TimeUnit.SECONDS);
    assertThat(Wait.forDelete().on(configMaps(), "comes")).isEmpty();
  }

  @Test
  void until_takesTypedObjects() throws Exception {
    configMaps().create(ConfigMap.of("default", "typed-wait", c -> c.data(Map.of("a", "b"))));

    ConfigMap found =
        Wait.until(configMaps(), "typed-wait", map -> map.data().containsKey("a"), LONG);

    assertThat(found.metadata().name()).isEqualTo("typed-wait");
  }

  @Test
  void on_ofAnObjectThatIsNotThere_failsAtOnce() {
    assertThatThrownBy(() -> Wait.forCondition("Ready").on(configMaps(), "nowhere"))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isNotFound()).isTrue());
  }

  @Test
  void on_tooLong_saysWhatWasWaitedFor() throws InterruptedException {
    configMaps().create(ConfigMap.of("default", "never", c -> {}));

    assertThatThrownBy(
            () ->
                Wait.forCondition("Ready")
                    .timeout(Duration.ofMillis(100))
                    .on(configMaps(), "never"))
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("for condition=Ready=True: ");
  }

  @Test
  void parse_ofAnythingElse_saysWhatToWrite() {
    assertThatThrownBy(() -> Wait.parse("ready"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("write condition=TYPE, ");
  }

  /** An object of that name in any namespace ended the wait. */
  @Test
  void on_withoutANamespace_isAnError() throws InterruptedException {
    configMaps().create(ConfigMap.of("default", "somewhere", c -> {}));

    assertThatThrownBy(() -> Wait.forCreate().on(client().resource(ConfigMap.TYPE), "somewhere"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("by inNamespace");
  }
}
