package dev.clientgo.remotecommand.logs;

import static java.util.Objects.requireNonNullElse;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.kubernetes.core.v1.ContainerStatus;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lines of the logs of many containers, in the order in which they arrive; those of one
 * container are in their own order. No line is lost or repeated by a cut of the connection.
 *
 * <p>An informer finds the pods. A thread for each container that has something to read puts its
 * lines into a queue of 1000 lines and 1 Mi characters at most. If the caller does not take them,
 * these threads and the servers wait; nothing is dropped. One thread reads; any thread may close.
 */
public final class SelectorLogLines implements AutoCloseable {

  private static final ThreadFactory THREADS = DaemonThreads.named("client-go-remotecommand-logs-");

  /** How long {@link #close} waits for threads, which end at once unless they are in user code. */
  private static final Duration THREAD_END = Duration.ofSeconds(10);

  private final SelectorLogs logs;
  private final LineQueue queue;
  private final ReentrantLock lock = new ReentrantLock();
  private final Followers owner = new Followers();

  /** The containers by the UIDs of their pods. */
  @GuardedBy("lock")
  private final Map<String, Map<String, ContainerFollower>> followers = new HashMap<>();

  /** The UIDs of pods by their names. */
  @GuardedBy("lock")
  private final Map<ObjectName, String> uids = new HashMap<>();

  @GuardedBy("lock")
  private final Set<Thread> threads = new HashSet<>();

  /** The containers that wait for others to end. */
  @GuardedBy("lock")
  private final Queue<ContainerFollower> waiting = new ArrayDeque<>();

  @GuardedBy("lock")
  private int active;

  /** Whether all pods to read are known. */
  @GuardedBy("lock")
  private boolean isComplete;

  @GuardedBy("lock")
  private boolean isClosed;

  private volatile @Nullable SharedIndexInformer<Pod> informer;

  SelectorLogLines(SelectorLogs logs) {
    this.logs = logs;
    this.queue = new LineQueue(logs.clock());
  }

  void start() throws InterruptedException {
    ResourceClient<Pod> pods = logs.pods();
    if (!logs.follows()) {
      for (Pod pod : pods.list(logs.selector()).items()) {
        observe(pod, true);
      }
      owner.complete();
      return;
    }
    // An informer would retry without limit. One list first reports a lack of permissions.
    String selector = logs.selector().toString();
    pods.list(ListOptions.builder().labelSelector(selector).limit(1).build());
    SharedIndexInformer<Pod> started =
        SharedIndexInformer.builder(
                ListWatch.of(pods::list, pods::watch)
                    .filtered(options -> options.toBuilder().labelSelector(selector).build()))
            .name("pod-logs")
            .build();
    informer = started;
    started.addEventHandler(new Pods());
    started.start();
  }

