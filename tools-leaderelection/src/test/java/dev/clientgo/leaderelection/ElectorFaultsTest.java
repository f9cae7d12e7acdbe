package dev.clientgo.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.certificates.CertificateAuthority;
import dev.clientgo.rest.certificates.CertificateAuthority.Identity;
import dev.clientgo.rest.config.RestConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Electors whose files, permissions and callbacks fail: they continue, and tell of it. */
@Timeout(300)
final class ElectorFaultsTest {

  private static final Duration TOLERANCE = Duration.ofSeconds(20);

  @TempDir private Path folder;

  private final FakeClock clock = FakeClock.create();
  private final BlockingQueue<LeadershipTerm> terms = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
  private final AtomicInteger failures = new AtomicInteger();
  private final LogLines log = new LogLines();
  private EmbeddedApiServer server;
  private RESTClient client;

  /** The messages of the elector's log. */
  private static final class LogLines extends Handler {
    final List<String> lines = new CopyOnWriteArrayList<>();
    final Logger logger = Logger.getLogger(LeaderElector.class.getName());

    /** Null if the log works. */
    volatile @Nullable Throwable fault;

    @Override
    public void publish(LogRecord record) {
      Throwable thrown = fault;
      if (thrown != null) {
        throw thrown(thrown);
      }
      lines.add(record.getLevel() + " " + record.getMessage() + " " + record.getThrown());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    List<String> errors() {
      return lines.stream().filter(line -> line.startsWith("SEVERE")).toList();
    }
  }

  @BeforeEach
  void start() {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
    log.logger.addHandler(log);
  }

  @AfterEach
  void stop() {
    log.logger.removeHandler(log);
    client.close();
    server.close();
  }

  /** The clock goes on during requests; their timeout is so long that it takes seconds. */
  private LeaderElector.Builder builder(RESTClient of) {
    return LeaderElector.builder(of, LeaseLock.of("default", "cart"), "a")
        .clock(clock)
        .leaseDuration(Duration.ofMinutes(20))
        .renewDeadline(Duration.ofMinutes(18))
        .random(new Random(1))
        .metrics(
            new LeaderElectionMetrics() {
              @Override
              public void failed(String name) {
                failures.incrementAndGet();
              }
            })
        .onStartedLeading(terms::add)
        .onStoppedLeading(() -> calls.add("stopped"));
  }

  /** Moves the clock until something is so. */
  private void advanceUntil(String what, BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; i < 10_000; i++) {
      if (condition.getAsBoolean()) {
        return;
      }
      Clock.system().sleep(Duration.ofMillis(10));
      clock.advance(Duration.ofSeconds(1));
    }
    throw new AssertionError("waited for " + what + ": " + log.lines);
  }

  @Test
  void start_withoutItsCertificate_competesWhenTheFileIsThere() throws Exception {
    Identity identity =
        CertificateAuthority.create(clock, "test").issueClient("a", List.of("system:masters"));
    Path certificate = folder.resolve("certificate.pem");
    Path key = folder.resolve("key.pem");
    Files.writeString(certificate, identity.certificatePem());
    Files.writeString(key, identity.privateKeyPem());
    RestConfig config =
        server.restConfig().toBuilder().clientCertificate(certificate).clientKey(key).build();
    try (RESTClient own = RESTClient.create(config)) {
      Files.delete(certificate);
      try (LeaderElector elector = builder(own).build()) {
        elector.start();
        advanceUntil("the error", () -> !log.errors().isEmpty());
        assertThat(log.errors().get(0)).contains("certificate.pem");
        advanceUntil("the unhealthy elector", () -> elector.check(TOLERANCE).isPresent());

        Files.writeString(certificate, identity.certificatePem());

        advanceUntil("the term", elector::isLeader);
        assertThat(elector.check(TOLERANCE)).isEmpty();
      }
    }
  }

