package dev.clientgo.liveview;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.InformerObserver;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.testing.Eventually;
import dev.clientgo.workqueue.QueueObserver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No page looks well while no picture comes, whatever the functions of the program do. */
@Timeout(120)
final class PicturesTest {

  private static final ResourceType<Unstructured> PODS =
      Unstructured.type(new GroupVersionKind("", "v1", "Pod"), "pods", true);

  private static final ResourceType<Unstructured> SECRETS =
      Unstructured.type(new GroupVersionKind("", "v1", "Secret"), "secrets", true);

  private final FakeClock clock = FakeClock.create();
  private final CountDownLatch hang = new CountDownLatch(1);
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    hang.countDown();
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private LiveView start(LiveView.Builder builder) {
    LiveView view = builder.clock(clock).start();
    open.add(view);
    return view;
  }

  private String get(LiveView view, String path) throws Exception {
    return http.send(
            HttpRequest.newBuilder(view.url().resolve(path)).build(), BodyHandlers.ofString())
        .body();
  }

  private BufferedReader events(LiveView view) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(view.url().resolve("events")).build();
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(http.send(request, BodyHandlers.ofInputStream()).body(), UTF_8));
    open.add(0, lines);
    return lines;
  }

  private static String next(BufferedReader lines, String part) throws IOException {
    String line = lines.readLine();
    while (!line.contains(part)) {
      line = lines.readLine();
    }
    return line;
  }

  /** Lets seconds pass until the stream has a line with that part. */
  private String nextAfterSeconds(BufferedReader lines, String part) throws Exception {
    Thread seconds = new Thread(this::passSeconds, "seconds");
    seconds.start();
    try {
      return next(lines, part);
    } finally {
      seconds.interrupt();
      seconds.join(30_000);
    }
  }

  private void passSeconds() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        clock.awaitWaiterWithin(Duration.ofSeconds(10));
        clock.advance(Duration.ofSeconds(1));
      }
    } catch (InterruptedException | IllegalStateException e) {
      Thread.currentThread().interrupt();
    }
  }

  // ---- functions of the program

  @Test
  void supplierOfTheServer_thatHangs_isToldToThePage() throws Exception {
    LiveView view = start(LiveView.builder().server(hangingFromTheSecondCall()));
    BufferedReader lines = events(view);
    next(lines, "\"log\"");

    // Before that, the picture may be late because its thread has not run since the clock moved.
    assertThat(nextAfterSeconds(lines, "\"server\":true")).contains("\"seconds\"");
  }

  private Supplier<ServerState> hangingFromTheSecondCall() {
    AtomicInteger calls = new AtomicInteger();
    return () -> {
      if (calls.incrementAndGet() > 1) {
        awaitQuietly(hang);
      }
      return new ServerState("1", Map.of(), 0);
    };
  }

  /** For a page that is opened while the thread of the pictures hangs. */
  @Test
  void picture_thatIsOldWhenItIsSent_hasItsAge() throws Exception {
    LiveView view = start(LiveView.builder().server(hangingFromTheSecondCall()));
    PictureFeed feed = new PictureFeed(view, clock);
    feed.join();
    feed.next(0);
    clock.awaitWaiterWithin(Duration.ofSeconds(1));
    clock.advance(Duration.ofSeconds(1));
    Eventually.await("a supplier that hangs", view::asksServer);
    clock.advance(Duration.ofMinutes(1));

    assertThat(feed.next(0).text()).contains("\"log\"", "{\"seconds\":61,\"server\":true}");
    feed.leave();
  }

  @Test
  void supplierOfTheServer_thatInterruptsItsThread_stopsNoPicture() throws Exception {
    LiveView view =
        start(
            LiveView.builder()
                .server(
                    () -> {
                      Thread.currentThread().interrupt();
                      return new ServerState("1", Map.of(), 0);
                    }));
    BufferedReader lines = events(view);
    next(lines, "\"log\"");

    view.queue("later");

    assertThat(nextAfterSeconds(lines, "later")).startsWith("data: ");
  }

  @Test
  void informer_thatThrows_isToldToThePage() throws Exception {
    LiveView view = start(LiveView.builder());
    InformerObserver<Unstructured> observer = view.informer(PODS);
    AtomicInteger calls = new AtomicInteger();
    observer.started(
        informer(
            name -> {
              if (name.equals("name")) {
                return "pods";
              }
              calls.incrementAndGet();
              throw new StackOverflowError("too deep");
            }));

    assertThat(next(events(view), "failure")).contains("too deep");
    assertThat(calls.get()).isPositive();
  }

  private interface Answers {
    Object answer(String method);
  }

  @SuppressWarnings("unchecked") // A proxy of the interface without its parameter.
  private static InformerObserver.Informer<Unstructured> informer(Answers answers) {
    return (InformerObserver.Informer<Unstructured>)
        Proxy.newProxyInstance(
            PicturesTest.class.getClassLoader(),
            new Class<?>[] {InformerObserver.Informer.class},
            (proxy, method, arguments) -> answers.answer(method.getName()));
  }

  @Test
  void itemOfAQueue_whoseTextThrows_hidesNothingElse() throws Exception {
    LiveView view = start(LiveView.builder());
    QueueObserver queue = view.queue("pods");

    queue.added(
        new Object() {
          @Override
          public String toString() {
            throw new IllegalStateException("no text");
          }
        });
    queue.added("default/web");

    assertThat(get(view, "picture"))
        .contains("IllegalStateException", "default/web", "\"total\":4");
  }

  @Test
  void text_ofAnyLength_isShortened() throws Exception {
    LiveView view = start(LiveView.builder());

    view.queue("pods").added("long".repeat(100_000));

    assertThat(get(view, "picture").length()).isLessThan(10_000);
  }

  @Test
  void item_delayedAgainAfterItsLife_isNotARetry() throws Exception {
    LiveView view = start(LiveView.builder());
    QueueObserver queue = view.queue("pods");
    for (int i = 0; i < 2; i++) {
      queue.delayed("a", Duration.ofSeconds(1));
      queue.due("a");
      queue.added("a");
      queue.got("a");
      queue.done("a");
    }

    queue.delayed("a", Duration.ofSeconds(1));

    assertThat(get(view, "picture")).contains("\"times\":1");
  }

  @Test
  void action_thatHangs_isNamedToTheNextOne() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    LiveView view =
        start(
            LiveView.builder()
                .allowControl()
                .action(
                    "hang",
                    new Text("hang", "挂起"),
                    new Text("Hangs.", "挂起。"),
                    key -> {
                      begun.countDown();
                      hang.await();
                    })
                .action("other", new Text("other", "其他"), new Text("Nothing.", "无。"), key -> {}));
    Thread hanging = new Thread(() -> actQuietly(view));
    hanging.start();
    begun.await(30, TimeUnit.SECONDS);
    Thread seconds = new Thread(this::passSeconds, "seconds");
    seconds.start();

    assertThatIllegalStateException()
        .isThrownBy(() -> view.act("other", Optional.empty()))
        .withMessageContaining("\"hang\" is still running");
    seconds.interrupt();
    seconds.join(30_000);
    hang.countDown();
    hanging.join(30_000);
  }

  private static void actQuietly(LiveView view) {
    try {
      view.act("hang", Optional.empty());
    } catch (Exception e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A step that takes no notice of an interrupt is the last one of a scene that was stopped. */
  @Test
  void scene_stoppedInAStep_playsNoFurther_andTheNextOneWaitsForIt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    List<String> ran = new ArrayList<>();
    Text text = new Text("text", "文");
    Scene first =
        new Scene(
            "first",
            text,
            List.of(
                new Scene.Step(
                    text,
                    () -> {
                      begun.countDown();
                      boolean hangs = true;
                      while (hangs) {
                        try {
                          hang.await();
                          hangs = false;
                        } catch (InterruptedException e) {
                          ran.add("interrupted");
                        }
                      }
                    }),
                new Scene.Step(text, () -> ran.add("second step"))));
    Scene other =
        new Scene("other", text, List.of(new Scene.Step(text, () -> ran.add("other scene"))));
    ScenePlayer player = new ScenePlayer(List.of(first, other), clock);
    player.play("first", true);
    begun.await(30, TimeUnit.SECONDS);
    Thread seconds = new Thread(this::passSeconds, "seconds");
    seconds.start();

    assertThatIllegalStateException().isThrownBy(() -> player.play("other", false));
    seconds.interrupt();
    seconds.join(30_000);
    assertThat(ran).doesNotContain("other scene", "second step");

    hang.countDown();
    player.play("other", false);
    while (!Boolean.FALSE.equals(player.tree().get("running"))) {
      Thread.onSpinWait();
    }
    assertThat(ran).contains("other scene").doesNotContain("second step");
  }

  // ---- what it shows

  /** All handlers made of functions are of one class. One that hangs must not look idle. */
  @Test
  @SuppressWarnings("unchecked") // Objects of JSON.
  void handlers_ofOneClass_haveABoxEach() throws Exception {
    LiveView view = start(LiveView.builder());
    CountDownLatch called = new CountDownLatch(2);
    SharedIndexInformer<Unstructured> informer =
        SharedIndexInformer.builder(
                ListWatch.<Unstructured>of(
                    (options, context, sink) -> {
                      sink.accept(object("Pod", "a", Map.of("resourceVersion", "1")));
                      return ListMeta.builder().resourceVersion("1").build();
                    },
                    (options, context) -> {
                      if (!Boolean.TRUE.equals(options.sendInitialEvents())) {
                        hang.await();
                      }
                      throw ApiStatusException.badRequest("no watch");
                    }))
            .name("pods")
            .observer(view.informer(PODS))
            .build();
    open.add(informer);
    informer.addEventHandler(
        handler ->
            handler.onAdd(
                pod -> {
                  called.countDown();
                  awaitQuietly(hang);
                }));
    informer.addEventHandler(handler -> handler.onAdd(pod -> called.countDown()));
    informer.start();
    assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
    Eventually.await("the end of a call", () -> view.tree().toString().contains("calls=1"));

    Map<String, Object> shown =
        (Map<String, Object>) ((List<Object>) view.tree().get("informers")).get(0);
    List<Map<String, Object>> listeners = (List<Map<String, Object>>) shown.get("listeners");

    assertThat(listeners).hasSize(2);
    assertThat(listeners.get(0).get("current").toString()).contains("default/a");
    assertThat(listeners.get(1)).containsEntry("calls", 1L).containsEntry("current", Map.of());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The page knows the first 30 objects only; the count is of all. */
  @Test
  void store_thatLacksObjectsBeyondTheFirst_isNotAsOnTheServer() throws Exception {
    Map<String, String> versions = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      versions.put("default/pod-" + i, "5");
    }
    List<Unstructured> store = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      store.add(object("Pod", "pod-" + i, Map.of("resourceVersion", i < 590 ? "5" : "4")));
    }
    store.add(object("Pod", "gone", Map.of("resourceVersion", "3")));

    assertThat(InformerView.differences(versions, store)).isEqualTo(400 + 10 + 1);
  }

  /** kubectl apply writes the values of a Secret into an annotation. */
  @Test
  void history_ofASecret_hidesItsAnnotations() throws Exception {
    LiveView view = start(LiveView.builder());
    InformerObserver<Unstructured> observer = view.informer(SECRETS);
    String applied = "kubectl.kubernetes.io/last-applied-configuration";
    Unstructured before = object("Secret", "a", Map.of("annotations", Map.of(applied, "b2xk")));
    Unstructured after = object("Secret", "a", Map.of("annotations", Map.of(applied, "bmV3")));

    observer.stored("default/a", before, after);
    observer.stored("default/a", object("Secret", "a", Map.of()), after);

    assertThat(get(view, "object?key=default/a"))
        .contains("metadata.annotations", "(hidden)")
        .doesNotContain("b2xk", "bmV3");
  }

  private static Unstructured object(String kind, String name, Map<String, Object> metadata) {
    Map<String, Object> all = new HashMap<>(metadata);
    all.put("namespace", "default");
    all.put("name", name);
    return Unstructured.of(Map.of("apiVersion", "v1", "kind", kind, "metadata", all));
  }

  // ---- memory

  /** 200 objects of 500 kB change 10 times in a program with 64 MB. */
  @Test
  void history_ofLargeObjects_leavesTheMemoryToTheProgram() throws Exception {
    Process program =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx64m",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                LargeObjects.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(program.getInputStream().readAllBytes(), UTF_8);

    assertThat(program.waitFor()).as(output).isZero();
  }

  /** The program of that test. */
  static final class LargeObjects {

    private LargeObjects() {}

    /** Stores objects. */
    public static void main(String[] arguments) {
      ObjectHistory<String> history = new ObjectHistory<>(FakeClock.create());
      for (int change = 0; change < 10; change++) {
        for (int object = 0; object < 200; object++) {
          history.step("default/" + object, "stored", null, "x".repeat(500_000));
        }
      }
      if (history.tree("default/199", (before, after) -> List.of()).isEmpty()) {
        throw new IllegalStateException("nothing is remembered");
      }
    }
  }
}