  /** Follows the changes of the pods. */
  private final class Pods implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod, boolean isInInitialList) {
      observe(pod, isInInitialList);
    }

    @Override
    public void onUpdate(Pod oldPod, Pod newPod) {
      observe(newPod, false);
    }

    @Override
    public void onDelete(DeletedObject<Pod> deleted) {
      forget(deleted.objectName(), "");
    }
  }

  private void observe(Pod pod, boolean isInInitialList) {
    ObjectName name = ObjectName.of(pod);
    String uid = requireNonNullElse(pod.metadata().uid(), "");
    forget(name, uid); // An informer may have missed the end of another pod of this name.
    for (ContainerStatus status : logs.containersOf(pod)) {
      ContainerInstance instance = ContainerInstance.of(status);
      follower(
              name,
              uid,
              requireNonNullElse(status.name(), ""),
              isInInitialList && instance.hasStarted())
          .update(instance);
    }
  }

  private ContainerFollower follower(
      ObjectName pod, String uid, String container, boolean hasStarted) {
    lock.lock();
    try {
      uids.put(pod, uid);
      return followers
          .computeIfAbsent(uid, key -> new HashMap<>())
          .computeIfAbsent(
              container,
              key -> {
                PodLogs log = logs.log(pod.namespace(), pod.name(), container);
                PodLogs wanted = hasStarted ? logs.beginning(log) : log;
                return new ContainerFollower(log, wanted, owner, logs.follows(), logs.clock());
              });
    } finally {
      lock.unlock();
    }
  }

  /** Forgets a pod unless it is the one with this UID. */
  private void forget(ObjectName name, String uid) {
    List<ContainerFollower> gone = new ArrayList<>();
    lock.lock();
    try {
      String known = uids.get(name);
      if (known != null && !known.equals(uid)) {
        uids.remove(name);
        Map<String, ContainerFollower> containers = followers.remove(known);
        if (containers != null) {
          gone.addAll(containers.values());
        }
      }
    } finally {
      lock.unlock();
    }
    gone.forEach(ContainerFollower::remove);
  }

  /** Runs the threads, and passes on what they read. */
  private final class Followers implements ContainerFollower.Owner {
    @Override
    public void start(ContainerFollower follower) {
      lock.lock();
      try {
        waiting.add(follower);
        if (active == logs.limit() && logs.follows()) {
          queue.fail(
              new IllegalStateException(
                  logs
                      + " are those of more than "
                      + logs.limit()
                      + " containers at once: select fewer, or set maxContainers"));
        }
        startLocked();
      } finally {
        lock.unlock();
      }
    }

    @GuardedBy("lock")
    private void startLocked() {
      while (!isClosed && active < logs.limit() && !waiting.isEmpty()) {
        ContainerFollower next = waiting.remove();
        active++;
        Thread thread = THREADS.newThread(next);
        threads.add(thread);
        thread.start();
      }
      if (isComplete && active == 0 && waiting.isEmpty()) {
        queue.end();
      }
    }

    void complete() {
      lock.lock();
      try {
        isComplete = true;
        startLocked();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void ended(ContainerFollower follower) {
      lock.lock();
      try {
        active--;
        threads.remove(Thread.currentThread());
        startLocked();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void line(LogLine line) throws InterruptedException {
      queue.put(line);
    }

    @Override
    public void failed(KubernetesException e) {
      logs.report(e);
    }

    @Override
    public void refused(ApiStatusException e) {
      queue.fail(e);
    }
  }

  /**
   * Waits for the next line.
   *
   * @return empty at the end: all logs are read, and they are not followed
   * @throws ApiStatusException if the user may not read logs
   * @throws TransportException if these lines were closed
   * @throws IllegalStateException if more containers are followed than {@link
   *     SelectorLogs#maxContainers} allows
   * @throws InterruptedException if the thread is interrupted
   */
  public Optional<LogLine> next() throws InterruptedException {
    return queue.take();
  }

  /**
   * Passes all lines to a receiver, until the end.
   *
   * @throws ApiStatusException as {@link #next}
   * @throws TransportException as {@link #next}
   * @throws InterruptedException if the thread is interrupted
   */
  public void forEach(Consumer<? super LogLine> receiver) throws InterruptedException {
    for (Optional<LogLine> next = next(); next.isPresent(); next = next()) {
      receiver.accept(next.get());
    }
  }

  /** Closes all connections and ends all threads; a thread that waits for a line gets an error. */
  @Override
  public void close() {
    queue.close(new TransportException(Kind.CLIENT_CLOSED, logs + ": the lines were closed", null));
    SharedIndexInformer<Pod> started = informer;
    if (started != null) {
      started.close();
    }
    List<Thread> running;
    List<ContainerFollower> all = new ArrayList<>();
    lock.lock();
    try {
      isClosed = true;
      waiting.clear();
      running = new ArrayList<>(threads);
      followers.values().forEach(containers -> all.addAll(containers.values()));
    } finally {
      lock.unlock();
    }
    all.forEach(ContainerFollower::close);
    running.forEach(Thread::interrupt);
    try {
      logs.clock().join(running, THREAD_END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The threads end without this wait.
    }
  }
}
