package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.clock.Interruptible;
import dev.clientgo.controller.RecordingReconciler.Call;
import dev.clientgo.controller.internal.apply.AppliedConfigurations;
import dev.clientgo.controller.internal.cache.Informers;
import dev.clientgo.controller.internal.cache.Scopes;
import dev.clientgo.controller.internal.debug.ControllerRecording;
import dev.clientgo.controller.internal.fights.FightDetector;
import dev.clientgo.controller.internal.metrics.ReconcileMetrics;
import dev.clientgo.controller.internal.reconcile.CallbackGuard;
import dev.clientgo.controller.internal.reconcile.FloodDetector;
import dev.clientgo.controller.internal.reconcile.LastStep;
import dev.clientgo.controller.internal.reconcile.ReconcileLog;
import dev.clientgo.controller.internal.reconcile.ReconcilePace;
import dev.clientgo.controller.internal.reconcile.ReconcileTerm;
import dev.clientgo.controller.internal.reconcile.ReconcileWorkers;
import dev.clientgo.controller.metrics.Metric;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.controller.scope.Scope;
import dev.clientgo.events.FakeRecorder;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.testing.CapturedLog;
import dev.clientgo.testing.Eventually;
import dev.clientgo.testing.Fault;
import dev.clientgo.workqueue.AddOptions;
import dev.clientgo.workqueue.PriorityQueue;
import dev.clientgo.workqueue.QueueConfig;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The workers follow the result of a reconcile. The clock stands still. */
final class ReconcileWorkersTest {

  private static final Request X = new Request("default", "x");

  /** No test reaches a server. */
  private static final RESTClient CLIENT =
      RESTClient.create(RestConfig.builder("http://127.0.0.1:9").build());

  private static final Informers NO_INFORMERS =
      new Informers(
          Clientset.of(CLIENT),
          factory -> {},
          MetricsRegistry.none(),
          Clock.system(),
          new Scopes(null, Map.of(), true));

  private final FakeClock clock = FakeClock.create();
  private final PrometheusMetrics registry = PrometheusMetrics.create();
  private ReconcileMetrics metrics = new ReconcileMetrics(registry, "test", 1);
  private final PriorityQueue<Request> queue =
      PriorityQueue.create(
          QueueConfig.builder().name("test").clock(clock).metricsProvider(metrics).build());
  private final CapturedLog log = CapturedLog.of(Controller.class);
  private final ControllerRecording<Request> recording =
      new ControllerRecording<>(null, "test", Request::objectName);
  private ReconcileWorkers<Request> workers;

  private void start(Reconciler reconciler) {
    start(reconciler, options -> options);
  }

  private void start(Reconciler reconciler, UnaryOperator<ControllerBuilder> edit) {
    start(reconciler, edit, DaemonThreads.named("test-"));
  }

  private void start(
      Reconciler reconciler, UnaryOperator<ControllerBuilder> edit, ThreadFactory threads) {
    ControllerOptions options =
        edit.apply(Controller.builder(reconciler).forKind(ConfigMap.TYPE).named("test")).options();
    FightDetector fights = new FightDetector(clock, (fight, object) -> {});
    ClientScope scope =
        new ClientScope(
            NO_INFORMERS,
            type -> Scope.all(),
            null,
            Duration.ofSeconds(1),
            new AppliedConfigurations(metrics::applySent, metrics::applySkipped),
            recording,
            fights);
    workers =
        new ReconcileWorkers<>(
            options.name(),
            options.workers(),
            lastStep(
                options,
                new ReconcilerCall(
                    options.name(),
                    options.reconciler(),
                    options.reconcileTimeout(),
                    scope,
                    FakeRecorder.create(),
                    options.kind(),
                    options.owned(),
                    () -> 1)),
            queue,
            fights,
            metrics,
            recording,
            new ReconcileLog("test", clock),
            clock,
            threads);
    workers.start(
        ReconcileTerm.endless(CLIENT, clock),
        options.minInterval().isZero()
            ? List.of()
            : List.of(new ReconcilePace<>(queue, clock).atLeast(options.minInterval())),
        List.of(),
        options.maxInterval().isZero()
            ? List.of()
            : List.of(ReconcilePace.atMost(options.maxInterval(), X::equals)));
  }

