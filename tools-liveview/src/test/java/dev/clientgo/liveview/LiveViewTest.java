package dev.clientgo.liveview;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.Delta;
import dev.clientgo.cache.InformerObserver;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.workqueue.QueueObserver;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
final class LiveViewTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  private static final String LESSONS =
      "https://github.com/clientgo/client-go-java/blob/main/docs/guide/";

  private final List<LiveView> views = new ArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void closeViews() {
    views.forEach(LiveView::close);
  }

  private LiveView start(LiveView.Builder builder) {
    LiveView view = builder.start();
    views.add(view);
    return view;
  }

  private HttpResponse<String> get(LiveView view, String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(view.url().resolve(path)).timeout(SOON).build();
    return http.send(request, BodyHandlers.ofString());
  }

  private HttpResponse<String> post(LiveView view, String path, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(view.url().resolve(path))
            .timeout(SOON)
            .POST(BodyPublishers.noBody());
    return http.send(
        (headers.length == 0 ? request : request.headers(headers)).build(),
        BodyHandlers.ofString());
  }

  private HttpResponse<String> command(LiveView view, String path) throws Exception {
    return post(view, path, "X-Live-View", "1");
  }

  // ---- the server

  @ParameterizedTest
  @CsvSource({
    "'', text/html, <!doctype html>",
    "live-view.css, text/css, --accent",
    "live-view.js, text/javascript, EventSource",
    "river.js, text/javascript, animate",
    "scenes.js, text/javascript, scrollTo",
    "nodes.js, text/javascript, createElement",
    "words.js, text/javascript, WORDS",
    "incident, text/html, incident.js",
    "incident.js, text/javascript, DecompressionStream"
  })
  void page_anyFile_isServedAndMayLoadNothingElse(String path, String type, String part)
      throws Exception {
    HttpResponse<String> answer = get(start(LiveView.builder()), path);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains(type + "; charset=utf-8");
    assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
        .startsWith("default-src 'self'");
    assertThat(answer.body()).contains(part);
    // The lessons are links and SVG is a name, which load nothing.
    assertThat(answer.body().replace(LESSONS, "").replace("http://www.w3.org/2000/svg", ""))
        .doesNotContain("https://", "http://");
  }

  @Test
  void url_isOfTheLoopbackAddress() {
    assertThat(start(LiveView.builder()).url().getHost()).isEqualTo("127.0.0.1");
  }

  @Test
  void incident_isServed_ifTheProgramNamesOne(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("incident.bin"), "client-go incident 1\n");
    LiveView view = start(LiveView.builder().incident(file));

    assertThat(get(view, "incident.bin").body()).isEqualTo("client-go incident 1\n");
    Files.delete(file);
    assertThat(get(view, "incident.bin").statusCode()).isEqualTo(500);
    assertThat(get(start(LiveView.builder()), "incident.bin").statusCode()).isEqualTo(204);
  }

  @Test
  void start_portTaken_saysWhatToDo() {
    int taken = start(LiveView.builder()).url().getPort();

    assertThatIllegalStateException()
        .isThrownBy(() -> LiveView.builder().port(taken).start())
        .withMessageContaining(taken + ": ")
        .withMessageContaining("choose another port");
  }

  @Test
  void command_readOnly_isRefused() throws Exception {
    LiveView view = start(LiveView.builder());

    HttpResponse<String> answer = command(view, "pause?stage=pop");

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("read-only");
    assertThat(picture(view)).containsEntry("control", false).doesNotContainKey("actions");
  }

  /** Another site's page can post a form, but cannot add the header. */
  @Test
  void command_withoutTheHeader_isRefused() throws Exception {
    assertThat(post(start(LiveView.builder().allowControl()), "pause?stage=pop").statusCode())
        .isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource({
    "pause, stage",
    "pause?stage=none, none",
    "fly, /fly",
    "action?id=none, none",
    "play?scene=none, none"
  })
  void command_unknown_saysWhat(String path, String part) throws Exception {
    HttpResponse<String> answer = command(start(LiveView.builder().allowControl()), path);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(part);
  }

  @Test
  void lease_isInThePicture_untilItIsForgotten() throws Exception {
    LiveView view = start(LiveView.builder());

    view.lease("a", "", Duration.ofSeconds(12), Duration.ofSeconds(15));

    assertThat(in(view, "lease", "holder")).isEqualTo("a");
    assertThat(in(view, "lease", "leader")).isEqualTo("");
    assertThat(in(view, "lease", "age")).isEqualTo(12L);
    view.forget();
    assertThat((Map<?, ?>) in(view, "lease")).isEmpty();
  }

  @Test
  void action_thatFails_isReported() throws Exception {
    LiveView view =
        start(
            LiveView.builder()
                .allowControl()
                .action(
                    "fail",
                    new Text("fail", "失败"),
                    new Text("Fails.", "失败。"),
                    key -> {
                      throw new IOException("no disk space for " + key.orElse("nothing"));
                    }));

    HttpResponse<String> answer = command(view, "action?id=fail&key=default%2Fweb");

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).contains("no disk space for default/web");
  }

  /** A site whose name was made to lead to the loopback address reads nothing. */
  @ParameterizedTest
  @CsvSource({"evil.example, 403", "localhost, 200", "127.0.0.1, 200"})
  void request_toAnotherHost_isRefused(String host, int status) throws Exception {
    URI url = start(LiveView.builder()).url();

    try (Socket socket = new Socket(url.getHost(), url.getPort())) {
      socket.setSoTimeout((int) SOON.toMillis());
      String request =
          "GET /picture HTTP/1.1\r\nHost: "
              + host
              + ":"
              + url.getPort()
              + "\r\n"
              + "Connection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);

      assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
    }
  }

  @Test
  void events_streamPictures() throws Exception {
    LiveView view = start(LiveView.builder());
    HttpRequest request = HttpRequest.newBuilder(view.url().resolve("events")).build();

    try (Stream<String> lines = http.send(request, BodyHandlers.ofLines()).body()) {
      view.queue("pods").added("default/web");
      Optional<String> shown =
          lines
              .filter(line -> line.startsWith("data: ") && line.contains("default/web"))
              .findFirst();

      assertThat(shown).isPresent();
    }
  }

  // ---- the picture

  private static final ResourceType<Unstructured> PODS =
      Unstructured.type(new GroupVersionKind("", "v1", "Pod"), "pods", true);

  private static final ResourceType<Unstructured> SECRETS =
      Unstructured.type(new GroupVersionKind("", "v1", "Secret"), "secrets", true);

  @SuppressWarnings("unchecked") // An object of JSON.
  private Map<String, Object> picture(LiveView view) throws Exception {
    return (Map<String, Object>)
        JsonCodecs.TREE.read(RawJson.of(get(view, "picture").body()).reader());
  }

  /** Returns a value below the picture: names of fields, and positions in lists. */
  private Object in(LiveView view, Object... path) throws Exception {
    Object value = picture(view);
    for (Object step : path) {
      value = step instanceof Integer i ? ((List<?>) value).get(i) : ((Map<?, ?>) value).get(step);
    }
    return value;
  }

  private static Unstructured object(String kind, String version, String field, Object value) {
    return Unstructured.of(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            kind,
            "metadata",
            Map.of("namespace", "default", "name", "a", "resourceVersion", version),
            field,
            value));
  }

  private static SharedIndexInformer<Unstructured> informer(boolean useDeltaFIFO) {
    return SharedIndexInformer.builder(
            ListWatch.<Unstructured>of(
                (options, context, sink) -> ListMeta.builder().build(),
                (options, context) -> {
                  throw new IllegalStateException("not started");
                }))
        .name("pods")
        .useDeltaFIFO(useDeltaFIFO)
        .build();
  }

  @Test
  void history_ofASecret_hidesItsValues() throws Exception {
    LiveView view = start(LiveView.builder());
    InformerObserver<Unstructured> observer = view.informer(SECRETS);
    Unstructured before = object("Secret", "1", "data", Map.of("password", "aGlkZGVu"));
    Unstructured after = object("Secret", "2", "data", Map.of("password", "c2VjcmV0"));

    observer.stored("default/a", null, before);
    observer.stored("default/a", before, after);

    assertThat(get(view, "object?key=default/a").body())
        .contains(
            "data.password", "(hidden)", "\"before\":\"\\\"1\\\"\"", "\"after\":\"\\\"2\\\"\"")
        .doesNotContain("aGlkZGVu", "c2VjcmV0");
  }

  /** As one text, the metadata would be cut at the resourceVersion. */
  @Test
  void history_ofANewObject_hasEachFieldByItself() throws Exception {
    LiveView view = start(LiveView.builder());
    Unstructured pod = object("Pod", "7", "spec", Map.of("nodeName", "node-1", "empty", Map.of()));
    InformerObserver<Unstructured> observer = view.informer(PODS);

    observer.stored("default/a", null, pod);
    observer.stored("default/a", pod, null);

    assertThat(get(view, "object?key=default/a").body())
        .contains(
            "{\"path\":\"metadata.resourceVersion\",\"after\":\"\\\"7\\\"\"}",
            "{\"path\":\"metadata.resourceVersion\",\"before\":\"\\\"7\\\"\"}",
            "{\"path\":\"spec.empty\",\"after\":\"{}\"}",
            "{\"path\":\"spec.nodeName\",\"after\":\"\\\"node-1\\\"\"}");
  }

  @Test
  void error_ofTheServer_isShownWithItsCode() throws Exception {
    LiveView view = start(LiveView.builder());

    view.informer(PODS)
        .received(new WatchEvent.Failed<>(ApiStatusException.resourceExpired("too old")));

    assertThat(in(view, "informers", 0, "frames", 0, "key")).isEqualTo("410 Expired: too old");
  }

  @Test
  void steps_aboveTheRate_areCountedAndToldAsLeftOut() throws Exception {
    FakeClock clock = FakeClock.create();
    LiveView view = start(LiveView.builder().clock(clock));
    InformerObserver<Unstructured> observer = view.informer(PODS);
    Unstructured pod = object("Pod", "1", "spec", Map.of());

    for (int i = 0; i < 500; i++) {
      observer.stored("default/a", pod, pod);
    }
    assertThat(in(view, "log", "total")).isEqualTo(500L);
    assertThat(in(view, "log", "skipped")).isEqualTo(500L - StepLog.PER_SECOND);
    assertThat(in(view, "log", "counts", "stored")).isEqualTo(500L);

    clock.advance(Duration.ofSeconds(1));
    observer.stored("default/a", pod, pod);
    assertThat(in(view, "log", "rate")).isEqualTo(500L);
    assertThat(in(view, "log", "skipped")).isEqualTo(500L - StepLog.PER_SECOND);
  }

  /** Otherwise each informer that a program replaces would keep its cache. */
  @Test
  void informer_thatHasEnded_leavesThePageWithTheNextOne() throws Exception {
    LiveView view = start(LiveView.builder());
    SharedIndexInformer<Unstructured> first = informer(false);
    view.informer(PODS).started(first);
    view.informer(SECRETS);
    assertThat((List<?>) in(view, "informers")).hasSize(2);

    first.close();
    assertThat(in(view, "informers", 0, "state")).isEqualTo("STOPPED");

    view.informer(PODS);
    assertThat((List<?>) in(view, "informers")).hasSize(2);
    assertThat(in(view, "informers", 0, "name")).isEqualTo("secrets");
  }

  @Test
  void observer_ofAnotherInformer_hasNoErrorOfTheFirst() throws Exception {
    LiveView view = start(LiveView.builder());
    InformerObserver<Unstructured> observer = view.informer(PODS);
    observer.started(informer(false));
    observer.failed(new IllegalStateException("no server"));

    observer.started(informer(false));

    assertThat(in(view, "informers", 0, "error")).isEqualTo("");
  }

  @ParameterizedTest
  @CsvSource({"false, 3", "true, 2"})
  void queue_ofDeltas_isShownAsItIs(boolean useDeltaFIFO, int entries) throws Exception {
    LiveView view = start(LiveView.builder());
    InformerObserver<Unstructured> observer = view.informer(PODS);
    observer.started(informer(useDeltaFIFO));
    Unstructured pod = object("Pod", "1", "spec", Map.of());
    Delta<Unstructured> first = new Delta.Added<>("default/a", pod);
    Delta<Unstructured> second = new Delta.Added<>("default/b", pod);
    Delta<Unstructured> third = new Delta.Updated<>("default/a", pod);

    List.of(first, second, third).forEach(observer::queued);
    assertThat(in(view, "informers", 0, "queue", "size")).isEqualTo(3L);
    assertThat((List<?>) in(view, "informers", 0, "queue", "items")).hasSize(entries);
    assertThat(in(view, "informers", 0, "queue", "entries")).isEqualTo((long) entries);

    observer.popped(useDeltaFIFO ? List.of(first, third) : List.of(first, second));
    assertThat(in(view, "informers", 0, "queue", "size")).isEqualTo(1L);
    assertThat(in(view, "informers", 0, "queue", "entries")).isEqualTo(1L);
    assertThat(in(view, "informers", 0, "queue", "items", 0, "key"))
        .isEqualTo(useDeltaFIFO ? "default/b" : "default/a");
  }

  @Test
  void queue_ofADeltaFIFO_thatDroppedADeletion_isStillRight() throws Exception {
    LiveView view = start(LiveView.builder());
    InformerObserver<Unstructured> observer = view.informer(PODS);
    observer.started(informer(true));
    Unstructured pod = object("Pod", "1", "spec", Map.of());
    Delta<Unstructured> added = new Delta.Added<>("default/a", pod);

    observer.queued(added);
    observer.popped(List.of(added, new Delta.Updated<>("default/a", pod)));

    assertThat(in(view, "informers", 0, "queue", "size")).isEqualTo(0L);
  }

  /** Two deletions in a row: the queue has the first one, and the later one takes its place. */
  @Test
  void queue_ofADeltaFIFO_thatReplacedADeletion_isEmptyAfterwards() throws Exception {
    LiveView view = start(LiveView.builder());
    InformerObserver<Unstructured> observer = view.informer(PODS);
    observer.started(informer(true));
    Unstructured pod = object("Pod", "1", "spec", Map.of());

    observer.queued(new Delta.Deleted<>(DeletedObject.ofUnknownFinalState("default/a", null)));
    observer.popped(List.of(new Delta.Deleted<>(DeletedObject.of("default/a", pod))));

    assertThat(in(view, "informers", 0, "queue", "size")).isEqualTo(0L);
    assertThat((List<?>) in(view, "informers", 0, "queue", "items")).isEmpty();
  }

  @Test
  void server_isShownWithItsObjects_andWritesAreSteps() throws Exception {
    LiveView view =
        start(LiveView.builder().server(() -> new ServerState("7", Map.of("default/a", "6"), 1)));

    view.written("pods", "update", "default/a", "409 Conflict");

    assertThat(in(view, "server", "version")).isEqualTo("7");
    assertThat(in(view, "server", "objects", 0))
        .isEqualTo(Map.of("key", "default/a", "version", "6"));
    assertThat(in(view, "log", "steps", 0, "what")).isEqualTo("update → 409 Conflict");
  }

  @Test
  void workQueue_isShownWithItsSets() throws Exception {
    FakeClock clock = FakeClock.create();
    LiveView view = start(LiveView.builder().clock(clock));
    QueueObserver queue = view.queue("pods");

    queue.added("a");
    queue.got("a");
    queue.added("a");
    queue.alreadyAdded("a");
    queue.added("b");
    queue.delayed("c", Duration.ofSeconds(2));
    queue.delayed("c", Duration.ofSeconds(3));

    assertThat(in(view, "queues", 0, "dirty", "size")).isEqualTo(2L);
    assertThat(in(view, "queues", 0, "queue", "items", 0, "key")).isEqualTo("b");
    assertThat(in(view, "queues", 0, "processing", "items", 0, "key")).isEqualTo("a");
    assertThat(in(view, "queues", 0, "waiting", "items", 0, "ms")).isEqualTo(2000L);
    assertThat(in(view, "queues", 0, "waiting", "items", 0, "times")).isEqualTo(2L);
    assertThat(in(view, "queues", 0, "merged")).isEqualTo(1L);

    queue.due("c");
    queue.added("c");
    queue.done("a");
    queue.forgotten("c");
    assertThat(in(view, "queues", 0, "queue", "size")).isEqualTo(3L);
    assertThat(in(view, "queues", 0, "processing", "size")).isEqualTo(0L);
    assertThat(in(view, "queues", 0, "waiting", "size")).isEqualTo(0L);

    queue.shutDown(true);
    assertThat(in(view, "queues", 0, "queue", "size")).isEqualTo(0L);
  }

  /** Workers forget an item after each success, and delay it after a failure. */
  @Test
  void workQueue_countsTheFailuresOfItsWorkers() throws Exception {
    LiveView view = start(LiveView.builder());
    QueueObserver queue = view.queue("pods");

    queue.added("failed");
    queue.got("failed");
    queue.delayed("failed", Duration.ofSeconds(2));
    queue.done("failed");
    assertThat(in(view, "queues", 0, "failed")).isEqualTo(1L);

    queue.added("succeeded");
    queue.got("succeeded");
    queue.forgotten("succeeded");
    queue.delayed("succeeded", Duration.ofSeconds(2)); // The reconcile asks for it.
    queue.done("succeeded");
    queue.added("final failure");
    queue.got("final failure");
    queue.done("final failure");
    assertThat(in(view, "queues", 0, "done")).isEqualTo(3L);
    assertThat(in(view, "queues", 0, "failed")).isEqualTo(2L);
  }

  /** A queue without a rate limiter never forgets, so the page knows of no failure. */
  @Test
  void workQueue_thatForgetsNothing_hasNoFailures() throws Exception {
    LiveView view = start(LiveView.builder());
    QueueObserver queue = view.queue("pods");

    queue.added("a");
    queue.got("a");
    queue.done("a");

    assertThat(in(view, "queues", 0, "failed")).isEqualTo(0L);
  }

  @Test
  void workQueue_itemAddedWhileAWorkerHasIt_isQueuedAgainByDone() throws Exception {
    LiveView view = start(LiveView.builder());
    QueueObserver queue = view.queue("pods");

    queue.added("a");
    queue.got("a");
    queue.added("a");
    queue.forgotten("a");
    queue.done("a");

    assertThat((List<?>) in(view, "log", "steps"))
        .map(step -> ((Map<?, ?>) step).get("what"))
        .map(String::valueOf)
        .containsExactly(
            "add", "enters the queue", "get", "add", "forget", "done", "enters the queue");
  }

  // ---- stages and scenes

  @Test
  void stage_paused_letsOneThreadPassAtEachStep() throws Exception {
    LiveView view = start(LiveView.builder().allowControl());
    InformerObserver<Unstructured> observer = view.informer(PODS);
    command(view, "pause?stage=receive");
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch second = new CountDownLatch(1);
    WatchEvent<Unstructured> event = new WatchEvent.Bookmark<>("1", false);
    Thread reflector =
        new Thread(
            () -> {
              try {
                observer.received(event);
                first.countDown();
                observer.received(event);
                second.countDown();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    reflector.start();
    while (!in(view, "stages", "receive", "waiting").equals(1L)) {
      Thread.onSpinWait();
    }
    assertThat(first.getCount()).isEqualTo(1);

    command(view, "step?stage=receive");
    assertThat(first.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    while (!in(view, "stages", "receive", "waiting").equals(1L)) {
      Thread.onSpinWait();
    }
    assertThat(second.getCount()).isEqualTo(1);

    view.close(); // Lets all continue.
    assertThat(second.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    reflector.join(SOON.toMillis());
  }

  @Test
  void scene_played_showsEachTextAfterItsStep() throws Exception {
    List<String> ran = new ArrayList<>();
    Scene scene =
        new Scene(
            "two",
            new Text("Two", "二"),
            List.of(
                new Scene.Step(
                    new Text("first", "一"), Set.of(Part.STORE, Part.FIFO), () -> ran.add("first")),
                new Scene.Step(
                    new Text("second", "二"),
                    Set.of(),
                    () -> {
                      throw new IOException("no disk space");
                    })));
    LiveView view = start(LiveView.builder().allowControl().scene(scene));

    command(view, "play?scene=two&auto=false");
    awaitScene(view, "step", 1L);
    assertThat(in(view, "scene", "text", "zh")).isEqualTo("一");
    assertThat(in(view, "scene", "about")).isEqualTo(List.of("fifo", "store"));
    assertThat(ran).containsExactly("first");

    command(view, "next");
    awaitScene(view, "running", false);
    assertThat((String) in(view, "scene", "error")).contains("no disk space");

    command(view, "stop");
    assertThat((Map<?, ?>) in(view, "scene")).isEmpty();
  }

  @Test
  void scene_playingByItself_goesOnAfterATimeToRead() throws Exception {
    FakeClock clock = FakeClock.create();
    List<Scene.Step> steps = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      steps.add(new Scene.Step(new Text("text", "文"), Set.of(), () -> {}));
    }
    Scene scene = new Scene("two", new Text("Two", "二"), steps);
    LiveView view = start(LiveView.builder().allowControl().scene(scene).clock(clock));

    command(view, "play?scene=two&auto=true");
    awaitScene(view, "step", 1L);
    clock.awaitWaiters(1);
    clock.advance(ScenePlayer.READING);

    awaitScene(view, "running", false);
    assertThat(in(view, "scene", "step")).isEqualTo(2L);
  }

  private void awaitScene(LiveView view, String field, Object value) throws Exception {
    while (!value.equals(in(view, "scene", field))) {
      Thread.onSpinWait();
    }
  }
}
