package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.leaderelection.LeadershipLostException;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.CapturedLog;
import dev.clientgo.testing.Eventually;
import dev.clientgo.testing.Fault;
import dev.clientgo.workqueue.RateLimiter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Work of a manager that no watch starts: runnables, channels, polls. */
@Timeout(120)
final class ManagerRunnableTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final RESTClient client = RESTClient.create(server.restConfig());
  private final PrometheusMetrics metrics = PrometheusMetrics.create();
  private final CapturedLog log = CapturedLog.of(ManagerRunnable.class);
  private final CapturedLog managerLog = CapturedLog.of(Manager.class);

  @AfterEach
  void close() {
    log.close();
    managerLog.close();
    client.close();
    server.close();
  }

  private ManagerBuilder builder() {
    return Manager.builder(client)
        .metrics(metrics)
        .metricsBindAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private static String readyz(Manager manager) {
    int port = manager.metricsAddress().orElseThrow().getPort();
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz")).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static LeaseLock lease() {
    return LeaseLock.of("default", "work");
  }

  // ---- runnables

  @Test
  @SuppressWarnings("try") // The first manager ends before the second one.
  void runnables_runWhereTheyShould_andWriteOnlyAsLeader() throws Exception {
    BlockingQueue<String> ran = new LinkedBlockingQueue<>();
    ManagerRunnable leader =
        work -> {
          work.resource(ConfigMap.TYPE).create(ConfigMap.of("default", "by-leader", map -> {}));
          ran.add("leader");
        };
    try (Manager first = builder().leaderElection(lease()).build();
        Manager second = Manager.builder(client).leaderElection(lease()).build()) {
      for (Manager manager : List.of(first, second)) {
        manager.add("leader", leader);
        manager.addEverywhere("each", work -> ran.add("each"));
      }
      first.start();
      assertThat(List.of(ran.take(), ran.take())).containsExactlyInAnyOrder("leader", "each");
      second.start();
      assertThat(ran.take()).isEqualTo("each");
      assertThat(second.isLeader()).isFalse();
      assertThat(ran).isEmpty();

      first.close(); // Gives the lease back.
      client.resource(ConfigMap.TYPE).inNamespace("default").delete("by-leader");

      assertThat(ran.take()).isEqualTo("leader");
    }
  }

  @Test
  void leadership_thatIsLost_interruptsTheWork_beforeTheLeaseIsFree() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    try (Manager manager = builder().leaderElection(lease()).build()) {
      manager.add(
          "stubborn",
          work -> {
            began.countDown();
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              mayEnd.await();
              try {
                work.resource(ConfigMap.TYPE).create(ConfigMap.of("default", "late", map -> {}));
                ends.add("written");
              } catch (LeadershipLostException lost) {
                ends.add("refused");
              }
            }
          });
      manager.start();
      began.await();

      Thread closer = new Thread(manager::close);
      closer.start();
      assertThat(ends.poll(100, TimeUnit.MILLISECONDS)).isNull();
      mayEnd.countDown();

      assertThat(ends.poll(60, TimeUnit.SECONDS)).isEqualTo("written"); // The lease is still held.
      closer.join(LIMIT.toMillis());
    }
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void runnable_thatThrows_isToldCountedAndNotReady_andIsCalledAgain(Fault fault) throws Exception {
    FakeClock clock = FakeClock.create();
    AtomicInteger left = new AtomicInteger(4);
    CountDownLatch works = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (Manager manager = builder().clock(clock).build()) {
      manager.addEverywhere(
          "flaky",
          work -> {
            if (left.getAndDecrement() > 0) {
              fault.fail();
            }
            works.countDown();
            end.await();
          });
      manager.start();
      Map<String, String> labels = Map.of("runnable", "flaky");
      for (int i = 1; i <= 4; i++) {
        int failures = i;
        Eventually.await(
            "failure " + i,
            () -> metrics.value("controller_runtime_runnable_failures_total", labels) == failures);
        if (i == 2) {
          assertThat(readyz(manager)).contains("[+]runnable-flaky ok");
        } else if (i == 4) {
          assertThat(readyz(manager)).contains("[-]runnable-flaky failed: 4 failures in a row");
        }
        clock.awaitWaiterWithin(Duration.ofSeconds(1L << (i - 1)));
        clock.advance(Duration.ofSeconds(1L << (i - 1)));
      }
      works.await();
      assertThat(log.contains("A runnable has failed and is started again: runnable=flaky"))
          .isTrue();
      assertThat(readyz(manager)).contains("[-]runnable-flaky failed");
      clock.advance(Duration.ofMinutes(10)); // It lasts.
      assertThat(readyz(manager)).contains("[+]runnable-flaky ok");
      end.countDown();
    }
  }

  @Test
  void mistakes_areToldWithWhatToDo() {
    Manager manager = builder().build();
    manager.add("a", work -> {});
    assertThatThrownBy(() -> manager.addEverywhere("a", work -> {}))
        .hasMessageContaining("there is a runnable named a already");
    assertThatThrownBy(() -> manager.add(" ", work -> {})).hasMessageContaining("blank");
    manager.close();
    assertThatThrownBy(() -> manager.add("b", work -> {})).hasMessageContaining("closed");
  }

  @Test
  void close_byTheWorkItself_returns() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    Manager manager = builder().leaderElection(lease()).build();
    manager.add(
        "last",
        work -> {
          manager.close();
          closed.countDown();
        });
    manager.start();

    assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void close_byTheProgramItself_leavesReconcilesTheirTime_andGivesTheLeaseBack(boolean byPoller)
      throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    AtomicReference<Controller> self = new AtomicReference<>();
    Reconciler reconciler =
        (request, context) -> {
          began.countDown();
          Eventually.await("close", () -> self.get().state() == ControllerState.CLOSED);
          try {
            new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
            ends.add("finished");
          } catch (InterruptedException e) {
            ends.add("interrupted");
          }
          return Result.done();
        };
    Manager manager = builder().leaderElection(lease()).build();
    ManagerRunnable work =
        any -> {
          began.await();
          manager.close();
          closed.countDown();
        };
    ControllerBuilder channel = Controller.builder(reconciler).named("channel").channel();
    if (byPoller) {
      channel.polls(
          Duration.ofHours(1),
          each -> {
            work.run(each);
            return List.of();
          });
    } else {
      manager.add("last", work);
    }
    self.set(channel.build());
    self.get().enqueue(new Request("a", "b"));
    manager.add(self.get());
    manager.start();

    assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(ends).containsExactly("finished");
    assertThat(log.contains("the lease is held until this process ends")).isFalse();
    Eventually.await("the lease is free", () -> holder().isEmpty());
  }

  private String holder() {
    try {
      return requireNonNull(
          client.resource(Lease.TYPE).inNamespace("default").get("work").spec().holderIdentity());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void runnable_thatLeavesAnInterruptBehind_waitsBeforeTheNextCall() throws Exception {
    CountDownLatch second = new CountDownLatch(2);
    try (Manager manager = builder().clock(FakeClock.create()).build()) {
      manager.addEverywhere(
          "flaky",
          work -> {
            second.countDown();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("as its thread was interrupted");
          });
      manager.start();

      assertThat(second.await(100, TimeUnit.MILLISECONDS)).isFalse();
    }
  }

  @Test
  void runnable_thatDoesNotEnd_isNamedAndTheLeaseIsHeld() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Manager manager =
        builder().gracefulShutdownTimeout(Duration.ofMillis(30)).leaderElection(lease()).build();
    manager.add(
        "deaf",
        work -> {
          began.countDown();
          while (end.getCount() > 0) {
            try {
              end.await();
            } catch (InterruptedException e) {
              // Deaf.
            }
          }
        });
    manager.start();
    began.await();

    manager.close();

    assertThat(log.contains("runnable=deaf")).isTrue();
    assertThat(managerLog.contains("the lease is held until this process ends")).isTrue();
    end.countDown();
  }

  // ---- channels and polls

  @Test
  void enqueue_beforeTheStart_isKept() throws Exception {
    BlockingQueue<Request> reconciled = new LinkedBlockingQueue<>();
    Controller channel =
        Controller.builder(
                (request, context) -> {
                  reconciled.add(request);
                  return Result.done();
                })
            .named("channel")
            .channel()
            .build();
    channel.enqueue(new Request("a", "early"));
    try (Manager manager = builder().leaderElection(lease()).build()) {
      manager.add(channel);
      channel.enqueue(new Request("a", "added"));
      manager.start();
      assertThat(List.of(reconciled.take(), reconciled.take()))
          .containsExactly(new Request("a", "early"), new Request("a", "added"));
      channel.enqueue(new Request("a", "late"));
      assertThat(reconciled.take()).isEqualTo(new Request("a", "late"));
    }
    channel.enqueue(new Request("a", "closed"));
    assertThat(reconciled).isEmpty();
  }

  @Test
  void poller_isCalledAtOnceAndPeriodically_withAClientThatReads() throws Exception {
    client
        .resource(ConfigMap.TYPE)
        .create(
            ConfigMap.builder()
                .metadata(ObjectMeta.builder().namespace("default").name("x").build())
                .build());
    FakeClock clock = FakeClock.create();
    BlockingQueue<Request> reconciled = new LinkedBlockingQueue<>();
    Controller polled =
        Controller.builder(
                (request, context) -> {
                  reconciled.add(request);
                  return Result.done();
                })
            .named("polled")
            .polls(
                Duration.ofSeconds(7),
                each ->
                    each.resource(ConfigMap.TYPE).inNamespace("default").list().stream()
                        .map(Request::of)
                        .toList())
            .build();
    try (Manager manager = builder().clock(clock).build()) {
      manager.add(polled);
      manager.start();
      for (int i = 0; i < 3; i++) {
        assertThat(reconciled.take()).isEqualTo(new Request("default", "x"));
        clock.awaitWaiterWithin(Duration.ofSeconds(7));
        clock.advance(Duration.ofSeconds(7));
      }
    }
  }

  /** Each replica polls, and none knows for which object. */
  @Test
  void poller_ofReplicasThatShareTheObjects_writesNothing() throws Exception {
    BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    Controller polled =
        Controller.builder((request, context) -> Result.done())
            .forKind(ConfigMap.TYPE)
            .polls(
                Duration.ofHours(1),
                each -> {
                  try {
                    each.resource(ConfigMap.TYPE).create(ConfigMap.of("default", "w", map -> {}));
                    ends.add("written");
                  } catch (IllegalStateException e) {
                    ends.add(e.getMessage());
                  }
                  return List.of();
                })
            .build();
    try (Manager manager = builder().shards(LeaseLock.of("default", "poll"), group -> {}).build()) {
      manager.add(polled);
      manager.start();
      assertThat(ends.take()).contains("was not sent").contains("shares the objects");
    }
  }

  @Test
  void poller_thatDoesNotReturn_isNotReady() throws Exception {
    FakeClock clock = FakeClock.create();
    CountDownLatch began = new CountDownLatch(1);
    Controller polled =
        Controller.builder((request, context) -> Result.done())
            .named("polled")
            .polls(
                Duration.ofSeconds(30),
                each -> {
                  began.countDown();
                  new CountDownLatch(1).await();
                  return List.of();
                })
            .build();
    try (Manager manager = builder().clock(clock).build()) {
      manager.add(polled);
      manager.start();
      began.await();
      assertThat(manager.awaitReady(LIMIT)).isTrue();
      assertThat(readyz(manager)).contains("[+]controller-polled ok");

      clock.advance(Duration.ofSeconds(91));

      assertThat(readyz(manager))
          .contains(
              "[-]controller-polled failed: poller polled-poll-0 has not returned for PT1M31S");
    }
  }

  @Test
  void poller_thatFails_isNotReady_whateverTheOthersDo() throws Exception {
    FakeClock clock = FakeClock.create();
    AtomicInteger good = new AtomicInteger();
    AtomicInteger bad = new AtomicInteger();
    Controller polled =
        Controller.builder((request, context) -> Result.done())
            .named("polled")
            .polls(
                Duration.ofSeconds(7),
                each -> {
                  good.incrementAndGet();
                  return List.of();
                })
            .polls(
                Duration.ofSeconds(7),
                each -> {
                  bad.incrementAndGet();
                  throw new IllegalStateException("no database");
                })
            .build();
    try (Manager manager = builder().clock(clock).build()) {
      manager.add(polled);
      manager.start();
      for (int i = 1; i <= 4; i++) {
        int calls = i;
        Eventually.await(
            "round " + i,
            () -> {
              boolean reached = good.get() >= calls && bad.get() >= calls;
              if (!reached) {
                clock.advance(Duration.ofSeconds(1));
              }
              return reached;
            });
      }

      assertThat(readyz(manager)).contains("[-]controller-polled failed: ", "no database");
    }
  }

  @Test
  void poller_thatLeavesAnInterruptBehind_isAskedAfterThePeriod() throws Exception {
    FakeClock clock = FakeClock.create();
    AtomicInteger calls = new AtomicInteger();
    Controller polled =
        Controller.builder((request, context) -> Result.done())
            .named("polled")
            .polls(
                Duration.ofSeconds(7),
                each -> {
                  calls.incrementAndGet();
                  Thread.currentThread().interrupt();
                  return List.of();
                })
            .build();
    try (Manager manager = builder().clock(clock).build()) {
      manager.add(polled);
      manager.start();
      clock.awaitWaiterWithin(Duration.ofSeconds(7));

      assertThat(calls).hasValue(1);
    }
  }

  @Test
  void maxRetries_endTheRetries_evenIfTheRateLimiterCountsNone() throws Exception {
    BlockingQueue<Integer> handled = new LinkedBlockingQueue<>();
    Controller failing =
        Controller.builder(
                (request, context) -> {
                  throw new IllegalStateException("no disk");
                })
            .named("failing")
            .channel()
            .rateLimiter(RateLimiter.bucket(1000, 1000))
            .maxRetries(2)
            .onFinalFailure((request, error, context) -> handled.add(context.failures()))
            .build();
    failing.enqueue(new Request("a", "b"));
    try (Manager manager = builder().build()) {
      manager.add(failing);
      manager.start();

      assertThat(handled.poll(10, TimeUnit.SECONDS)).isEqualTo(2);
    }
  }
}
