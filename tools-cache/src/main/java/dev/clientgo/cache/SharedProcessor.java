package dev.clientgo.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.cache.ProcessorListener.Notification;
import dev.clientgo.cache.internal.threads.OwnedThread;
import dev.clientgo.cache.internal.threads.SharedThreads;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of an informer. It passes each notification on to all listeners; a notification of a
 * resync goes only to the listeners that are due for one.
 *
 * <p>Safe for use by many threads; the tasks of the listeners call the handlers. Corresponds to
 * client-go's {@code sharedProcessor}.
 *
 * @param <T> the type of the objects
 */
final class SharedProcessor<T extends KubernetesObject> {

  private static final Logger LOG = System.getLogger(SharedProcessor.class.getName());

  private static final Duration MIN_RESYNC_PERIOD = Duration.ofSeconds(1);

  private final ReentrantLock lock = new ReentrantLock();
  private final Clock clock;
  private final SharedThreads threads;

  @GuardedBy("lock")
  private final Map<ProcessorListener<T>, ResyncSchedule> listeners = new LinkedHashMap<>();

  /** How often to check which handlers are due for a resync, zero for never. */
  @GuardedBy("lock")
  private Duration resyncCheckPeriod;

  @GuardedBy("lock")
  private boolean started;

  @GuardedBy("lock")
  private boolean synced;

  SharedProcessor(Duration resyncCheckPeriod, Clock clock, SharedThreads threads) {
    this.resyncCheckPeriod = resyncCheckPeriod;
    this.clock = clock;
    this.threads = threads;
  }

