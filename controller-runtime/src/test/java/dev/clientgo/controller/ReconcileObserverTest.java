package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.controller.ReconcileObserver.Start;
import dev.clientgo.controller.internal.reconcile.ReconcileLog;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.CapturedLog;
import dev.clientgo.testing.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.MDC;

/** What is seen of a reconcile from outside: by observers, in the log, and by Flight Recorder. */
@Timeout(120)
final class ReconcileObserverTest {

  private static final System.Logger LOG = System.getLogger(ReconcileObserverTest.class.getName());

  private EmbeddedApiServer server;
  private RESTClient client;

  /** What the observers were called with, in order. */
  private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

  @BeforeEach
  void start() {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private void create(String name) throws InterruptedException {
    client
        .resource(ConfigMap.TYPE)
        .inNamespace("default")
        .create(ConfigMap.of("default", name, c -> c.data(Map.of())));
  }

  private String next() throws InterruptedException {
    String next = seen.poll(60, TimeUnit.SECONDS);
    assertThat(next).as("a call within a minute").isNotNull();
    return next;
  }

  private static Result failOnce(Request request, Context context) throws IOException {
    if (context.failures() == 0) {
      throw new IOException("not yet");
    }
    return Result.done();
  }

  private final class Seeing implements ReconcileObserver {

    @Override
    public End begin(Start start) {
      Thread thread = Thread.currentThread();
      seen.add(
          "begin "
              + start.controller()
              + " "
              + start.request()
              + " #"
              + start.reconcileId()
              + " failures="
              + start.failures());
      return (outcome, error) ->
          seen.add(
              "end "
                  + outcome
                  + error.map(e -> " " + e.getMessage()).orElse("")
                  + (thread == Thread.currentThread() ? "" : " in another thread"));
    }

    @Override
    public void changed(
        String controller,
        Collection<Request> requests,
        KubernetesObject before,
        KubernetesObject after) {
      seen.add("changed " + requests + " " + (before == null) + " " + after.metadata().name());
    }
  }

  @Test
  void observer_seesChangesAndReconciles_butNoFirstList() throws Exception {
    create("old");
    Reconciler reconciler = ReconcileObserverTest::failOnce;
    try (Manager manager =
        Manager.builder(client)
            .observer(new Seeing())
            .observer(
                start -> {
                  seen.add("inner");
                  return (outcome, error) -> seen.add("inner end");
                })
            .build()) {
      manager.add(Controller.builder(reconciler).forKind(ConfigMap.TYPE).named("test").build());
      manager.start();

      assertThat(List.of(next(), next(), next(), next()))
          .containsExactly(
              "begin test default/old #1 failures=0", "inner", "inner end", "end failed not yet");
      assertThat(List.of(next(), next(), next(), next()))
          .containsExactly(
              "begin test default/old #2 failures=1", "inner", "inner end", "end done");
      create("new");
      assertThat(next()).isEqualTo("changed [default/new] true new");
      assertThat(next()).isEqualTo("begin test default/new #3 failures=0");
    }
  }

  /** What a bridge to a logging library with fields for each thread does. */
  private static final class ThreadFields extends Handler implements ReconcileObserver {

    private static final Formatter FORMATTER = new SimpleFormatter();

    private final ThreadLocal<String> fields = new ThreadLocal<>();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public End begin(Start start) {
      fields.set(start.request() + " #" + start.reconcileId() + " ");
      return (outcome, error) -> fields.remove();
    }

    @Override
    public void publish(LogRecord record) {
      lines.add(fields.get() + FORMATTER.formatMessage(record));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void observer_isAroundTheLinesOfTheReconcilerAndTheLibrary() throws Exception {
    ThreadFields fields = new ThreadFields();
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              LOG.log(System.Logger.Level.INFO, "Mine");
              return failOnce(request, context);
            });
    Logger ofLibrary = Logger.getLogger("dev.clientgo.controller.Controller");
    Logger ours = Logger.getLogger(LOG.getName());
    try (CapturedLog quiet = CapturedLog.of(ReconcileObserverTest.class);
        Manager manager = Manager.builder(client).observer(fields).build()) {
      ofLibrary.setLevel(Level.FINE);
      ofLibrary.addHandler(fields);
      ours.addHandler(fields);
      manager.add(Controller.builder(reconciler).forKind(ConfigMap.TYPE).named("test").build());
      manager.start();
      create("x");
      reconciler.next();
      reconciler.next();

      Eventually.await(
          "both lines",
          () -> fields.lines.stream().filter(line -> line.endsWith(" Mine")).count() == 2);
      assertThat(quiet.texts(Level.INFO)).hasSize(2);
      assertThat(fields.lines)
          .filteredOn(line -> !line.startsWith("null"))
          .containsExactly(
              "default/x #1 Mine",
              "default/x #1 Reconcile failed, it is tried again: controller=test"
                  + " request=default/x reconcileId=1 failures=1"
                  + " error=java.io.IOException: not yet",
              "default/x #2 Mine");
    } finally {
      ofLibrary.setLevel(null);
      ofLibrary.removeHandler(fields);
      ours.removeHandler(fields);
    }
  }

  /** By the example of docs/controllers.md. */
  @Test
  void mdc_hasTheFieldsDuringAReconcile() throws Exception {
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              seen.add(String.valueOf(new TreeMap<>(MDC.getCopyOfContextMap())));
              return Result.done();
            });
    try (Manager manager = ControllersPageTest.withMdc(client)) {
      manager.add(Controller.builder(reconciler).forKind(ConfigMap.TYPE).named("test").build());
      manager.start();
      create("x");

      assertThat(next()).isEqualTo("{controller=test, name=x, namespace=default, reconcileId=1}");
    }
  }

  private static final class Unprintable {
    @Override
    public String toString() {
      throw new IllegalStateException("no text");
    }
  }

  @Test
  void logger_ofAContext_addsTheFieldsToEachMessage() throws Exception {
    try (CapturedLog log = CapturedLog.of(ReconcileObserverTest.class, Level.ALL)) {
      Request request = new Request("berlin", "shop", "{x}\n'y");
      System.Logger logger = FieldLogger.of(LOG, "test", request, 7);
      String fields = " controller=test cluster=berlin namespace=shop name={x} 'y reconcileId=7";
      logger.log(System.Logger.Level.INFO, "Created");
      logger.log(System.Logger.Level.INFO, "Created: map={0}", "m{1}");
      logger.log(System.Logger.Level.INFO, () -> "Braces: {0}");
      logger.log(System.Logger.Level.INFO, "Broken: {", 1);
      logger.log(System.Logger.Level.INFO, "Value: {0}", new Unprintable());
      logger.log(System.Logger.Level.INFO, "Failed", new IOException("why"));
      logger.log(System.Logger.Level.INFO, (String) null);

      assertThat(log.records(Level.INFO))
          .extracting(LogRecord::getMessage)
          .containsExactly(
              "Created" + fields,
              "Created: map=m{1}" + fields,
              "Braces: {0}" + fields,
              "Broken: {" + fields,
              "Value: {0}" + fields,
              "Failed" + fields,
              "null" + fields);
      assertThat(log.records(Level.INFO).get(5).getThrown()).hasMessage("why");
      assertThat(logger.getName()).isEqualTo(LOG.getName());
    }
  }

  @Test
  void logger_ofAReconcile_namesIt() throws Exception {
    try (CapturedLog log = CapturedLog.of(ReconcileObserverTest.class);
        Manager manager = Manager.create(client)) {
      RecordingReconciler reconciler =
          new RecordingReconciler(
              (request, context) -> {
                context.logger(LOG).log(System.Logger.Level.INFO, "Mine: a={0}", 1);
                return Result.done();
              });
      manager.add(Controller.builder(reconciler).forKind(ConfigMap.TYPE).named("test").build());
      manager.start();
      create("x");
      reconciler.next();
      create("y");
      reconciler.next(); // The first one has ended.

      assertThat(log.texts(Level.INFO))
          .startsWith("Mine: a=1 controller=test namespace=default name=x reconcileId=1");
    }
  }

  @Test
  void flightRecorder_hasEachReconcile(@TempDir Path directory) throws Exception {
    PrometheusMetrics metrics = PrometheusMetrics.create();
    Path file = directory.resolve("reconciles.jfr");
    try (Recording recording = new Recording();
        CapturedLog quiet = CapturedLog.of(ReconcileLog.class)) {
      recording.start();
      RecordingReconciler reconciler = new RecordingReconciler(ReconcileObserverTest::failOnce);
      try (Manager manager = Manager.builder(client).metrics(metrics).build()) {
        manager.add(Controller.builder(reconciler).forKind(ConfigMap.TYPE).named("test").build());
        manager.start();
        create("x");
        reconciler.next();
        reconciler.next();
      }
      assertThat(quiet.records(Level.SEVERE)).isEmpty();
      recording.stop();
      recording.dump(file);
    }

    List<RecordedEvent> events =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("dev.clientgo.Reconcile"))
            .toList();
    assertThat(events)
        .extracting(
            event -> event.getString("controller"),
            event -> event.getString("request"),
            event -> event.getLong("reconcileId"),
            event -> event.getInt("failures"),
            event -> event.getString("outcome"))
        .containsExactly(
            tuple("test", "default/x", 1L, 0, "FAILED"), tuple("test", "default/x", 2L, 1, "DONE"));
    assertThat(events)
        .allSatisfy(
            event -> {
              assertThat(event.getDuration("queued")).isLessThan(Duration.ofMinutes(2));
              assertThat(event.getDuration()).isPositive();
            });
  }
}
