package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.controller.finalizer.FinalizerSet;
import dev.clientgo.controller.metrics.Metric;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.CapturedLog;
import dev.clientgo.testing.Eventually;
import dev.clientgo.testing.Fault;
import dev.clientgo.testing.Fault.Injector;
import dev.clientgo.workqueue.RateLimiter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each function that a user gives to a running manager or controller throws, in each way. Then the
 * log names it, a metric counts it, the pages show it while it repeats, and the work continues.
 * {@code CallbackTableTest} knows which function is tested where.
 */
@Timeout(300)
final class CallbackFaultsTest {

  /** Gives a function that visits the injector to the builders. */
  @FunctionalInterface
  interface Setup {
    ControllerBuilder apply(ManagerBuilder manager, Injector faults, Reconciler recording);
  }

  /**
   * A function of the user.
   *
   * @param told a part of the log
   * @param counted a series that counts the failures; empty if the page shows how many there were
   * @param page the page that turns
   * @param reason a part of the page then; empty if the function says nothing of the health
   */
  record Callback(
      String name, Setup setup, String told, String counted, String page, String reason) {}

  private static final String CRASHES =
      "controller_runtime_controller_crashes_total{controller=\"test\"}";
  private static final String ERRORS =
      "controller_runtime_reconcile_errors_total{controller=\"test\"}";

  private static final List<Callback> CALLBACKS =
      List.of(
          ofEvents(
              "Predicate.onAdd",
              "The predicate of configmaps",
              (manager, faults, reconciler) ->
                  Controller.builder(reconciler)
                      .forKind(ConfigMap.TYPE, Predicate.of(map -> passes(map, faults)))),
          ofEvents(
              "ControllerBuilder.predicate",
              "The predicate of configmaps",
              (manager, faults, reconciler) ->
                  Controller.builder(reconciler)
                      .forKind(ConfigMap.TYPE)
                      .predicate(
                          new Predicate<>() {
                            @Override
                            public boolean onAdd(KubernetesObject object) {
                              faults.visit(object.metadata().name());
                              return true;
                            }
                          })),
          ofEvents(
              "MapFunction.map",
              "The mapping of configmaps",
              (manager, faults, reconciler) ->
                  Controller.builder(reconciler)
                      .watches(
                          ConfigMap.TYPE,
                          map -> {
                            faults.visit(map.metadata().name());
                            return List.of(Request.of(map));
                          })),
          ofEvents(
              "RateLimiter.delayFor",
              "The rate limiter's delayFor",
              (manager, faults, reconciler) ->
                  Controller.builder(failing(reconciler))
                      .forKind(ConfigMap.TYPE)
                      .rateLimiter(new FaultyLimiter(faults, true))),
          ofEvents(
              "RateLimiter.numRequeues",
              "The rate limiter's numRequeues",
              (manager, faults, reconciler) ->
                  Controller.builder(failing(reconciler))
                      .forKind(ConfigMap.TYPE)
                      .rateLimiter(new FaultyLimiter(faults, false))),
          new Callback(
              "Reconciler.reconcile",
              (manager, faults, reconciler) ->
                  Controller.builder(
                          (request, context) -> {
                            reconciler.reconcile(request, context);
                            faults.visit(request.name());
                            return Result.done();
                          })
                      .forKind(ConfigMap.TYPE),
              "Reconcile failed",
              ERRORS,
              "/readyz",
              ""),
          ofEvents(
              "Poller.poll",
              "The poller test-poll-0 has failed",
              (manager, faults, reconciler) ->
                  Controller.builder(reconciler)
                      .forKind(ConfigMap.TYPE)
                      .polls(
                          Duration.ofMillis(20),
                          client -> {
                            faults.visit();
                            return List.of();
                          })),
          new Callback(
              "FinalFailureHandler.failed",
              (manager, faults, reconciler) ->
                  Controller.builder(
                          (request, context) -> {
                            reconciler.reconcile(request, context);
                            throw new IOException("each time");
                          })
                      .forKind(ConfigMap.TYPE)
                      .maxRetries(0)
                      .onFinalFailure((request, error, context) -> faults.visit(request.name())),
              "the handler of final failures has failed",
              ERRORS,
              "/readyz",
              ""),
          new Callback(
              "ManagerBuilder.reconcilers",
              (manager, faults, reconciler) -> {
                manager.reconcilers(
                    wrapped ->
                        (request, context) -> {
                          Result result = wrapped.reconcile(request, context);
                          faults.visit(request.name());
                          return result;
                        });
                return Controller.builder(reconciler).forKind(ConfigMap.TYPE);
              },
              "Reconcile failed",
              ERRORS,
              "/readyz",
              ""),
          ofEvents(
              "ReconcileObserver.begin",
              "Observer 2: begin",
              (manager, faults, reconciler) -> {
                manager.observer(start -> (outcome, error) -> {});
                manager.observer(
                    start -> {
                      faults.visit(start.request().name());
                      return (outcome, error) -> {};
                    });
                return Controller.builder(reconciler).forKind(ConfigMap.TYPE);
              }),
          ofEvents(
              "ReconcileObserver.End.end",
              "Observer 1: end",
              (manager, faults, reconciler) -> {
                manager.observer(start -> (outcome, error) -> faults.visit(start.request().name()));
                return Controller.builder(reconciler).forKind(ConfigMap.TYPE);
              }),
          ofEvents(
              "ReconcileObserver.changed",
              "Observer 1: changed",
              (manager, faults, reconciler) -> {
                manager.observer(new FaultyObserver(faults));
                return Controller.builder(reconciler).forKind(ConfigMap.TYPE);
              }),
          new Callback(
              "FinalizerSet.reconcile",
              (manager, faults, reconciler) -> {
                FinalizerSet<ConfigMap> finalizers =
                    FinalizerSet.of(
                        ConfigMap.TYPE, "example.com/x", (map, context) -> Result.done());
                return Controller.builder(
                        (request, context) ->
                            finalizers.reconcile(
                                request,
                                context,
                                (map, same) -> {
                                  reconciler.reconcile(request, same);
                                  faults.visit(request.name());
                                  return Result.done();
                                }))
                    .forKind(ConfigMap.TYPE);
              },
              "Reconcile failed",
              ERRORS,
              "/readyz",
              ""),
          new Callback(
              "MetricsRegistry",
              (manager, faults, reconciler) -> {
                manager.metrics(new FaultyMetrics(faults));
                return Controller.builder(reconciler).forKind(ConfigMap.TYPE);
              },
              "The registry of metrics has failed: metric=",
              "",
              "/readyz",
              "[-]metrics failed: "),
          new Callback(
              "ManagerBuilder.readyCheck",
              (manager, faults, reconciler) -> {
                manager.readyCheck("mine", faults::visit);
                return Controller.builder(reconciler).forKind(ConfigMap.TYPE);
              },
              "",
              "",
              "/readyz",
              "[-]mine failed: "),
          new Callback(
              "ManagerBuilder.healthCheck",
              (manager, faults, reconciler) -> {
                manager.healthCheck("mine", faults::visit);
                return Controller.builder(reconciler).forKind(ConfigMap.TYPE);
              },
              "",
              "",
              "/healthz",
              "[-]mine failed: "));

