package dev.clientgo.events;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.events.internal.writing.EventSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A server of events in memory, which records requests and fails or hangs if it is told to. */
final class RecordingSink<E extends KubernetesObject> implements EventSink<E> {

  private static final GroupResource EVENTS = new GroupResource("events.k8s.io", "events");

  /** A request; without a patch, it creates. */
  record Sent<E extends KubernetesObject>(E event, @Nullable Patch patch) {

    boolean isCreate() {
      return patch == null;
    }

    String patchText() {
      return new String(requireNonNull(patch).body().toByteArray(), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
      return (patch == null ? "create " : "patch ") + event.metadata().name();
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private final List<Sent<E>> sent = new ArrayList<>();

  /** The latest request of each object. */
  @GuardedBy("lock")
  private final Map<String, Sent<E>> stored = new HashMap<>();

  @GuardedBy("lock")
  private Function<Sent<E>, @Nullable RuntimeException> failure = request -> null;

  @GuardedBy("lock")
  private Predicate<Sent<E>> losesAnswer = request -> false;

  @GuardedBy("lock")
  private boolean isHanging;

  @Override
  public void create(E event) throws InterruptedException {
    send(new Sent<>(event, null));
  }

  @Override
  public void patch(E event, Patch patch) throws InterruptedException {
    send(new Sent<>(event, patch));
  }

  private void send(Sent<E> request) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      sent.add(request);
      changed.signalAll();
      while (isHanging) {
        changed.await();
      }
      RuntimeException error = failure.apply(request);
      if (error != null) {
        throw error;
      }
      String name = String.valueOf(request.event.metadata().name());
      if (request.isCreate() && stored.containsKey(name)) {
        throw ApiStatusException.alreadyExists(EVENTS, name);
      } else if (!request.isCreate() && !stored.containsKey(name)) {
        throw ApiStatusException.notFound(EVENTS, name);
      }
      stored.put(name, request);
      if (losesAnswer.test(request)) {
        throw new TransportException(Kind.CONNECTION_LOST, "the answer was lost", null);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Makes requests fail for which the function returns an error. */
  void failWith(Function<Sent<E>, @Nullable RuntimeException> failure) {
    lock.lock();
    try {
      this.failure = failure;
    } finally {
      lock.unlock();
    }
  }

  /** Loses the answers to requests that were carried out. */
  void loseAnswers(Predicate<Sent<E>> losesAnswer) {
    lock.lock();
    try {
      this.losesAnswer = losesAnswer;
    } finally {
      lock.unlock();
    }
  }

  /** Makes requests wait, or ends their wait. */
  void hang(boolean isHanging) {
    lock.lock();
    try {
      this.isHanging = isHanging;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Forgets all events, as a server does after an hour. */
  void expireAll() {
    lock.lock();
    try {
      stored.clear();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the requests so far. */
  List<Sent<E>> sent() {
    lock.lock();
    try {
      return List.copyOf(sent);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the objects as they are. */
  List<E> events() {
    lock.lock();
    try {
      return stored.values().stream().map(Sent::event).toList();
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many objects there are. */
  int objects() {
    lock.lock();
    try {
      return stored.size();
    } finally {
      lock.unlock();
    }
  }

  /** Waits, in real time, until there were that many requests, and returns all. */
  List<Sent<E>> awaitSent(int count) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.SECONDS.toNanos(30);
      while (sent.size() < count) {
        if (left <= 0) {
          throw new AssertionError("waited 30 s for " + count + " requests, there were " + sent);
        }
        left = changed.awaitNanos(left);
      }
      return List.copyOf(sent);
    } finally {
      lock.unlock();
    }
  }
}
