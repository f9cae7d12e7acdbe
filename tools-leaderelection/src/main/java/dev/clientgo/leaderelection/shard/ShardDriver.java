package dev.clientgo.leaderelection.shard;

import static java.lang.System.Logger.Level.ERROR;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.clock.Deadline;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.internal.LeaseClient;
import dev.clientgo.leaderelection.internal.LeaseRequest;
import dev.clientgo.leaderelection.internal.LeaseRequest.Answer;
import dev.clientgo.leaderelection.internal.LeaseThreads;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Threads. One drives the rules: it sends what they want and sleeps until something happens. It
 * never sends a request itself: a name lookup or a credential plugin may hang. So each request has a
 * thread, which is interrupted if the rules give the request up. One thread calls the listeners and
 * the logger, so that a slow one delays no renewal. One waits for the first list of the watch.
 * Whatever a user's code throws in one of them, the thread continues.
 *
 * Locks. One, for the rules and the calls that wait. Under it, only fences cancel requests.
 */

/** Does what a {@link Membership} wants, with threads and a server. */
final class ShardDriver {

  /** A listener, and what it has thrown. */
  private record Told(ShardListener listener, CrashLog crashes) {}

  private final Clock clock;
  private final Duration retryPeriod;
  private final LeaseThreads threads;
  private final LeaseClient requests;
  private final MemberWatch watch;
  private final ShardReports reports;
  private final List<Told> listeners = new CopyOnWriteArrayList<>();

  private final CrashLog crashes =
      new CrashLog(
          (message, error) -> put(() -> CrashLog.log(ShardReports.LOG, ERROR, message, error)));

  private final CrashLog lost = new CrashLog(ShardReports.LOG);

  private final ReentrantLock lock = new ReentrantLock();

  /** Signalled when the rules should be asked again, a call waits, or all has ended. */
  private final Condition changed;

  @GuardedBy("lock")
  private final Membership rules;

  /** Waits for the first list of the watch; null before the start. */
  @GuardedBy("lock")
  private @Nullable Thread watcher;

  @GuardedBy("lock")
  private final IdentityHashMap<LeaseRequest, Thread> senders = new IdentityHashMap<>();

  /** The calls of listeners and of the logger that wait. */
  @GuardedBy("lock")
  private final Deque<Runnable> calls = new ArrayDeque<>();

  ShardDriver(
      RESTClient client,
      ShardSettings settings,
      Clock clock,
      RandomGenerator random,
      ThreadFactory threadFactory) {
    this.clock = clock;
    threads = new LeaseThreads(threadFactory, clock);
    retryPeriod = settings.timings().retryPeriod();
    reports = new ShardReports(settings, clock, this::put);
    changed = clock.newCondition(lock);
    rules = new Membership(settings, new SafetyRules(), clock, random, new Calls());
    String namespace = settings.group().namespace();
    requests = new LeaseClient(client, "shard-group", settings.timings(), namespace);
    watch = new MemberWatch(client, settings, clock, random, threadFactory, this::seen, this::gone);
  }

  void addListener(ShardListener listener) {
    listeners.add(new Told(listener, new CrashLog(ShardReports.LOG)));
  }

  void removeListener(ShardListener listener) {
    listeners.removeIf(told -> told.listener.equals(listener));
  }

  void start() {
    threads.start(this::drive);
    threads.start(this::call);
    lock.lock();
    try {
      watcher = threads.start(this::awaitWatch);
    } finally {
      lock.unlock();
    }
    watch.start();
  }

  // ---- what happens