  /** Begins to call the handlers; calls later ones as soon as they are added. */
  void start() {
    lock.lock();
    try {
      started = true;
      for (ProcessorListener<T> listener : listeners.keySet()) {
        listener.start(threads);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns the name, with a number if another handler has it: all lambdas are of one class. */
  String freeName(String name) {
    Set<String> taken =
        health().stream().map(InformerHealth.Handler::name).collect(Collectors.toSet());
    String free = name;
    for (int i = 2; taken.contains(free); i++) {
      free = name + " #" + i;
    }
    return free;
  }

  /**
   * Adds a handler.
   *
   * @param existing the objects in the cache, which the handler receives first
   */
  void add(ProcessorListener<T> listener, Duration requestedResync, List<T> existing) {
    lock.lock();
    try {
      Duration resync = resyncPeriodLocked(requestedResync, listener.name());
      listeners.put(listener, new ResyncSchedule(resync, resyncCheckPeriod, clock.nanoTime()));
      listener.add(initial(existing));
      if (synced) {
        listener.sourceHasSynced();
      }
      if (started) {
        listener.start(threads);
      }
    } finally {
      lock.unlock();
    }
  }

  private static <T> List<Notification<T>> initial(List<T> objects) {
    List<Notification<T>> notifications = new ArrayList<>(objects.size());
    for (T object : objects) {
      notifications.add(new Notification.Added<>(object, true));
    }
    return notifications;
  }

  /** Adapts the period that a handler requests and the period of the check to each other. */
  @GuardedBy("lock")
  private Duration resyncPeriodLocked(Duration requested, String handler) {
    if (requested.isZero()) {
      return requested;
    }
    Duration period = requested;
    if (period.compareTo(MIN_RESYNC_PERIOD) < 0) {
      warn("A resync period is too short and raised to a second", handler, requested);
      period = MIN_RESYNC_PERIOD;
    }
    if (resyncCheckPeriod.isZero()) {
      warn("A resync period has no effect: this informer has none", handler, requested);
    } else if (period.compareTo(resyncCheckPeriod) < 0) {
      if (started) {
        warn("A resync period is raised to that of the running informer", handler, requested);
        return resyncCheckPeriod;
      }
      resyncCheckPeriod = period;
      listeners.values().forEach(schedule -> schedule.checkPeriodChanged(resyncCheckPeriod));
    }
    return period;
  }

  private static void warn(String message, String handler, Duration requested) {
    LOG.log(Level.WARNING, "{0}: handler={1} requested={2}", message, handler, requested);
  }

  /** Removes a handler and drops its pending notifications; returns whether it was registered. */
  boolean remove(ResourceEventHandlerRegistration registration) {
    lock.lock();
    try {
      boolean removed = listeners.keySet().removeIf(listener -> listener == registration);
      if (removed) {
        ((ProcessorListener<?>) registration).close();
      }
      return removed;
    } finally {
      lock.unlock();
    }
  }

  /** Records that the first list has been passed on. */
  void sourceHasSynced() {
    lock.lock();
    try {
      if (!synced) {
        synced = true;
        for (ProcessorListener<T> listener : listeners.keySet()) {
          listener.sourceHasSynced();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns how often to ask {@link #shouldResync}, zero for never. */
  Duration resyncCheckPeriod() {
    lock.lock();
    try {
      return resyncCheckPeriod;
    } finally {
      lock.unlock();
    }
  }

  /** Returns how often each handler is resynced, in the order in which they were added. */
  List<Duration> resyncPeriods() {
    lock.lock();
    try {
      return listeners.values().stream().map(ResyncSchedule::period).toList();
    } finally {
      lock.unlock();
    }
  }

  /** Marks the handlers that are due for a resync, and returns whether there are any. */
  boolean shouldResync() {
    long now = clock.nanoTime();
    boolean due = false;
    lock.lock();
    try {
      for (ResyncSchedule schedule : listeners.values()) {
        due |= schedule.begin(now);
      }
    } finally {
      lock.unlock();
    }
    return due;
  }

  /** Lets all handlers take part in the resync that begins now; their schedules stay. */
  void resyncAll() {
    lock.lock();
    try {
      listeners.values().forEach(ResyncSchedule::join);
    } finally {
      lock.unlock();
    }
  }

  // ---- notifications

  /**
   * Passes notifications on to all handlers. Locks and wakes each listener once for all
   * notifications: with many handlers this is most of the cost, see {@code DistributionBenchmark}.
   */
  void distribute(List<Notification<T>> notifications) {
    List<Notification<T>> news = withoutSyncs(notifications);
    lock.lock();
    try {
      for (Map.Entry<ProcessorListener<T>, ResyncSchedule> entry : listeners.entrySet()) {
        entry.getKey().add(entry.getValue().isSyncing() ? notifications : news);
      }
    } finally {
      lock.unlock();
    }
  }

  private static <T extends KubernetesObject> List<Notification<T>> withoutSyncs(
      List<Notification<T>> notifications) {
    List<Notification<T>> news = new ArrayList<>(notifications.size());
    for (Notification<T> notification : notifications) {
      if (!isSync(notification)) {
        news.add(notification);
      }
    }
    return news;
  }

  /** An update to the same version comes from a resync, or from a list without a change. */
  private static <T extends KubernetesObject> boolean isSync(Notification<T> notification) {
    return notification instanceof Notification.Updated<T> update
        && Objects.equals(versionOf(update.oldObject()), versionOf(update.newObject()));
  }

  private static @Nullable String versionOf(KubernetesObject object) {
    return object.metadata().resourceVersion();
  }

  List<InformerHealth.Handler> health() {
    lock.lock();
    try {
      return listeners.keySet().stream().map(ProcessorListener::health).toList();
    } finally {
      lock.unlock();
    }
  }

  /** Closes all listeners, and returns the threads that still call a handler. */
  List<OwnedThread> close() {
    lock.lock();
    try {
      List<OwnedThread> calling =
          listeners.keySet().stream().flatMap(listener -> listener.close().stream()).toList();
      listeners.clear();
      return calling;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The times at which a handler takes part in a resync. The informer checks them once in a check
   * period, so a handler cannot have a shorter period. The lock of the processor guards it.
   */
  private static final class ResyncSchedule {

    private final Duration requested;
    private Duration period;
    private long next;

    /**
     * Whether the handler takes part in the resync that is going on. True until the first resync,
     * so that without resyncs a handler receives unchanged objects when they are listed again.
     */
    private boolean syncing = true;

    /**
     * Creates a schedule.
     *
     * @param checkPeriod how often the informer checks the schedules
     */
    ResyncSchedule(Duration requested, Duration checkPeriod, long now) {
      this.requested = requested;
      this.period = effective(requested, checkPeriod);
      this.next = now + period.toNanos();
    }

    private static Duration effective(Duration requested, Duration checkPeriod) {
      if (requested.isZero() || checkPeriod.isZero()) {
        return Duration.ZERO;
      }
      return requested.compareTo(checkPeriod) < 0 ? checkPeriod : requested;
    }

    Duration period() {
      return period;
    }

    boolean isSyncing() {
      return syncing;
    }

    void checkPeriodChanged(Duration checkPeriod) {
      period = effective(requested, checkPeriod);
    }

    /** Makes the handler take part in the resync that begins now. */
    void join() {
      syncing = true;
    }

    /** Decides whether the handler takes part in the resync that begins now. */
    boolean begin(long now) {
      syncing = !period.isZero() && now - next >= 0;
      if (syncing) {
        next = now + period.toNanos();
      }
      return syncing;
    }
  }
}