  private static LastStep<Request> lastStep(ControllerOptions options, ReconcilerCall call) {
    ControllerOptions.Retries retries = options.retries();
    return retries == null ? call : new RetryLimit(call, retries.most(), retries.handler());
  }

  @AfterEach
  void close() {
    queue.shutDown();
    assertThat(workers.close(Duration.ofMillis(50))).isTrue();
    log.close();
  }

  private double total(String result) {
    return registry.value(
        "controller_runtime_reconcile_total", Map.of("controller", "test", "result", result));
  }

  private double counter(String name) {
    return registry.value("controller_runtime_" + name, Map.of("controller", "test"));
  }

  private double waiting() {
    return registry.value("workqueue_retries_total", Map.of("controller", "test", "name", "test"));
  }

  @Test
  void error_isTriedAgainAtTheSamePriority_afterADelayThatDoubles() throws InterruptedException {
    AtomicInteger left = new AtomicInteger(3);
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              if (left.getAndDecrement() > 0) {
                throw new IOException("not yet");
              }
              return Result.done();
            });
    start(reconciler);

    queue.add(X, AddOptions.create().priority(7));

    assertThat(reconciler.next()).isEqualTo(new Call(X, 7, 0));
    for (int failures = 1; failures <= 3; failures++) {
      int retries = failures;
      Eventually.await("retry " + retries, () -> waiting() == retries);
      Duration delay = Duration.ofMillis(5L << (failures - 1));
      clock.advance(delay.minusNanos(1));
      assertThat(reconciler.drain()).isEmpty();
      clock.advance(Duration.ofNanos(1));
      assertThat(reconciler.next()).isEqualTo(new Call(X, 7, failures));
    }
    Eventually.await("success", () -> total("success") == 1);
    assertThat(queue.numRequeues(X)).isZero();
    assertThat(total("error")).isEqualTo(3);
    assertThat(counter("reconcile_errors_total")).isEqualTo(3);
    assertThat(counter("reconcile_panics_total")).isZero();
  }

  /** An exception whose cause cannot be read breaks the worker, not the reconcile. */
  private static final class WithoutCause extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public synchronized Throwable getCause() {
      throw new AssertionError("no cause");
    }
  }

  @Test
  void workerThatFails_isToldCountedAndAProblem_andTheRequestComesAgain()
      throws InterruptedException {
    AtomicBoolean broken = new AtomicBoolean(true);
    AtomicInteger failures = new AtomicInteger();
    start(
        (request, context) -> {
          if (broken.get()) {
            failures.incrementAndGet();
            throw new WithoutCause();
          }
          return Result.done();
        });

    queue.add(X);
    Eventually.await(
        "three failures",
        () -> {
          clock.advance(CallbackGuard.PAUSE);
          return workers.problem().isPresent();
        });

    assertThat(workers.problem().orElseThrow())
        .contains("failures in a row: A worker has failed and continues: controller=test");
    assertThat(log.contains("A worker has failed and continues: controller=test")).isTrue();
    broken.set(false);
    Eventually.await(
        "the success",
        () -> {
          clock.advance(CallbackGuard.PAUSE);
          return total("success") == 1;
        });
    Eventually.await("the end of the problem", () -> workers.problem().isEmpty());
    assertThat(failures).hasValueGreaterThanOrEqualTo(3);
    Eventually.await("the number", () -> counter("controller_crashes_total") == failures.get());
  }

  /** As if there were no memory for the number. */
  @Test
  void workerWhoseFailureCannotBeCounted_goesOn() throws InterruptedException {
    MetricsRegistry none = MetricsRegistry.none();
    MetricsRegistry full =
        (MetricsRegistry)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {MetricsRegistry.class},
                (proxy, method, arguments) ->
                    arguments[0] instanceof Metric metric && metric.name().contains("crashes")
                        ? (Runnable) Fault.ERROR::fail
                        : method.invoke(none, arguments));
    metrics = new ReconcileMetrics(full, "test", 1);
    AtomicInteger calls = new AtomicInteger();
    start(
        (request, context) -> {
          calls.incrementAndGet();
          throw new WithoutCause();
        });

    queue.add(X);
    Eventually.await(
        "the next reconciles",
        () -> {
          clock.advance(CallbackGuard.PAUSE);
          return calls.get() >= 3;
        });
  }

  @Test
  void requeueAfter_forgetsFailures_andComesAgainAfterTheTime() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              return switch (calls.incrementAndGet()) {
                case 1 -> throw new IOException("once");
                case 2 -> Result.requeueAfter(Duration.ofHours(1));
                case 3 -> Result.requeueAfter(Duration.ofHours(1)).withPriority(9);
                default -> Result.done();
              };
            });
    start(reconciler);

    queue.add(X, AddOptions.create().priority(-100));
    reconciler.next();
    Eventually.await("the retry", () -> waiting() == 1);
    clock.advance(Duration.ofMillis(5));
    assertThat(reconciler.next()).isEqualTo(new Call(X, -100, 1));
    Eventually.await("the requeue", () -> waiting() == 2);
    assertThat(queue.numRequeues(X)).isZero();

    clock.advance(Duration.ofHours(1));
    assertThat(reconciler.next()).isEqualTo(new Call(X, -100, 0));
    Eventually.await("the second requeue", () -> waiting() == 3);
    clock.advance(Duration.ofHours(1));
    assertThat(reconciler.next()).isEqualTo(new Call(X, 9, 0));
    Eventually.await("success", () -> total("success") == 1);
    assertThat(total("requeue_after")).isEqualTo(2);
    assertThat(total("error")).isEqualTo(1);
  }

  @Test
  void terminalError_isCountedAndNotTriedAgainAndNotForgotten() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              if (calls.incrementAndGet() == 1) {
                throw new IOException("first");
              }
              throw new IOException("wrapped", new TerminalException("spec.size is negative"));
            });
    start(reconciler);

    queue.add(X);
    reconciler.next();
    Eventually.await("the retry", () -> waiting() == 1);
    clock.advance(Duration.ofMillis(5));
    reconciler.next();

    Eventually.await("it", () -> counter("terminal_reconcile_errors_total") == 1);
    assertThat(counter("reconcile_errors_total")).isEqualTo(2);
    assertThat(total("error")).isEqualTo(2);
    assertThat(queue.numRequeues(X)).isEqualTo(1);
    assertThat(waiting()).isEqualTo(1);
    assertThat(queue.size()).isZero();
    Eventually.await("the log", () -> log.contains("Reconcile failed for good"));
  }

  static Stream<Arguments> panics() {
    return Stream.of(
        argumentSet("an exception of the JDK", new IllegalStateException("bug"), true),
        argumentSet("an error", new StackOverflowError("deep"), true),
        argumentSet("an error of an assertion", new AssertionError("no"), true),
        argumentSet(
            "an error of the server",
            ApiStatusException.notFound(new GroupResource("", "pods"), "x"),
            false),
        argumentSet("a checked exception", new IOException("no"), false));
  }

  @ParameterizedTest
  @MethodSource("panics")
  void panic_isAnError_andTheWorkerLives(Throwable thrown, boolean panic)
      throws InterruptedException {
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              if (request.equals(X)) {
                sneakyThrow(thrown);
              }
              return Result.done();
            });
    start(reconciler);

    queue.add(X);
    reconciler.awaitCall(X);
    queue.add(new Request("default", "y"));

    reconciler.awaitCall(new Request("default", "y"));
    Eventually.await("success", () -> total("success") == 1);
    assertThat(total("error")).isEqualTo(1);
    assertThat(counter("reconcile_panics_total")).isEqualTo(panic ? 1 : 0);
    assertThat(waiting()).isEqualTo(1);
    assertThat(log.contains("Reconcile failed, it is tried again")).isEqualTo(panic);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneakyThrow(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Test
  void nullResult_isAnErrorThatSaysWhatToReturn() throws InterruptedException {
    start((request, context) -> null);

    queue.add(X);

    Eventually.await("the log", () -> log.contains("return Result.done()"));
    Eventually.await("the panic", () -> counter("reconcile_panics_total") == 1);
  }

  @Test
  void timeout_interruptsTheReconcile_andItIsTriedAgain() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              if (calls.incrementAndGet() == 1) {
                new CountDownLatch(1).await();
              }
              return Result.done();
            });
    start(reconciler, options -> options.reconcileTimeout(Duration.ofSeconds(10)));
    queue.add(X);
    reconciler.next();

    clock.awaitWaiterWithin(Duration.ofSeconds(10));
    clock.advance(Duration.ofSeconds(10));

    Eventually.await("the timeout", () -> counter("reconcile_timeouts_total") == 1);
    Eventually.await("the retry", () -> waiting() == 1);
    clock.advance(Duration.ofMillis(5));
    assertThat(reconciler.next().failures()).isEqualTo(1);
    Eventually.await("success", () -> total("success") == 1);
    assertThat(total("error")).isEqualTo(1);
  }

  /** A reconcile that ends by itself is not hit by the interrupt of the one before. */
  @Test
  void timeout_ofAReconcileThatIgnoresIt_keepsItsResult() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    AtomicInteger interrupted = new AtomicInteger();
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              if (request.equals(X)) {
                awaitUninterruptibly(done);
              } else if (Thread.currentThread().isInterrupted()) {
                interrupted.incrementAndGet();
              }
              return Result.done();
            });
    start(reconciler, options -> options.reconcileTimeout(Duration.ofSeconds(10)));
    queue.add(X);
    reconciler.next();

    clock.awaitWaiterWithin(Duration.ofSeconds(10));
    clock.advance(Duration.ofSeconds(10));
    Eventually.await("the timeout", () -> counter("reconcile_timeouts_total") == 1);
    clock.awaitWaiterWithin(Duration.ofSeconds(10));
    clock.advance(Duration.ofMinutes(1));
    Eventually.await("the warning", () -> log.contains("does not react to being interrupted"));
    done.countDown();
    queue.add(new Request("default", "y"));

    Eventually.await("both", () -> total("success") == 2);
    assertThat(interrupted).hasValue(0);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void reconcileThatBlocksForEver_isAWarningWithItsStack() throws InterruptedException {
    CountDownLatch blocked = new CountDownLatch(1); // The call alone is recorded before that.
    start(
        (request, context) -> {
          blocked.countDown();
          new CountDownLatch(1).await();
          return Result.done();
        });
    queue.add(X);
    assertThat(blocked.await(2, TimeUnit.MINUTES)).isTrue();

    clock.awaitWaiters(1);
    clock.advance(Duration.ofMinutes(1)); // The watchdog sees it.
    clock.awaitWaiters(1);
    clock.advance(Duration.ofMinutes(1));

    Eventually.await("the warning", () -> log.contains("A reconcile takes long"));
    assertThat(log.records(Level.WARNING).get(0).getThrown().getStackTrace())
        .anyMatch(frame -> frame.getClassName().contains("ReconcileWorkersTest"));
    assertThat(counter("active_workers")).isEqualTo(1);
  }

  /** A test that moves the clock by an hour does not let a reconcile take an hour. */
  @Test
  void clockThatJumpsDuringAReconcile_isNoReasonForAWarning() throws InterruptedException {
    CountDownLatch jumped = new CountDownLatch(1);
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              jumped.await();
              return Result.done();
            });
    start(reconciler);
    clock.awaitWaiterWithin(Duration.ofMinutes(1)); // The watchdog has looked.
    queue.add(X);
    reconciler.next();

    clock.advance(Duration.ofHours(1));
    clock.awaitWaiterWithin(Duration.ofMinutes(1)); // It has looked again.
    jumped.countDown();

    Eventually.await("success", () -> total("success") == 1);
    assertThat(log.records(Level.WARNING)).isEmpty();
  }

  @Test
  void requestThatIsReconciledAgainAndAgain_isAWarningThatNamesIt() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    start(
        (request, context) -> {
          int call = request.equals(X) ? calls.incrementAndGet() : 2 * FloodDetector.LIMIT;
          if (call == FloodDetector.LIMIT + 1) {
            clock.advance(FloodDetector.INTERVAL);
          }
          if (call < 2 * FloodDetector.LIMIT) {
            queue.add(request);
          }
          return Result.done();
        });
    queue.add(new Request("default", "quiet"));
    queue.add(X);

    Eventually.await("the warning", () -> log.contains("is reconciled again and again"));

    assertThat(log.records(Level.WARNING)).hasSize(1);
    assertThat(log.contains("controller=test request=default/x ")).isTrue();
  }

  /** What a server or a user puts into an error or a name is one line, and soon. */
  @Test
  @Timeout(60)
  void failure_withAHostileText_isOneLineInTheLog() throws InterruptedException {
    String forged = "x" + " ".repeat(200_000) + "y\nERROR forged \u001b[2J";
    start(
        (request, context) -> {
          throw new TerminalException(forged);
        });

    queue.add(new Request("default", "a\nb"));

    Eventually.await("the warning", () -> log.contains("request="));
    assertThat(log.contains("request=default/a b ")).isTrue();
    assertThat(log.contains("TerminalException: x y ERROR forged ?[2J")).isTrue();
    assertThat(log.contains("\n")).isFalse();
  }

  @Test
  void failuresOfManyRequests_doNotFloodTheLog() throws InterruptedException {
    start(
        (request, context) -> {
          throw new IllegalStateException("bug");
        },
        options -> options.workers(4));

    for (int i = 0; i < 1000; i++) {
      queue.add(new Request("default", "x" + i));
    }

    Eventually.await("all", () -> total("error") >= 1000);
    List<String> warnings =
        log.records(Level.WARNING).stream().map(record -> record.getMessage()).toList();
    assertThat(warnings).hasSize(ReconcileLog.LIMIT);
    assertThat(warnings).filteredOn(text -> text.contains("not logged for a minute")).hasSize(1);
  }

  static Stream<Arguments> waysToBeInterrupted() {
    CountDownLatch never = new CountDownLatch(1);
    return Stream.of(
        argumentSet("directly", reconciler(never::await)),
        argumentSet("in a stream", reconciler(() -> Interruptible.run(never::await))),
        argumentSet(
            "wrapped",
            reconciler(
                () -> {
                  try {
                    never.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException(e);
                  }
                })));
  }

  private static Reconciler reconciler(Interruptible.Action action) {
    return (request, context) -> {
      action.run();
      return Result.done();
    };
  }

  /** To be interrupted by the end of the controller is no failure. */
  @ParameterizedTest
  @MethodSource("waysToBeInterrupted")
  void close_interruptsReconcilesWhenTheGraceIsOver(Reconciler blocks) throws InterruptedException {
    RecordingReconciler reconciler = new RecordingReconciler(blocks);
    start(reconciler);
    queue.add(X);
    reconciler.next();

    queue.shutDown();
    assertThat(workers.close(Duration.ofMillis(10))).isTrue();

    assertThat(total("success")).isZero();
    assertThat(total("error")).isZero();
    assertThat(counter("reconcile_panics_total")).isZero();
    assertThat(log.records(Level.WARNING)).isEmpty();
  }

  // ---- retries, pace, load

  @Test
  void lastRetry_isFinal_andTheNextEventHasAllRetriesAgain() throws InterruptedException {
    BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              throw new IOException("no disk");
            });
    start(
        reconciler,
        options ->
            options
                .maxRetries(2)
                .onFinalFailure(
                    (request, error, context) ->
                        handled.add(request + " " + error.getMessage() + context.failures())));

    for (int round = 1; round <= 2; round++) {
      queue.add(X);
      for (int failures = 0; failures <= 2; failures++) {
        assertThat(reconciler.next()).isEqualTo(new Call(X, 0, failures));
        int retries = (round - 1) * 2 + failures + 1;
        if (failures < 2) {
          Eventually.await("retry", () -> waiting() == retries);
          clock.advance(Duration.ofSeconds(1));
        }
      }
      int finals = round;
      Eventually.await("the end", () -> counter("terminal_reconcile_errors_total") == finals);
      assertThat(handled).hasSize(1);
      assertThat(handled.remove()).isEqualTo("default/x no disk2");
      assertThat(queue.numRequeues(X)).isZero();
    }
    clock.advance(Duration.ofHours(1));
    assertThat(reconciler.drain()).isEmpty();
    assertThat(log.contains("the reconcile has failed 3 times in a row")).isTrue();
  }

  @Test
  void finalFailureHandler_thatThrows_causesAnotherRetry() throws InterruptedException {
    AtomicInteger left = new AtomicInteger(1);
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              throw new TerminalException("the name is wrong");
            });
    start(
        reconciler,
        options ->
            options.onFinalFailure(
                (request, error, context) -> {
                  if (left.getAndDecrement() > 0) {
                    throw new IllegalStateException("409");
                  }
                }));

    queue.add(X);

    assertThat(reconciler.next()).isEqualTo(new Call(X, 0, 0));
    Eventually.await("the retry", () -> waiting() == 1);
    assertThat(counter("terminal_reconcile_errors_total")).isZero();
    clock.advance(Duration.ofSeconds(1));
    assertThat(reconciler.next()).isEqualTo(new Call(X, 0, 1));
    Eventually.await("the end", () -> counter("terminal_reconcile_errors_total") == 1);
    assertThat(left.get()).isEqualTo(-1);
  }

  @Test
  void finalFailureHandler_afterATimeout_isNotInterrupted() throws InterruptedException {
    BlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();
    CountDownLatch never = new CountDownLatch(1);
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              never.await();
              return Result.done();
            });
    start(
        reconciler,
        options ->
            options
                .reconcileTimeout(Duration.ofSeconds(5))
                .maxRetries(0)
                .onFinalFailure(
                    (request, error, context) ->
                        interrupted.add(Thread.currentThread().isInterrupted())));

    queue.add(X);
    reconciler.next();
    Eventually.await(
        "the timeout",
        () -> {
          clock.advance(Duration.ofSeconds(5));
          return counter("terminal_reconcile_errors_total") == 1;
        });

    assertThat(interrupted).containsExactly(false);
    assertThat(counter("reconcile_timeouts_total")).isEqualTo(1);
  }

  /** Its worker is lost as by a reconcile that blocks. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void finalFailureHandler_thatBlocksForEver_isAWarningWithItsStack(boolean afterATimeout)
      throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    start(
        (request, context) -> {
          if (afterATimeout) {
            never.await();
          }
          throw new TerminalException("the name is wrong");
        },
        options ->
            options
                .reconcileTimeout(afterATimeout ? Duration.ofSeconds(5) : Duration.ofDays(1))
                .maxRetries(0)
                .onFinalFailure((request, error, context) -> never.await()));
    queue.add(X);

    Eventually.await(
        "the warning",
        () -> {
          clock.advance(Duration.ofSeconds(5));
          return log.traces().stream()
              .anyMatch(
                  text ->
                      text.contains("A reconcile takes long") && text.contains("RetryLimit.run"));
        });

    assertThat(log.contains("takes long and does not react")).isEqualTo(afterATimeout);
  }

  @Test
  void leastInterval_delaysTheNextReconcileOfTheRequest_andOfNoOther() throws InterruptedException {
    RecordingReconciler reconciler = new RecordingReconciler();
    start(reconciler, options -> options.minReconcileInterval(Duration.ofSeconds(10)));
    queue.add(X);
    assertThat(reconciler.next().request()).isEqualTo(X);
    Eventually.await("the end", () -> total("success") == 1);
    clock.advance(Duration.ofSeconds(4));

    queue.add(X);
    Eventually.await("it waits", () -> waiting() == 1);
    Request other = new Request("default", "other");
    queue.add(other);
    assertThat(reconciler.next().request()).isEqualTo(other);
    queue.add(X); // Makes it ready, and it waits again.
    Eventually.await("it waits again", () -> waiting() == 2);
    clock.advance(Duration.ofSeconds(6).minusNanos(1));
    assertThat(reconciler.drain()).isEmpty();
    clock.advance(Duration.ofNanos(1));

    assertThat(reconciler.next().request()).isEqualTo(X);
  }

  @Test
  void longestInterval_reconcilesAnObjectThatExists_withLowPriority() throws InterruptedException {
    RecordingReconciler reconciler = new RecordingReconciler();
    start(reconciler, options -> options.maxReconcileInterval(Duration.ofHours(1)));
    queue.add(X);
    queue.add(new Request("default", "gone"));
    assertThat(List.of(reconciler.next().request(), reconciler.next().request())).contains(X);
    Eventually.await("the ends", () -> total("requeue_after") == 1 && total("success") == 1);

    clock.advance(Duration.ofMinutes(53));
    assertThat(reconciler.drain()).isEmpty();
    clock.advance(Duration.ofMinutes(7));

    assertThat(reconciler.next()).isEqualTo(new Call(X, PriorityQueue.LOW_PRIORITY, 0));
    Eventually.await("the end", () -> total("requeue_after") == 2);
    assertThat(reconciler.drain()).isEmpty();
  }

  @Test
  void workers_followTheLoad_betweenTwoNumbers() throws InterruptedException {
    Semaphore turns = new Semaphore(0);
    AtomicInteger running = new AtomicInteger();
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    start(
        (request, context) -> {
          threads.add(Thread.currentThread());
          running.incrementAndGet();
          turns.acquire();
          running.decrementAndGet();
          return Result.done();
        },
        options -> options.workers(1, 3));

    for (int i = 0; i < 6; i++) {
      queue.add(new Request("default", "x" + i));
    }
    Eventually.await("three at a time", () -> running.get() == 3);
    assertThat(counter("active_workers")).isEqualTo(3);
    turns.release(6);
    Eventually.await("all", () -> total("success") == 6);
    assertThat(threads).hasSize(3);

    clock.advance(Duration.ofSeconds(10));
    for (int i = 0; i < 3 && threads.stream().filter(Thread::isAlive).count() > 1; i++) {
      int done = 7 + i;
      turns.release();
      queue.add(new Request("default", "late" + i));
      Eventually.await("one more", () -> total("success") == done);
    }
    Eventually.await("one is left", () -> threads.stream().filter(Thread::isAlive).count() == 1);
  }

  @Test
  void worker_thatCannotBeAdded_isToldAndTheOthersWork() throws InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    start(
        (request, context) -> {
          go.await();
          return Result.done();
        },
        options -> options.workers(1, 2),
        work -> {
          if (!threadNames.isEmpty()) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          Thread thread = DaemonThreads.named("test-").newThread(work);
          threadNames.add(thread.getName());
          return thread;
        });

    queue.add(X);
    queue.add(new Request("default", "y"));
    queue.add(new Request("default", "z"));
    go.countDown();

    Eventually.await("all", () -> total("success") == 3);
    assertThat(log.contains("A worker could not be added")).isTrue();
  }

  @Test
  void worker_doesNotEnd_whileAllOthersAreBusy() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch turn = new CountDownLatch(1);
    Map<String, Thread> threads = new ConcurrentHashMap<>();
    start(
        (request, context) -> {
          threads.put(request.name(), Thread.currentThread());
          switch (request.name()) {
            case "long" -> end.await();
            case "short" -> turn.await();
            default -> {}
          }
          return Result.done();
        },
        options -> options.workers(1, 2));
    queue.add(new Request("default", "long"));
    queue.add(new Request("default", "short"));
    Eventually.await("two at a time", () -> threads.size() == 2);
    clock.advance(Duration.ofSeconds(10));
    turn.countDown();
    Thread second = threads.get("short");
    Eventually.await(
        "the second worker waits",
        () -> total("success") == 1 && second.getState() != Thread.State.RUNNABLE);

    queue.add(X);

    Eventually.await("a request beside the long one", () -> total("success") == 2);
    end.countDown();
  }

  @Test
  void workers_thatCannotBeAdded_areCountedAndAProblem() throws InterruptedException {
    AtomicInteger threads = new AtomicInteger();
    start(
        (request, context) -> Result.done(),
        options -> options.workers(1, 2),
        work -> {
          if (threads.getAndIncrement() > 0) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          return DaemonThreads.named("test-").newThread(work);
        });

    for (int i = 1; i <= 3; i++) {
      int done = i;
      queue.add(X);
      Eventually.await("reconcile " + i, () -> total("success") == done);
    }

    assertThat(workers.additionProblem().orElseThrow())
        .startsWith("3 failures in a row: A worker could not be added");
    assertThat(workers.problem()).isEmpty();
    assertThat(counter("controller_crashes_total")).isEqualTo(3);
  }

  @Test
  void threadFactory_thatBlocks_holdsUpNoOtherWorker() throws InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger threads = new AtomicInteger();
    start(
        (request, context) -> Result.done(),
        options -> options.workers(2, 3),
        work -> {
          if (threads.getAndIncrement() == 2) {
            awaitUninterruptibly(go);
          }
          return DaemonThreads.named("test-").newThread(work);
        });
    for (int i = 0; threads.get() < 3; i++) {
      queue.add(new Request("default", "x" + i));
    }
    int before = (int) total("success");
    queue.add(X);
    queue.add(new Request("default", "y"));
    queue.add(new Request("default", "z"));

    Eventually.await("the others", () -> total("success") >= before + 2);
    assertThat(workers.containCurrentThread()).isFalse();
    go.countDown();
  }

  @Test
  void finalFailureHandler_thatThrowsTheError_causesAnotherRetry() throws InterruptedException {
    AtomicInteger left = new AtomicInteger(1);
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              throw new TerminalException("the name is wrong");
            });
    start(
        reconciler,
        options ->
            options.onFinalFailure(
                (request, error, context) -> {
                  if (left.getAndDecrement() > 0) {
                    throw (TerminalException) error;
                  }
                }));

    queue.add(X);
    reconciler.next();
    Eventually.await("the end", () -> counter("reconcile_errors_total") == 1);

    assertThat(counter("terminal_reconcile_errors_total")).isZero();
    assertThat(waiting()).isEqualTo(1);
  }

  @Test
  void intervals_withoutAnEnd_causeNoFailure() throws InterruptedException {
    Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
    RecordingReconciler reconciler = new RecordingReconciler();
    start(
        reconciler, options -> options.minReconcileInterval(endless).maxReconcileInterval(endless));

    queue.add(X);

    assertThat(reconciler.next().request()).isEqualTo(X);
    Eventually.await("the end", () -> total("requeue_after") == 1);
    assertThat(counter("controller_crashes_total")).isZero();
  }

  private final List<String> threadNames = new CopyOnWriteArrayList<>();
}