  private void seen(Lease lease) {
    lock.lock();
    try {
      rules.seen(lease);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void gone(String name) {
    lock.lock();
    try {
      rules.gone(name);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void awaitWatch() {
    try {
      while (!watch.awaitSynced(ShardReports.REPEAT)) {
        watch.error().ifPresent(reports::watchFailed);
      }
      lock.lock();
      try {
        rules.synced();
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The thread ends.
    }
  }

  private void send(LeaseRequest request) {
    try {
      Answer answer = requests.send(request);
      lock.lock();
      try {
        rules.answer(request, answer);
        senders.remove(request);
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Given up; the thread ends.
    }
  }

  // ---- the threads

  private void drive() {
    lock.lock();
    try {
      driveLocked();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void driveLocked() {
    try {
      while (!rules.hasLeft()) {
        long wakeAt = turnLocked();
        if (!rules.hasLeft()) {
          clock.await(lock, changed, Duration.ofNanos(wakeAt - clock.nanoTime()));
        }
      }
    } catch (InterruptedException e) {
      rules.end("the member was interrupted");
      Thread.currentThread().interrupt(); // The thread ends.
    }
  }

  /** Does what the rules want. Returns when to ask them again. */
  @GuardedBy("lock")
  private long turnLocked() {
    try {
      Agenda.Todo todo = rules.advance();
      for (LeaseRequest request : todo.requests()) {
        startLocked(request);
      }
      interruptGivenUpLocked();
      return todo.wakeAt();
    } catch (Throwable e) {
      crashes.failed("A member of a shard group could not do what is due.", e);
      return clock.nanoTime() + retryPeriod.toNanos();
    }
  }

  @GuardedBy("lock")
  private void startLocked(LeaseRequest request) {
    try {
      senders.put(request, threads.start(() -> send(request)));
      crashes.succeeded();
    } catch (Throwable e) { // Of a user's thread factory, or no thread can be had.
      crashes.failed("A request of the shard group has no thread.", e);
      rules.answer(request, new Answer.Failed(e));
    }
  }

  @GuardedBy("lock")
  private void interruptGivenUpLocked() {
    Iterator<Map.Entry<LeaseRequest, Thread>> sent = senders.entrySet().iterator();
    while (sent.hasNext()) {
      Map.Entry<LeaseRequest, Thread> next = sent.next();
      if (!rules.isWaitingFor(next.getKey())) {
        next.getValue().interrupt();
        sent.remove();
      }
    }
  }

  /** Calls the listeners, until the member has left and every change is reported. */
  private void call() {
    try {
      for (Runnable next; (next = nextCall()) != null; ) {
        next.run();
      }
      RuntimeException refusal = refusal();
      if (refusal != null) {
        tell(listener -> listener.failed(refusal));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The thread ends.
    }
  }

  private void tell(Consumer<ShardListener> event) {
    listeners.forEach(told -> call(() -> event.accept(told.listener), told.crashes));
  }

  private static void call(Runnable user, CrashLog crashes) {
    try {
      user.run();
      crashes.succeeded();
    } catch (Throwable e) {
      crashes.failed("A listener of the shard group has failed.", e);
    }
  }

  private @Nullable Runnable nextCall() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (calls.isEmpty() && !rules.hasLeft()) {
        changed.await();
      }
      return calls.poll();
    } finally {
      lock.unlock();
    }
  }

  /** Puts a call off until the lock is free. */
  private void put(Runnable call) {
    lock.lock(); // Most callers hold it.
    try {
      calls.add(call);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Puts off the calls of listeners. */
  private final class Calls implements Membership.Listener {

    @Override
    public void expects(SortedSet<Integer> slots) {
      put(() -> tell(listener -> listener.expects(slots)));
    }

    @Override
    public void taken(SortedSet<Integer> slots) {
      reports.taken(slots);
      put(() -> tell(listener -> listener.taken(slots)));
    }

    @Override
    public void left(SortedSet<Integer> slots, String reason) {
      reports.left(slots, reason);
      put(() -> tell(listener -> listener.left(slots, reason)));
    }

    @Override
    public void lost(ShardWork work) {
      put(() -> call(work::lost, lost));
    }

    @Override
    public void failed(LeaseRequest request, Answer.Failed answer) {
      reports.failed(request, answer);
    }

    @Override
    public void problem(String text) {
      reports.problem(text);
    }
  }

  // ---- work

  Optional<ShardWork> begin(String uid, Runnable onLost) {
    lock.lock();
    try {
      return rules.slots().begin(uid, onLost, this::ended);
    } finally {
      lock.unlock();
    }
  }

  private void ended(ShardWork work) {
    lock.lock();
    try {
      if (rules.slots().ended(work)) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  // ---- what is known

  SortedSet<Integer> slots() {
    lock.lock();
    try {
      return rules.slots().acting();
    } finally {
      lock.unlock();
    }
  }

  List<ShardMember> members() {
    lock.lock();
    try {
      return rules.members();
    } finally {
      lock.unlock();
    }
  }

  boolean isMember() {
    lock.lock();
    try {
      return rules.isMember();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the reading of the clock at which the member stops unless it renews; null before. */
  @Nullable Long renewBy() {
    lock.lock();
    try {
      return rules.renewBy();
    } finally {
      lock.unlock();
    }
  }

  @Nullable RuntimeException refusal() {
    lock.lock();
    try {
      return rules.refusal();
    } finally {
      lock.unlock();
    }
  }

  /** Returns what a user's code has thrown several times in a row. */
  Optional<String> crashes() {
    return Stream.concat(Stream.of(crashes, lost), listeners.stream().map(Told::crashes))
        .flatMap(each -> each.problem().stream())
        .findFirst();
  }

  /** Returns why this member can own no slots now; empty if it can. */
  Optional<String> obstacle() {
    Optional<String> unwatched = watch.error().map(reports::watchProblem);
    lock.lock();
    try {
      return unwatched.isPresent() || (rules.isMember() && rules.wantsSlots())
          ? unwatched
          : Optional.of(reports.absence(rules.isMember()));
    } finally {
      lock.unlock();
    }
  }

  void ready(boolean ready) {
    lock.lock();
    try {
      rules.ready(ready);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  // ---- the end

  void leave() {
    lock.lock();
    try {
      rules.leave();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the member has left, or the time is up. */
  void awaitLeft(Duration timeout) throws InterruptedException {
    Deadline deadline = clock.deadline(timeout);
    lock.lock();
    try {
      while (!rules.hasLeft() && deadline.await(lock, changed)) {}
    } finally {
      lock.unlock();
    }
  }

  /** Ends at once: writes are refused from now on. Does nothing if the member has left. */
  void end() {
    lock.lock();
    try {
      rules.end("the member was closed");
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends at once, and waits for the threads. */
  void close(Duration timeout) {
    end();
    try {
      watch.close();
      interruptWaiting();
      List<String> left = threads.join(timeout);
      if (!left.isEmpty()) {
        reports.leftBehind(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The caller is in a hurry.
    } finally {
      requests.close();
    }
  }

  private void interruptWaiting() {
    lock.lock();
    try {
      if (watcher != null) {
        watcher.interrupt();
      }
      senders.values().forEach(Thread::interrupt);
    } finally {
      lock.unlock();
    }
  }
}
