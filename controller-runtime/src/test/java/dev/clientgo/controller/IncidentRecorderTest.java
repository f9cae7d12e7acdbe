package dev.clientgo.controller;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.IncidentReplay.Outcome;
import dev.clientgo.controller.IncidentReplay.Replayed;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.events.FakeRecorder;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.kubernetes.core.v1.ServicePort;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The recorder of incidents: its bounds, its secrets, its failures, its files. */
@Timeout(120)
final class IncidentRecorderTest {

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final RESTClient rest = RESTClient.create(server.restConfig());
  private final LinkedBlockingQueue<String> done = new LinkedBlockingQueue<>();

  @TempDir Path folder;

  @BeforeEach
  void create() throws InterruptedException {
    rest.resource(ConfigMap.TYPE)
        .create(ConfigMap.of("default", "a", c -> c.data(Map.of("key", "value"))));
  }

  @AfterEach
  void close() {
    rest.close();
    server.close();
  }

  private static final Bytes PORT = Bytes.ofUtf8("5432");

  /** Code of a reconciler. */
  private interface Body {
    void run(Context context) throws Exception;
  }

  private Controller controller(Body body) {
    return Controller.builder(
            (request, context) -> {
              try {
                body.run(context);
                return Result.done();
              } finally {
                done.add(request.name());
              }
            })
        .named("test")
        .channel()
        .build();
  }

  private ManagerBuilder manager(IncidentRecorder recorder) {
    return Manager.builder(rest).incidents(recorder).events(controller -> FakeRecorder.create());
  }

  /** Reconciles that many requests, and returns what is recorded. */
  private Path record(IncidentRecorder recorder, int times, Body body) throws Exception {
    try (Manager manager = manager(recorder).build()) {
      Controller controller = controller(body);
      manager.add(controller);
      manager.start();
      for (int i = 0; i < times; i++) {
        controller.enqueue(new Request("default", "r" + i));
        assertThat(done.poll(60, TimeUnit.SECONDS)).isNotNull();
      }
    }
    Path file = folder.resolve("incident.bin");
    recorder.writeTo(file);
    return file;
  }

  private List<Replayed> replay(Path file, Body body) throws IOException {
    try (IncidentReplay replay = IncidentReplay.of(file, controller(body))) {
      return replay.run();
    }
  }

  // ---- bounds

  @Test
  void ring_keepsTheLastReconciles_inItsBytes() throws Exception {
    IncidentRecorder recorder = IncidentRecorder.builder().bytes(1 << 16).build();
    Body body = context -> context.client().resource(ConfigMap.TYPE).list();

    Path file = record(recorder, 500, body);

    assertThat(replay(file, body))
        .hasSizeBetween(20, 130)
        .allMatch(each -> each.outcome() == Outcome.SAME)
        .last()
        .matches(each -> each.request().name().equals("r499"));
    assertThat(recorder.toString()).containsPattern("bytes=[1-6]\\d{4},").contains("failures=0");
  }

  @Test
  void aReconcile_ofTooManyCalls_isKeptUpToThere() throws Exception {
    IncidentRecorder recorder = IncidentRecorder.builder().bytes(1 << 20).build();
    Body body =
        context -> {
          CachedResource<ConfigMap> maps =
              context.client().resource(ConfigMap.TYPE).inNamespace("default");
          for (int i = 0; i < 100_000; i++) {
            maps.find("a");
          }
        };

    assertThat(replay(record(recorder, 1, body), body))
        .singleElement()
        .matches(each -> each.outcome() == Outcome.NOT_REPLAYABLE);
  }

  @Test
  void aHugeObject_isNotKept() throws Exception {
    rest.resource(ConfigMap.TYPE)
        .create(ConfigMap.of("default", "huge", c -> c.data(Map.of("a", "x".repeat(500_000)))));
    IncidentRecorder recorder = IncidentRecorder.builder().bytes(1 << 20).build();
    Body body =
        context -> context.client().resource(ConfigMap.TYPE).inNamespace("default").get("huge");

    assertThat(replay(record(recorder, 3, body), body)).allMatch(each -> !each.message().isEmpty());
    assertThat(Files.size(folder.resolve("incident.bin"))).isLessThan(10_000);
  }

  // ---- hostile code

  /** The codec of a type of the program, with some code before each write. */
  private static final class BadCodec implements JsonCodec<ConfigMap> {
    private volatile Runnable beforeWrite = () -> {};