  private void answerLeases(String verb, int code) {
    server.faults().on(request -> request.matches(verb, "leases")).always().answer(code);
  }

  @Test
  void candidate_withoutPermission_namesTheVerbsAgainAndAgainAndIsNotReady() throws Exception {
    answerLeases("get", 403);
    try (LeaderElector elector = builder(client).build()) {
      elector.start();
      advanceUntil("the fourth line", () -> log.errors().size() >= 4);

      assertThat(log.errors())
          .allSatisfy(
              line ->
                  assertThat(line)
                      .contains(
                          "grant the verbs get, create and update on leases.coordination.k8s.io"
                              + " in the namespace default"));
      assertThat(server.requests(request -> request.matches("get", "leases")))
          .as("failures 1, 2, 4 and 8")
          .hasSizeBetween(8, 15);
      assertThat(elector.problem().orElseThrow()).contains("failures in a row", "grant the verbs");
      assertThat(elector.check(TOLERANCE)).as("a restart does not help").isEmpty();
      assertThat(failures.get()).isGreaterThanOrEqualTo(8);

      server.faults().clear();

      advanceUntil("the term", elector::isLeader);
      assertThat(elector.problem()).isEmpty();
    }
  }

  /** The reads between the refused writes succeed, and do not end the row of failures. */
  @Test
  void candidate_thatMayOnlyRead_isNotReadyOnceTheLeaseIsFree() throws Exception {
    hold("other", 15);
    answerLeases("update", 403);
    try (LeaderElector elector = builder(client).build()) {
      elector.start();
      advanceUntil("the holder", () -> elector.leader().equals("other"));
      assertThat(elector.problem()).isEmpty();

      advanceUntil("the problem", () -> elector.problem().isPresent());
    }
  }

  @Test
  void standby_thatWaitsForAnotherHolder_staysReady() throws Exception {
    hold("other", 3600);
    try (LeaderElector elector = builder(client).build()) {
      elector.start();
      int before = server.requests().size();
      advanceUntil("ten attempts", () -> server.requests().size() >= before + 10);

      assertThat(elector.problem()).isEmpty();
      assertThat(elector.check(TOLERANCE)).isEmpty();
      assertThat(log.errors()).isEmpty();
    }
  }

  private void hold(String holder, int seconds) throws InterruptedException {
    client
        .resource(Lease.TYPE)
        .create(
            Lease.of(
                "default",
                "cart",
                l -> l.editSpec(s -> s.holderIdentity(holder).leaseDurationSeconds(seconds))));
  }

