package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class InProcessConnectionTest {

  private static final GroupVersionResource CONFIG_MAPS =
      new GroupVersionResource("", "v1", "configmaps");

  private final EmbeddedApiServer server = EmbeddedApiServer.builder().listen(false).start();
  private final RESTClient client = RESTClient.create(server.restConfig());
  private final ResourceClient<Unstructured> maps =
      client.dynamic(CONFIG_MAPS).inNamespace("default");

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private static Unstructured map(String name) {
    return Unstructured.of(
        Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("name", name)));
  }

  @Test
  void request_withoutSockets_isAnswered() throws Exception {
    Unstructured created = maps.create(map("a"));

    assertThat(maps.get("a")).isEqualTo(created);
    assertThat(maps.list().items()).containsExactly(created);
    assertThat(server.connections()).isZero();
  }

  @Test
  void request_refusedByTheApi_throwsItsStatus() {
    assertThatThrownBy(() -> maps.get("none"))
        .hasMessageContaining("configmaps \"none\" not found");
  }

  @Test
  void watch_afterWrites_deliversThem() throws Exception {
    try (Watch<Unstructured> watch = maps.watch(ListOptions.NONE)) {
      maps.create(map("a"));
      maps.delete("a");

      assertThat(watch.next().orElseThrow()).isInstanceOf(WatchEvent.Added.class);
      assertThat(watch.next().orElseThrow()).isInstanceOf(WatchEvent.Deleted.class);
    }
    assertThat(server.awaitWatches(0)).isEmpty();
  }

  @Test
  void watch_ofAnInterruptedThread_ends() throws Exception {
    Watch<Unstructured> watch = maps.watch(ListOptions.NONE);
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                watch.next();
                outcome.complete(new AssertionError("there was no event"));
              } catch (InterruptedException | RuntimeException e) {
                outcome.complete(e);
              }
            });
    reader.start();
    reader.interrupt();

    assertThat(outcome.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    watch.close();
    assertThat(server.awaitWatches(0)).isEmpty();
  }

  @Test
  void watch_closedByAnotherThread_ends() throws Exception {
    Watch<Unstructured> watch = maps.watch(ListOptions.NONE);
    FutureTask<Boolean> end = new FutureTask<>(() -> watch.next().isEmpty());
    new Thread(end).start();

    watch.close();

    assertThat(end.get(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void connection_ofAStoppedServer_isRefused() throws Exception {
    Watch<Unstructured> watch = maps.watch(ListOptions.NONE);

    server.stop();

    assertThat(watch.next()).isEmpty();
    assertThatThrownBy(() -> maps.get("a"))
        .isInstanceOfSatisfying(
            TransportException.class,
            e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CONNECTION_REFUSED));
    server.restart();
    assertThat(maps.list().items()).isEmpty();
  }

  @Test
  void faults_cutABody_asOverTheNetwork() throws Exception {
    maps.create(map("a"));
    server.faults().on(request -> request.matches("list", "configmaps")).cutAfter(20);

    assertThatThrownBy(maps::list)
        .isInstanceOfSatisfying(
            TransportException.class,
            e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CONNECTION_LOST));
  }

  @Test
  void faults_garbleABody_asOverTheNetwork() throws Exception {
    maps.create(map("a"));
    server.faults().on(request -> request.matches("list", "configmaps")).garbleAfter(20, "\"?\"");

    assertThatThrownBy(maps::list).isInstanceOf(CodecException.class);
  }

  @Test
  void body_thatStops_endsAtTheTimeoutOfTheRequest() throws Exception {
    maps.create(map("a"));
    server.faults().on(request -> request.matches("list", "configmaps")).goSilentAfter(20);
    RESTClient impatient =
        RESTClient.create(server.restConfig().toBuilder().timeout(Duration.ofMillis(200)).build());

    try (impatient) {
      assertThatThrownBy(() -> impatient.dynamic(CONFIG_MAPS).list())
          .isInstanceOf(TransportException.class);
    }
  }

  @Test
  void request_thatIsNeverAnswered_endsAtItsTimeout() {
    server.faults().on(request -> request.matches("list", "configmaps")).ignore();
    RESTClient impatient =
        RESTClient.create(server.restConfig().toBuilder().timeout(Duration.ofMillis(200)).build());

    try (impatient) {
      assertThatThrownBy(() -> impatient.dynamic(CONFIG_MAPS).list())
          .isInstanceOf(TransportException.class);
    }
  }

  @Test
  void url_ofAServerThatDoesNotListen_isRefused() {
    assertThatThrownBy(server::url).hasMessageContaining("use restConfig() or connection()");
  }
}
