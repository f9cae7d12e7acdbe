package dev.clientgo.leaderelection.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.certificates.CertificateAuthority;
import dev.clientgo.rest.config.RestConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the code of a user throws in a thread of a shard group, the member continues. */
@Timeout(120)
final class ShardFaultsTest {

  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final Duration SHORT = Duration.ofSeconds(4);

  private static EmbeddedApiServer server;
  private static RESTClient client;

  private final LeaseLock lock = LeaseLock.of("default", "faults-" + NUMBERS.incrementAndGet());
  private final List<AutoCloseable> opened = new ArrayList<>();

  @BeforeAll
  static void start() {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable next : opened) {
      next.close();
    }
  }

  /** Throws something. */
  @FunctionalInterface
  interface Fault {
    RuntimeException fail();
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        argumentSet(
            "a RuntimeException",
            (Fault)
                () -> {
                  throw new IllegalStateException("a fault of the user");
                }),
        argumentSet(
            "an Error",
            (Fault)
                () -> {
                  throw new StackOverflowError("a fault of the user");
                }),
        argumentSet(
            "an error whose text cannot be read",
            (Fault)
                () -> {
                  throw new IllegalStateException() {
                    @Override
                    public String getMessage() {
                      throw new StackOverflowError("a fault of the user");
                    }
                  };
                }));
  }

  private ShardGroup.Builder member(RESTClient through, String identity) {
    return ShardGroup.builder(through, lock)
        .identity(identity)
        .leaseDuration(SHORT)
        .renewDeadline(Duration.ofSeconds(3))
        .retryPeriod(Duration.ofMillis(200));
  }

  private ShardGroup opened(ShardGroup.Builder options) {
    ShardGroup group = options.build();
    opened.add(0, group);
    return group;
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    Clock clock = Clock.system();
    long start = clock.nanoTime();
    while (!condition.getAsBoolean()) {
      if (clock.nanoTime() - start > Duration.ofSeconds(60).toNanos()) {
        throw new AssertionError("waited a minute for: " + what);
      }
      clock.sleep(Duration.ofMillis(2));
    }
  }

  private static void awaitSlots(ShardGroup group, int count) throws InterruptedException {
    await(group + " owns " + count + " slots", () -> group.slots().size() == count);
  }

  /** Counts what it is told, and throws each time if it is broken. */
  private static final class Counting implements ShardListener {
    final AtomicInteger taken = new AtomicInteger();
    final AtomicInteger left = new AtomicInteger();
    volatile Fault fault = () -> new IllegalStateException();
    volatile boolean isBroken;

    private void fail() {
      if (isBroken) {
        throw fault.fail();
      }
    }

    @Override
    public void expects(SortedSet<Integer> slots) {
      fail();
    }

    @Override
    public void taken(SortedSet<Integer> slots) {
      taken.addAndGet(slots.size());
      fail();
    }

    @Override
    public void left(SortedSet<Integer> slots, String reason) {
      left.addAndGet(slots.size());
      fail();
    }
  }

  @ParameterizedTest
  @MethodSource("faults")
  void listenerThatThrows_isTold_andKeepsNothingFromTheOthers(Fault fault) throws Exception {
    Counting broken = new Counting();
    Counting well = new Counting();
    broken.fault = fault;
    broken.isBroken = true;
    ShardGroup a = opened(member(client, "a"));
    a.addListener(broken);
    a.addListener(well);

    a.start();
    await("the other listener hears of the slots", () -> well.taken.get() == 256);
    ShardGroup b = opened(member(client, "b"));
    b.start();
    await("slots that are left", () -> well.left.get() > 0 && !b.slots().isEmpty());
    b.close();
    await("slots that are taken again", () -> well.taken.get() == 256 + well.left.get());

    assertThat(broken.taken).hasValue(well.taken.get());
    assertThat(broken.left).hasValue(well.left.get());
    assertThat(a.slots()).hasSize(256);
    assertThat(a.check(Duration.ZERO))
        .hasValueSatisfying(text -> assertThat(text).contains("failures in a row", "listener"));
    broken.isBroken = false;
    opened(member(client, "c")).start();
    await("health again", () -> a.check(Duration.ZERO).isEmpty());
  }

  @ParameterizedTest
  @MethodSource("faults")
  void workThatThrowsWhenItIsLost_keepsNothingFromTheOthers(Fault fault) throws Exception {
    ShardGroup a = opened(member(client, "a"));
    Counting listener = new Counting();
    a.addListener(listener);
    a.start();
    awaitSlots(a, 256);
    AtomicInteger told = new AtomicInteger();
    for (int i = 0; i < 20; i++) {
      a.begin(
          "uid-" + i,
          () -> {
            told.incrementAndGet();
            throw fault.fail();
          });
    }

    String lease = a.members().get(0).lease();
    client.resource(Lease.TYPE).inNamespace("default").delete(lease);

    await("all work is told", () -> told.get() == 20);
    await("the member has its slots again", () -> listener.taken.get() == 512);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void threadFactoryThatThrows_delaysTheMember(Fault fault) throws Exception {
    AtomicInteger failures = new AtomicInteger();
    ThreadFactory daemons = DaemonThreads.platform("faults-");
    Thread starter = Thread.currentThread();
    ShardGroup a =
        opened(
            member(client, "a")
                .threadFactory(
                    task -> {
                      boolean drives = Thread.currentThread().getName().equals("faults-0");
                      if (drives && failures.getAndIncrement() < 3) {
                        throw fault.fail();
                      }
                      return daemons.newThread(task);
                    }));

    a.start();

    assertThat(starter).isSameAs(Thread.currentThread());
    awaitSlots(a, 256);
    assertThat(failures).hasValueGreaterThan(3);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void requestThatThrows_isSentAgain(Fault fault) throws Exception {
    AtomicInteger failures = new AtomicInteger();
    RESTClient faulty =
        RESTClient.builder(server.restConfig())
            .addInterceptor(
                (request, next) -> {
                  if (!request.method().equals("GET") && failures.getAndIncrement() < 6) {
                    throw fault.fail();
                  }
                  return next.send(request);
                })
            .build();
    opened.add(faulty);
    ShardGroup a = opened(member(faulty, "a"));
    long start = Clock.system().nanoTime();

    a.start();
    awaitSlots(a, 256);

    // At once, not when the time of a request that has never been sent is up.
    Duration took = Duration.ofNanos(Clock.system().nanoTime() - start);
    assertThat(took).isLessThan(Duration.ofSeconds(5));
    assertThat(failures).hasValueGreaterThan(6);
  }

  /** Reconcilers that compute, or that are pinned, leave no carrier to any other virtual thread. */
  @Test
  void membership_besideVirtualThreadsThatSpin_isKept() throws Exception {
    assumeTrue(Runtime.version().feature() >= 21, "needs virtual threads");
    ShardGroup a = opened(member(client, "a"));
    Counting listener = new Counting();
    a.addListener(listener);
    a.start();
    awaitSlots(a, 256);

    Clock clock = Clock.system();
    long end = clock.nanoTime() + SHORT.multipliedBy(2).toNanos();
    ThreadFactory virtual = DaemonThreads.named("spinning-");
    List<Thread> spinning = new ArrayList<>();
    for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
      spinning.add(
          virtual.newThread(
              () -> {
                while (clock.nanoTime() < end) {
                  Thread.onSpinWait();
                }
              }));
    }
    spinning.forEach(Thread::start);
    for (Thread thread : spinning) {
      thread.join();
    }

    assertThat(listener.left).hasValue(0);
    assertThat(a.slots()).hasSize(256);
  }

  /** Calls a function for each line of the log of shard groups, until it is closed. */
  private void onLog(Consumer<LogRecord> function) {
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            function.accept(record);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(ShardGroup.class.getName());
    logger.addHandler(handler);
    opened.add(() -> logger.removeHandler(handler));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void loggerThatThrows_keepsNothingFromTheListeners(Fault fault) throws Exception {
    onLog(
        record -> {
          throw fault.fail();
        });
    ShardGroup a = opened(member(client, "a"));
    Counting listener = new Counting();
    a.addListener(listener);
    a.start();
    await("the listener hears of the slots", () -> listener.taken.get() == 256);

    a.close();

    assertThat(listener.left).hasValue(256);
  }

  /** Whether it hangs at a fault of the thread factory or at slots that are taken. */
  @ParameterizedTest
  @ValueSource(strings = {"has no thread", "were taken"})
  void loggerThatHangs_stopsNoRenewal(String line) throws Exception {
    CountDownLatch mayLog = new CountDownLatch(1);
    CountDownLatch hangs = new CountDownLatch(1);
    onLog(
        record -> {
          if (record.getMessage().contains(line)) {
            hangs.countDown();
            awaitUninterruptibly(mayLog);
          }
        });
    AtomicInteger writes = new AtomicInteger();
    RESTClient counted =
        RESTClient.builder(server.restConfig())
            .addInterceptor(
                (request, next) -> {
                  writes.addAndGet(request.method().equals("PUT") ? 1 : 0);
                  return next.send(request);
                })
            .build();
    opened.add(counted);
    AtomicBoolean failed = new AtomicBoolean();
    ThreadFactory daemons = DaemonThreads.platform("faults-");
    ShardGroup a =
        opened(
            member(counted, "a")
                .threadFactory(
                    task -> {
                      boolean drives = Thread.currentThread().getName().equals("faults-0");
                      if (drives && !failed.getAndSet(true)) {
                        throw new IllegalStateException("a fault of the user");
                      }
                      return daemons.newThread(task);
                    }));
    opened.add(0, mayLog::countDown);
    a.start();
    assertThat(hangs.await(60, TimeUnit.SECONDS)).isTrue();

    int before = writes.get();
    await("renewals", () -> writes.get() > before + 5);
  }

  /** A clock whose time of day can be set. */
  private static final class SetClock implements Clock {
    volatile Duration ahead = Duration.ZERO;

    @Override
    public Instant now() {
      return Clock.system().now().plus(ahead);
    }

    @Override
    public long nanoTime() {
      return Clock.system().nanoTime();
    }

    @Override
    public boolean await(Lock lock, Condition condition, Duration timeout)
        throws InterruptedException {
      return Clock.system().await(lock, condition, timeout);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      Clock.system().sleep(duration);
    }
  }

  @Test
  void watchThatRecovers_isNoObstacle_thoughTheClockWasSetBack() throws Exception {
    SetClock clock = new SetClock();
    AtomicBoolean broken = new AtomicBoolean(true);
    RESTClient faulty =
        RESTClient.builder(server.restConfig())
            .addInterceptor(
                (request, next) -> {
                  if (broken.get() && request.url().toString().contains("labelSelector")) {
                    throw new IllegalStateException("a fault of the user");
                  }
                  return next.send(request);
                })
            .build();
    opened.add(faulty);
    ShardGroup a = opened(member(faulty, "a").clock(clock));
    clock.ahead = Duration.ofHours(1);
    a.start();
    await("an error", () -> a.obstacle().filter(text -> text.contains("watch")).isPresent());

    clock.ahead = Duration.ZERO;
    broken.set(false);

    awaitSlots(a, 256);
    await("that nothing is in the way", () -> a.obstacle().isEmpty());
  }

  /** The thread that calls the listeners may see the end of the member before its driver does. */
  @Test
  void refusal_isToldToTheListeners_beforeTheDriverHasSeenIt() throws Exception {
    ShardGroup first = opened(member(client, "first"));
    first.start();
    awaitSlots(first, 256);
    CountDownLatch mayDrive = new CountDownLatch(1);
    List<Thread> threads = new CopyOnWriteArrayList<>();
    ThreadFactory daemons = DaemonThreads.platform("faults-");
    ThreadFactory lateDriver =
        task -> {
          boolean drives = threads.isEmpty();
          Thread thread =
              daemons.newThread(
                  () -> {
                    if (drives) {
                      awaitUninterruptibly(mayDrive);
                    }
                    task.run();
                  });
          threads.add(thread);
          return thread;
        };
    BlockingQueue<RuntimeException> failures = new LinkedBlockingQueue<>();
    ShardGroup other = opened(member(client, "other").slots(128).threadFactory(lateDriver));
    other.addListener(
        new ShardListener() {
          @Override
          public void failed(RuntimeException error) {
            failures.add(error);
          }
        });

    other.start();
    await("the refusal", () -> other.failure().isPresent());
    threads.get(1).join(); // It calls the listeners.
    mayDrive.countDown();

    assertThat(failures.poll(10, TimeUnit.SECONDS)).isSameAs(other.failure().orElseThrow());
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        // The test ends it.
      }
    }
  }

  @Test
  void certificateThatIsNotThere_delaysTheMember(@TempDir Path folder) throws Exception {
    CertificateAuthority.Identity identity =
        CertificateAuthority.create(Clock.system(), "test")
            .issueClient("a", List.of("system:masters"));
    Path certificate = folder.resolve("certificate.pem");
    Path key = folder.resolve("key.pem");
    Files.writeString(certificate, identity.certificatePem());
    Files.writeString(key, identity.privateKeyPem());
    RestConfig config =
        server.restConfig().toBuilder().clientCertificate(certificate).clientKey(key).build();
    RESTClient own = RESTClient.create(config);
    opened.add(own);
    Files.delete(certificate);

    ShardGroup a = opened(member(own, "a"));
    a.start();
    await("an error", () -> a.obstacle().filter(text -> text.contains("certificate")).isPresent());
    Files.writeString(certificate, identity.certificatePem());

    awaitSlots(a, 256);
  }
}