  private static Callback ofEvents(String name, String told, Setup setup) {
    return new Callback(name, setup, told, CRASHES, "/readyz", "[-]controller-test failed: ");
  }

  private static boolean passes(ConfigMap map, Injector faults) {
    faults.visit(map.metadata().name());
    return true;
  }

  /** Each object fails once, the bad ones at first more often. */
  private static Reconciler failing(Reconciler reconciler) {
    return (request, context) -> {
      reconciler.reconcile(request, context);
      if (context.failures() == 0) {
        throw new IOException("not yet");
      }
      return Result.done();
    };
  }

  static Stream<Arguments> cases() {
    return CALLBACKS.stream()
        .flatMap(
            callback ->
                Arrays.stream(Fault.values())
                    .map(fault -> argumentSet(callback.name + " " + fault, callback, fault)));
  }

  private static final AtomicInteger NAMESPACES = new AtomicInteger();
  private static EmbeddedApiServer server;
  private static RESTClient client;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Injector faults = new Injector();
  private final RecordingReconciler reconciler = new RecordingReconciler();
  private final List<CapturedLog> logs = new ArrayList<>();
  private final String namespace = "faults-" + NAMESPACES.incrementAndGet();

  @BeforeAll
  static void startServer() {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
  }

  @AfterAll
  static void stopServer() {
    client.close();
    server.close();
  }

  @BeforeEach
  void start() throws InterruptedException {
    client
        .resource(Namespace.TYPE)
        .create(Namespace.builder().metadata(ObjectMeta.builder().name(namespace).build()).build());
    logs.add(CapturedLog.of(Controller.class));
    logs.add(CapturedLog.of(MetricsRegistry.class));
  }

  @AfterEach
  void stop() {
    logs.forEach(CapturedLog::close);
  }