  /** An error whose text is code that fails, too. */
  private static final class Unprintable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no text");
    }

    @Override
    public String toString() {
      throw new StackOverflowError();
    }
  }

  static Stream<Arguments> errors() {
    return Stream.of(
        argumentSet("an exception", new IllegalStateException("injected")),
        argumentSet("an error", new StackOverflowError("injected")),
        argumentSet("an error without text", new Unprintable()));
  }

  /** Throws the error. */
  private static RuntimeException thrown(Throwable error) {
    if (error instanceof Error fatal) {
      throw fatal;
    }
    throw (RuntimeException) error;
  }

  /** Counts failures; throws at every call. */
  private LeaderElectionMetrics failing(Throwable error) {
    return new LeaderElectionMetrics() {
      @Override
      public void leading(String name, boolean leads) {
        throw thrown(error);
      }

      @Override
      public void slowPathExercised(String name) {
        throw thrown(error);
      }

      @Override
      public void failed(String name) {
        failures.incrementAndGet();
        throw thrown(error);
      }
    };
  }

  @ParameterizedTest
  @MethodSource("errors")
  void callbacks_thatFail_areToldAndCountedAndTheElectionGoesOn(Throwable error) throws Exception {
    hold("other", 15);
    AtomicInteger threads = new AtomicInteger();
    ThreadFactory platform = DaemonThreads.platform("test-");
    LeaderElector.Builder builder =
        builder(client)
            .metrics(failing(error))
            .events(
                (lease, message) -> {
                  throw thrown(error);
                })
            .onNewLeader(
                leader -> {
                  throw thrown(error);
                })
            .random(
                () -> {
                  throw thrown(error);
                })
            .threadFactory(
                task -> {
                  int number = threads.incrementAndGet();
                  if (number >= 2 && number <= 4) { // Of requests, long before the work.
                    throw thrown(error);
                  }
                  return platform.newThread(task);
                });
    try (LeaderElector elector = builder.build()) {
      elector.start();
      advanceUntil("the unhealthy elector", () -> elector.check(TOLERANCE).isPresent());

      advanceUntil("the term", elector::isLeader);
      advanceUntil("the work", () -> !terms.isEmpty());

      server.faults().on(request -> request.matches("update", "leases")).times(6).answer(409);
      advanceUntil("the metrics", () -> metricsFailed(elector));
      assertThat(elector.isLeader()).isTrue();
      assertThat(String.join("\n", log.errors()))
          .contains(
              "callback=metrics", "callback=events", "callback=onNewLeader", "callback=election");
      assertThat(failures.get()).isGreaterThan(3);
    }
    assertThat(calls).containsExactly("stopped");
  }

  private static boolean metricsFailed(LeaderElector elector) {
    return elector.check(TOLERANCE).filter(text -> text.contains("metrics")).isPresent();
  }

  @ParameterizedTest
  @MethodSource("errors")
  void work_thatFails_endsTheElectionWhichIsUnhealthyThen(Throwable error) throws Exception {
    try (LeaderElector elector =
        builder(client)
            .onStartedLeading(
                term -> {
                  throw thrown(error);
                })
            .releaseOnCancel(true)
            .build()) {
      elector.start();
      assertThat(calls.poll(60, TimeUnit.SECONDS)).isEqualTo("stopped");
      advanceUntil("the end", () -> elector.problem().isPresent());

      assertThat(log.errors()).anyMatch(line -> line.contains("The leader election has ended"));
      assertThat(elector.problem().orElseThrow()).contains("does not compete any more");
      assertThat(elector.check(TOLERANCE)).isPresent();
      assertThat(elector.isLeader()).isFalse();
      assertThatThrownBy(elector::run).isSameAs(error);
    }
  }

  @ParameterizedTest
  @MethodSource("errors")
  void onStoppedLeading_thatFails_isThrownAndTheElectorCanRunAgain(Throwable error)
      throws Exception {
    AtomicBoolean once = new AtomicBoolean(true);
    LeaderElector.Builder builder =
        builder(client)
            .onStartedLeading(
                term -> {
                  terms.add(term);
                  if (once.get()) {
                    throw new IllegalStateException("the work");
                  }
                })
            .onStoppedLeading(
                () -> {
                  if (once.getAndSet(false)) {
                    throw thrown(error);
                  }
                });
    try (LeaderElector elector = builder.build()) {
      assertThatThrownBy(elector::run).hasMessage("the work");
      assertThat(log.errors()).anyMatch(line -> line.contains("callback=onStoppedLeading"));
      elector.start();

      advanceUntil("the next term", () -> terms.size() == 2 && elector.isLeader());
      assertThat(elector.problem()).isEmpty();
    }
  }

  /** A leader without work would keep the Lease from all others, and nothing would tell of it. */
  @ParameterizedTest
  @MethodSource("errors")
  void loggerThatFails_keepsNoWorkFromItsBeginAndItsEnd(Throwable error) throws Exception {
    log.fault = error;
    LeaderElector.Builder builder =
        builder(client)
            .onStartedLeading(
                term -> {
                  terms.add(term);
                  try {
                    new CountDownLatch(1).await();
                  } finally {
                    calls.add("interrupted");
                  }
                });
    try (LeaderElector elector = builder.build()) {
      elector.start();
      advanceUntil("the work", () -> !terms.isEmpty());
    }
    assertThat(calls).containsExactlyInAnyOrder("interrupted", "stopped");
  }

  @Test
  void metricsThatHang_delayNoInterruptOfTheWork() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    LeaderElector.Builder builder =
        builder(client)
            .metrics(
                new LeaderElectionMetrics() {
                  @Override
                  public void leading(String name, boolean leads) {
                    if (!leads && !terms.isEmpty()) {
                      awaitUninterruptibly(interrupted);
                    }
                  }
                })
            .onStartedLeading(
                term -> {
                  terms.add(term);
                  try {
                    new CountDownLatch(1).await();
                  } finally {
                    interrupted.countDown();
                  }
                });
    LeaderElector elector = builder.build();
    elector.start();
    advanceUntil("the work", () -> !terms.isEmpty());

    Thread closer = new Thread(elector::close);
    closer.start();

    assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    closer.join();
  }

  /** The error calls the elector when its text is read: the election has just ended then. */
  @Test
  void start_whileTheFormerElectionTellsOfItsEnd_isHealthy() throws Exception {
    AtomicReference<LeaderElector> elector = new AtomicReference<>();
    AtomicReference<Thread> former = new AtomicReference<>();
    IllegalStateException restarting =
        new IllegalStateException() {
          @Override
          public String getMessage() {
            if (former.compareAndSet(null, Thread.currentThread())) {
              elector.get().start();
            }
            return "the work has failed";
          }
        };
    elector.set(
        builder(client)
            .onStartedLeading(
                term -> {
                  terms.add(term);
                  if (terms.size() == 1) {
                    throw restarting;
                  }
                })
            .build());
    try (LeaderElector running = elector.get()) {
      running.start();
      advanceUntil("the second term", () -> terms.size() == 2 && running.isLeader());
      former.get().join();

      assertThat(running.problem()).isEmpty();
      assertThat(running.check(TOLERANCE)).isEmpty();
    }
  }

  /** The end of a work of a former run tells nothing of the work that continues. */
  @Test
  void lease_whileAnyWorkGoesOn_isNotGivenBack() throws Exception {
    BlockingQueue<Thread> workers = new LinkedBlockingQueue<>();
    List<CountDownLatch> mayEnd = List.of(new CountDownLatch(1), new CountDownLatch(1));
    LeaderElector.Builder builder =
        builder(client)
            .releaseOnCancel(true)
            .onStartedLeading(
                term -> {
                  terms.add(term);
                  CountDownLatch latch = mayEnd.get(terms.size() - 1);
                  workers.add(Thread.currentThread());
                  awaitUninterruptibly(latch);
                });
    try (LeaderElector elector = builder.build()) {
      elector.start();
      Thread first = workers.poll(30, TimeUnit.SECONDS);
      client
          .resource(Lease.TYPE)
          .inNamespace("default")
          .edit("cart", lease -> lease.with(l -> l.editSpec(s -> s.holderIdentity(""))));
      advanceUntil("the end of the first run", () -> elector.problem().isPresent());
      elector.start();
      advanceUntil("the second work", () -> !workers.isEmpty());

      mayEnd.get(0).countDown();
      first.join();
      Thread closer = new Thread(elector::close);
      closer.start();
      LeadershipTerm second = terms.stream().skip(1).findFirst().orElseThrow();
      second.awaitEnd();
      Clock.system().sleep(Duration.ofMillis(300)); // Enough to send a wrong release.

      assertThat(server.requests(request -> request.bodyText().contains("Identity\":\"\"")))
          .as("releases of the elector, beside the edit of this test")
          .hasSize(1);
      mayEnd.get(1).countDown();
      closer.join();
      assertThat(elector.leader()).isEmpty();
    } finally {
      mayEnd.forEach(CountDownLatch::countDown);
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        // It does not listen.
      }
    }
  }
}