    @Override
    public ConfigMap read(JsonReader in) {
      return ConfigMap.CODEC.read(in);
    }

    @Override
    public void write(JsonWriter out, ConfigMap value) {
      beforeWrite.run();
      ConfigMap.CODEC.write(out, value);
    }
  }

  /** An error that has no text. */
  private static final class BadError extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("of a message");
    }
  }

  @Test
  void codecsAndErrorsThatFail_failNoReconcile_andAreCounted() throws Exception {
    BadCodec codec = new BadCodec();
    codec.beforeWrite =
        () -> {
          throw new StackOverflowError("of a codec");
        };
    ResourceType<ConfigMap> bad =
        ResourceType.namespaced(ConfigMap.TYPE.kind(), "configmaps", codec);
    IncidentRecorder recorder = IncidentRecorder.create();
    LinkedBlockingQueue<Integer> read = new LinkedBlockingQueue<>();
    Body body =
        context -> {
          read.add(context.client().resource(bad).inNamespace("default").list().size());
          throw new BadError();
        };

    Path file = record(recorder, 2, body);

    assertThat(read).hasSizeGreaterThan(1).containsOnly(1);
    assertThat(replay(file, body))
        .isNotEmpty()
        .allMatch(each -> each.outcome() == Outcome.NOT_REPLAYABLE);
    assertThat(recorder.toString()).doesNotContain("failures=0");
  }

  @Test
  @Timeout(30)
  void aCodec_thatNeverReturns_holdsUpNoClose() throws Exception {
    BadCodec codec = new BadCodec();
    ResourceType<ConfigMap> bad =
        ResourceType.namespaced(ConfigMap.TYPE.kind(), "configmaps", codec);
    IncidentRecorder recorder =
        IncidentRecorder.builder().directory(folder.resolve("incidents"), 2).build();
    CountDownLatch released = new CountDownLatch(1);
    try (Manager manager = manager(recorder).gracefulShutdownTimeout(Duration.ZERO).build()) {
      Controller controller = controller(context -> context.client().resource(bad).list());
      manager.add(controller);
      manager.start();
      controller.enqueue(new Request("default", "r"));
      assertThat(done.poll(60, TimeUnit.SECONDS)).isNotNull();
      codec.beforeWrite = () -> assertThatCode(released::await).doesNotThrowAnyException();
    }

    assertThat(recorder.toString()).contains("failures=1");
    released.countDown();
  }

  @Test
  void callsOfOtherThreads_areRecorded_andThoseAfterTheEnd_areCounted() throws Exception {
    IncidentRecorder recorder = IncidentRecorder.create();
    CountDownLatch ended = new CountDownLatch(1);
    LinkedBlockingQueue<Object> late = new LinkedBlockingQueue<>();
    Body body =
        context -> {
          CachedResource<ConfigMap> maps =
              context.client().resource(ConfigMap.TYPE).inNamespace("default");
          Callable<Object> read = () -> maps.find("a").orElseThrow();
          FutureTask<Object> during = new FutureTask<>(read);
          new Thread(during).start();
          during.get();
          new Thread(
                  () -> {
                    try {
                      ended.await();
                      late.add(read.call());
                    } catch (Exception e) {
                      late.add(e);
                    }
                  })
              .start();
        };
    try (Manager manager = manager(recorder).build()) {
      Controller controller = controller(body);
      manager.add(controller);
      manager.start();
      controller.enqueue(new Request("default", "r"));
      done.take();
      Eventually.await("the end", () -> recorder.toString().contains("reconciles=1"));
      ended.countDown();
      assertThat(late.poll(60, TimeUnit.SECONDS)).isInstanceOf(ConfigMap.class);
    }

    assertThat(recorder.toString()).contains("lateCalls=1");
    recorder.writeTo(folder.resolve("incident.bin"));
    assertThat(IncidentText.of(folder.resolve("incident.bin"))).contains("\"manyThreads\":true");
  }

  @Test
  void aDump_whileReconcilesRun_isComplete() throws Exception {
    IncidentRecorder recorder = IncidentRecorder.builder().bytes(1 << 18).build();
    AtomicBoolean stops = new AtomicBoolean();
    try (Manager manager = manager(recorder).build()) {
      Controller controller =
          controller(context -> context.client().resource(ConfigMap.TYPE).list());
      manager.add(controller);
      manager.start();
      Thread load =
          new Thread(
              () -> {
                for (int i = 0; !stops.get(); i++) {
                  controller.enqueue(new Request("default", "r" + i % 100));
                }
              });
      load.start();
      for (int i = 0; i < 20; i++) {
        Path file = folder.resolve("incident.bin");
        recorder.writeTo(file);
        assertThat(replay(file, context -> context.client().resource(ConfigMap.TYPE).list()))
            .allMatch(each -> each.outcome() == Outcome.SAME);
      }
      stops.set(true);
      load.join();
    }
  }

  // ---- secrets

  @Test
  void noSecretLeaves_howeverItIsCopied() throws Exception {
    String password = "h\"unt\\er-2 ü";
    byte[] binary = {1, 2, 3, (byte) 0xff, 5, 6, 7, 8, 9};
    String inner =
        "{\"auths\":{\"r\":{\"auth\":\"dXNlcjpzM2NyZXQ=\",\"password\":\"s3cret-inner\"}}}";
    rest.resource(Secret.TYPE)
        .create(
            Secret.of(
                "default",
                "s",
                s ->
                    s.data(
                            Map.of(
                                "password", Bytes.ofUtf8(password),
                                "binary", Bytes.of(binary),
                                "digits", Bytes.ofUtf8("90817263"),
                                "token", Bytes.ofUtf8("label-value\n"),
                                "pem",
                                    Bytes.ofUtf8(
                                        "-----BEGIN-----\nfirst-line-of-key\nsecond-line-of-key\n"),
                                "json", Bytes.ofUtf8(inner)))
                        .editMetadata(
                            m ->
                                m.annotations(
                                    Map.of(
                                        "kubectl.kubernetes.io/last-applied-configuration",
                                        "{\"kind\":\"Secret\",\"stringData\":{\"password\":\"applied-pw\"}}")))));
    rest.resource(ConfigMap.TYPE)
        .create(ConfigMap.of("default", "c", c -> c.data(Map.of("configured", "field-secret"))));
    IncidentRecorder recorder = IncidentRecorder.builder().redact("data.configured").build();
    String base64 = Base64.getEncoder().encodeToString(password.getBytes(UTF_8));
    String within =
        Base64.getEncoder().encodeToString(("user:" + password + ":end").getBytes(UTF_8));

    Path file =
        record(
            recorder,
            1,
            context -> {
              CachedResource<ConfigMap> maps =
                  context.client().resource(ConfigMap.TYPE).inNamespace("default");
              CachedResource<Secret> secrets =
                  context.client().resource(Secret.TYPE).inNamespace("default");
              secrets.get("s");
              maps.get("c");
              maps.list(Selector.parse("token=label-value"));
              maps.create(
                  ConfigMap.of(
                      "default",
                      "copy",
                      c ->
                          c.data(
                              Map.of(
                                  "url",
                                  "jdbc:db?password=" + password,
                                  "base64",
                                  base64,
                                  "within",
                                  within,
                                  "json",
                                  "{\"p\":\""
                                      + password.replace("\\", "\\\\").replace("\"", "\\\"")
                                      + "\"}",
                                  "pem",
                                  "key: second-line-of-key",
                                  "inner",
                                  "s3cret-inner and dXNlcjpzM2NyZXQ=",
                                  "number",
                                  "90817263",
                                  "configured",
                                  "another-field"))));
              maps.patch(
                  "copy", Patch.merge("{\"data\":{\"configured\":\"patched-field\",\"n\":\"x\"}}"));
              secrets.patch(
                  "s",
                  Patch.json(
                      JsonPatch.builder().add("/data/more", "cGF0Y2hlZC1zZWNyZXQ=").build()));
              secrets.patch("s", Patch.merge("{\"stringData\":{\"even\":\"merged-secret\"}}"));
              context.client().uncached().resource(Secret.TYPE).list();
              throw new TerminalException("cannot log in with " + password, new RuntimeException());
            });

    String text = IncidentText.of(file);
    assertThat(text)
        .contains("redacted-")
        .doesNotContain("unt\\\\er-2", "er-2 ", base64, base64.replace("=", ""))
        .doesNotContain(within.substring(8, within.length() - 10))
        .doesNotContain(Base64.getEncoder().encodeToString(binary))
        .doesNotContain("90817263", "label-value", "first-line-of-key", "second-line-of-key")
        .doesNotContain("s3cret-inner", "dXNlcjpzM2NyZXQ", "applied-pw")
        .doesNotContain("field-secret", "another-field", "patched-field")
        .doesNotContain("cGF0Y2hlZC1zZWNyZXQ", "patched-secret", "merged-secret");
  }

  @Test
  void aCopyOfASecret_thatAnEvictedReconcileHasRead_isHidden_andEqualInEachFile() throws Exception {
    rest.resource(Secret.TYPE)
        .create(Secret.of("default", "s", s -> s.data(Map.of("p", Bytes.ofUtf8("swordfish")))));
    IncidentRecorder recorder = IncidentRecorder.builder().bytes(1 << 16).build();
    AtomicBoolean first = new AtomicBoolean(true);

    Path file =
        record(
            recorder,
            300,
            context -> {
              if (first.getAndSet(false)) {
                context.client().resource(Secret.TYPE).inNamespace("default").get("s");
              }
              context.client().resource(ConfigMap.TYPE).list(Selector.parse("p=swordfish"));
            });

    String text = IncidentText.of(file);
    assertThat(text).doesNotContain("swordfish").contains("p=redacted-");
    recorder.writeTo(file);
    assertThat(IncidentText.of(file)).isEqualTo(text);
  }

  // ---- files

  @Test
  void aFile_thatIsCutOrDamagedOrNewer_saysSo() throws Exception {
    Path file =
        record(
            IncidentRecorder.create(),
            3,
            context -> context.client().resource(ConfigMap.TYPE).list());
    byte[] whole = Files.readAllBytes(file);

    for (int length : new int[] {22, 40, whole.length / 2, whole.length - 9, whole.length - 1}) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> IncidentReplay.of(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the file ends too early");
    }
    byte[] damaged = whole.clone();
    damaged[whole.length / 2] ^= 0x55;
    Files.write(file, damaged);
    assertThatThrownBy(() -> IncidentReplay.of(file)).isInstanceOf(IOException.class);
    byte[] newer = whole.clone();
    newer["client-go incident ".length()] = '9';
    Files.write(file, newer);
    assertThatThrownBy(() -> IncidentReplay.of(file))
        .hasMessageContaining("another version than this library reads: 1");
    Files.write(file, "something else".getBytes(UTF_8));
    assertThatThrownBy(() -> IncidentReplay.of(file)).isInstanceOf(IOException.class);
  }

  @Test
  void theEndOfAManager_writesAFile_ofItsUserAlone_andOldOnesGo() throws Exception {
    Path directory = folder.resolve("incidents");
    for (int i = 0; i < 3; i++) {
      IncidentRecorder recorder = IncidentRecorder.builder().directory(directory, 2).build();
      record(recorder, 1, context -> context.client().resource(ConfigMap.TYPE).list());
    }

    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.toList())
          .hasSize(2)
          .allSatisfy(
              file -> {
                assertThat(file.getFileName().toString()).endsWith("-end.bin");
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
              });
    }
  }

  @Test
  void aFailureOfTheManager_writesAFile() throws Exception {
    Path directory = folder.resolve("incidents");
    IncidentRecorder recorder = IncidentRecorder.builder().directory(directory, 2).build();
    try (Manager manager = manager(recorder).build()) {
      ResourceType<ConfigMap> unknown =
          ResourceType.namespaced(ConfigMap.TYPE.kind(), "nothings", ConfigMap.CODEC);
      manager.add(
          Controller.builder((request, context) -> Result.done())
              .forKind(unknown)
              .cacheSyncTimeout(Duration.ofMillis(100))
              .build());
      manager.start();

      Eventually.await(
          "a file",
          () -> {
            String[] files = directory.toFile().list();
            return files != null
                && Arrays.stream(files).anyMatch(name -> name.endsWith("-failure.bin"));
          });
    }
  }

  @Test
  void theDebugAddress_servesTheFile() throws Exception {
    IncidentRecorder recorder = IncidentRecorder.create();
    try (Manager manager =
        manager(recorder)
            .metricsBindAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .build()) {
      manager.start();
      URI uri =
          URI.create(
              "http://127.0.0.1:"
                  + manager.metricsAddress().orElseThrow().getPort()
                  + "/debug/incident");

      HttpResponse<Path> response =
          HTTP.send(
              HttpRequest.newBuilder(uri).build(),
              HttpResponse.BodyHandlers.ofFile(folder.resolve("got.bin")));

      assertThat(response.statusCode()).isEqualTo(200);
      try (IncidentReplay replay = IncidentReplay.of(response.body())) {
        assertThat(replay.size()).isZero();
      }
    }
  }

  // ---- replays

  @Test
  void anIncident_withoutReconciles_isNotTheSame() throws Exception {
    Path file = folder.resolve("incident.bin");
    IncidentRecorder.create().writeTo(file);
    try (IncidentReplay replay = IncidentReplay.of(file)) {
      assertThatThrownBy(replay::assertSame)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("no reconciles");
    }
  }

  @Test
  void aReconcile_thatThrowsInterruptedException_interruptsNoOther() throws Exception {
    Body body =
        context -> {
          context.client().uncached().resource(ConfigMap.TYPE).inNamespace("default").get("a");
          if (context.reconcileId() == 1) {
            throw new InterruptedException();
          }
        };

    assertThat(replay(record(IncidentRecorder.create(), 3, body), body))
        .hasSizeGreaterThan(2)
        .allMatch(each -> each.outcome() == Outcome.SAME);
    assertThat(Thread.interrupted()).isFalse();
  }

  /** Refuses a request. */
  private static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Test
  void aRequest_thatAGuardRefuses_isTheSame() throws Exception {
    Body body =
        context -> context.client().resource(ConfigMap.TYPE).inNamespace("default").delete("a");
    IncidentRecorder recorder = IncidentRecorder.create();
    try (RESTClient refusing =
            RESTClient.builder(server.restConfig())
                .addInterceptor(
                    (request, next) -> {
                      if (request.method().equals("DELETE")) {
                        throw new RefusedException();
                      }
                      return next.send(request);
                    })
                .build();
        Manager manager =
            Manager.builder(refusing)
                .incidents(recorder)
                .events(controller -> FakeRecorder.create())
                .build()) {
      Controller controller = controller(body);
      manager.add(controller);
      manager.start();
      controller.enqueue(new Request("default", "r"));
      assertThat(done.poll(60, TimeUnit.SECONDS)).isNotNull();
    }
    Path file = folder.resolve("incident.bin");
    recorder.writeTo(file);

    assertThat(IncidentText.of(file)).contains("RefusedException");
    assertThat(replay(file, body)).isNotEmpty().allSatisfy(IncidentRecorderTest::same);
  }

  private static void same(Replayed each) {
    assertThat(each.message()).isEmpty();
    assertThat(each.outcome()).isEqualTo(Outcome.SAME);
  }

  @Test
  void aSecret_thatIsAYear_aPort_orTheController_breaksNoReplay() throws Exception {
    String year = Clock.system().now().toString().substring(0, 4);
    rest.resource(Secret.TYPE)
        .create(
            Secret.of(
                "default",
                "s",
                s ->
                    s.data(Map.of("a", Bytes.ofUtf8(year), "b", Bytes.ofUtf8("test"), "c", PORT))));
    rest.resource(Service.TYPE)
        .create(
            Service.of(
                "default",
                "db",
                s -> s.editSpec(spec -> spec.ports(List.of(ServicePort.of(p -> p.port(5432)))))));
    Body body =
        context -> {
          Secret secret = context.client().resource(Secret.TYPE).inNamespace("default").get("s");
          Service service =
              context.client().resource(Service.TYPE).inNamespace("default").get("db");
          String port = new String(secret.data().get("c").toByteArray(), UTF_8);
          if (Integer.parseInt(port) != service.spec().ports().get(0).port()) {
            throw new IllegalStateException(port);
          }
          context.now();
          context.random();
        };

    assertThat(replay(record(IncidentRecorder.create(), 2, body), body))
        .isNotEmpty()
        .allSatisfy(IncidentRecorderTest::same);
  }

  @Test
  void anInterruptedThread_writesAFile_andRemainsInterrupted() throws Exception {
    Path directory = Files.createDirectories(folder.resolve("incidents"));
    Files.createFile(directory.resolve("incident-1-end.bin.part")); // Of a process that was killed.
    IncidentRecorder recorder = IncidentRecorder.builder().directory(directory, 1).build();

    Thread.currentThread().interrupt();
    recorder.dump("end", Duration.ofMinutes(1));

    assertThat(Thread.interrupted()).isTrue();
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(Path::getFileName).map(Path::toString).toList())
          .singleElement()
          .matches(name -> name.endsWith("-end.bin"));
    }
  }
}