  private void create(String name) throws InterruptedException {
    client
        .resource(ConfigMap.TYPE)
        .inNamespace(namespace)
        .create(ConfigMap.of(namespace, name, map -> {}));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void callback_thatThrows_isToldAndCountedAndTurnsTheHealth_andTheWorkGoesOn(
      Callback callback, Fault fault) throws Exception {
    ManagerBuilder options =
        Manager.builder(client)
            .metricsBindAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .debugRecorder(DebugRecorder.create())
            .informers(factory -> factory.namespace(namespace));
    Controller controller =
        callback.setup.apply(options, faults, reconciler).named("test").workers(2).build();
    try (Manager manager = options.build()) {
      manager.add(controller);
      manager.start();
      assertThat(manager.awaitReady(Duration.ofSeconds(60))).isTrue();
      assertThat(get(manager, callback.page).statusCode()).isEqualTo(200);

      faults.begin(fault);
      for (String bad : List.of("bad-1", "bad-2", "bad-3", "bad-4")) {
        create(bad);
      }
      Eventually.await("the page turns", () -> turned(manager, callback));
      assertThat(faults.strikes()).isPositive();
      Eventually.await(
          "the log tells it",
          () ->
              callback.told.isEmpty()
                  || logs.stream().anyMatch(log -> log.contains(callback.told)));
      if (!callback.counted.isEmpty()) {
        assertThat(number(get(manager, "/metrics").body(), callback.counted))
            .isGreaterThanOrEqualTo(3);
      }
      create("good-1");
      reconciler.awaitCall(new Request(namespace, "good-1"));

      faults.end();
      create("good-2");
      reconciler.awaitCall(new Request(namespace, "good-2"));
      Eventually.await("the end", () -> page(manager, "/readyz").statusCode() == 200);
      assertThat(get(manager, "/healthz").statusCode()).isEqualTo(200);
      assertThat(controller.state()).isEqualTo(ControllerState.RUNNING);
    }
  }

  /** A kind that is not watched any more has no function that could succeed. */
  @Test
  void unwatch_ofAMappingThatFails_endsTheProblem() throws Exception {
    ManagerBuilder options =
        Manager.builder(client)
            .metricsBindAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .informers(factory -> factory.namespace(namespace));
    Controller controller =
        Controller.builder(reconciler).forKind(Secret.TYPE).named("test").build();
    try (Manager manager = options.build()) {
      manager.add(controller);
      manager.start();
      assertThat(manager.awaitReady(Duration.ofSeconds(60))).isTrue();
      controller.watch(
          ConfigMap.TYPE,
          map -> {
            throw new IllegalStateException("a bug of the user");
          });
      for (String name : List.of("a", "b", "c")) {
        create(name);
      }
      Eventually.await("the page turns", () -> page(manager, "/readyz").statusCode() == 500);

      controller.unwatch(ConfigMap.TYPE);

      assertThat(get(manager, "/readyz").statusCode()).isEqualTo(200);
    }
  }

  private boolean turned(Manager manager, Callback callback) {
    if (callback.reason.isEmpty()) {
      return number(page(manager, "/metrics").body(), callback.counted) >= 3;
    }
    HttpResponse<String> page = page(manager, callback.page);
    return page.statusCode() == 500 && page.body().contains(callback.reason);
  }

  private static double number(String metrics, String series) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElse(-1);
  }

  private HttpResponse<String> page(Manager manager, String path) {
    try {
      return get(manager, path);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private HttpResponse<String> get(Manager manager, String path) throws Exception {
    int port = manager.metricsAddress().orElseThrow().getPort();
    return http.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private record FaultyObserver(Injector faults) implements ReconcileObserver {

    @Override
    public End begin(Start start) {
      return (outcome, error) -> {};
    }

    @Override
    public void changed(
        String controller,
        Collection<Request> requests,
        KubernetesObject before,
        KubernetesObject after) {
      faults.visit(requests.iterator().next().name());
    }
  }

  /** Fails for bad objects, in one of its methods. */
  private record FaultyLimiter(Injector faults, boolean delays, RateLimiter<Request> limiter)
      implements RateLimiter<Request> {

    FaultyLimiter(Injector faults, boolean delays) {
      this(
          faults,
          delays,
          RateLimiter.itemExponentialFailure(Duration.ofMillis(5), Duration.ofSeconds(1)));
    }

    @Override
    public Duration delayFor(Request request) {
      if (delays) {
        faults.visit(request.name());
      }
      return limiter.delayFor(request);
    }

    @Override
    public void forget(Request request) {
      limiter.forget(request);
    }

    @Override
    public int numRequeues(Request request) {
      if (!delays) {
        faults.visit(request.name());
      }
      return limiter.numRequeues(request);
    }
  }

  /** Fails in each call, also in those of the instruments. */
  private record FaultyMetrics(Injector faults, PrometheusMetrics numbers)
      implements MetricsRegistry {

    FaultyMetrics(Injector faults) {
      this(faults, PrometheusMetrics.create());
    }

    @Override
    public Runnable counter(Metric metric) {
      faults.visit();
      Runnable counter = numbers.counter(metric);
      return () -> {
        faults.visit();
        counter.run();
      };
    }

    @Override
    public DoubleConsumer histogram(Metric metric, List<Double> buckets) {
      faults.visit();
      DoubleConsumer histogram = numbers.histogram(metric, buckets);
      return value -> {
        faults.visit();
        histogram.accept(value);
      };
    }

    @Override
    public void gauge(Metric metric, DoubleSupplier value) {
      faults.visit();
      numbers.gauge(metric, value);
    }

    @Override
    public void remove(Metric metric) {
      faults.visit();
      numbers.remove(metric);
    }
  }
}
