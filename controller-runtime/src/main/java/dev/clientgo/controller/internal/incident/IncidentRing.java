package dev.clientgo.controller.internal.incident;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.controller.internal.incident.RecordedReconcile.Call;
import dev.clientgo.controller.internal.incident.Tape.Wanted;
import dev.clientgo.rest.config.ExchangeListener.Exchanged;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The last reconciles, as far as a number of bytes goes. The bytes of objects are estimated: one in
 * {@value #SAMPLE} is encoded, to learn the mean size of its type, and an object that was counted
 * lately costs only its reference. Safe for use by many threads.
 */
public final class IncidentRing {

  static final long ERROR = 2048;
  private static final long CALL = 128;
  private static final long SAMPLE = 256;
  private static final CrashLog CRASHES =
      new CrashLog(System.getLogger("dev.clientgo.controller.IncidentRecorder"));

  private record Kept(RecordedReconcile reconcile, long bytes) {}

  private record KeptSecrets(Call call, long bytes) {}

  /** Of one type; two threads at once may lose a sample, which does no harm. */
  private static final class Mean {
    volatile long seen;
    volatile double bytes;
  }

  final AtomicLong lateCalls = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final AtomicLong added = new AtomicLong();
  private final AtomicLong evicted = new AtomicLong();
  private final long capacity;
  private final ConcurrentMap<Object, Mean> means = new ConcurrentHashMap<>();

  /** The identity hash of an object, and the number of the reconcile, at least, that counted it. */
  private final AtomicLongArray counted;

  private final ReentrantLock lock = new ReentrantLock();

  /** Those seen last, also of reconciles that were evicted: a later one may carry a copy. */
  @GuardedBy("secrets")
  private final LinkedHashMap<Object, KeptSecrets> secrets =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  @GuardedBy("secrets")
  private long secretBytes;

  @GuardedBy("lock")
  private final ArrayDeque<Kept> kept = new ArrayDeque<>();

  @GuardedBy("lock")
  private long bytes;

  /** Creates an empty ring. */
  public IncidentRing(long capacity) {
    this.capacity = capacity;
    counted = new AtomicLongArray((int) Long.highestOneBit(Math.min(capacity / 256, 1 << 20)));
  }

  /** Returns how many bytes one reconcile may take. */
  long most() {
    return capacity / 4;
  }

  void add(RecordedReconcile reconcile, long size) {
    lock.lock();
    try {
      kept.addLast(new Kept(reconcile, size));
      added.incrementAndGet();
      for (bytes += size; bytes > capacity; evicted.incrementAndGet()) {
        bytes -= kept.removeFirst().bytes;
      }
    } finally {
      lock.unlock();
    }
  }

  // ---- sizes

  long size(Call call) {
    if (call.answer() instanceof Exchanged exchange) {
      return CALL + exchange.sent().length + exchange.received().length;
    } else if (call.subject() instanceof Wanted wanted) {
      return CALL + size(wanted.type(), List.of(wanted.configuration()));
    } else if (call.answer() instanceof List<?> objects && call.type() != null) {
      return CALL + size(call.type(), objects);
    }
    return call.answer() instanceof Map<?, ?> error ? CALL + size(error) : CALL;
  }

  /** Returns how many bytes an error takes. */
  static long size(Map<?, ?> error) {
    return ERROR + 2L * error.toString().length();
  }

  private <T extends KubernetesObject> long size(ResourceType<T> type, List<?> objects) {
    long fresh = 0;
    for (Object object : objects) {
      int hash = System.identityHashCode(object); // An equal object takes memory, too.
      int slot = hash & (counted.length() - 1);
      long last = counted.getPlain(slot);
      if (hash != (int) (last >> 32) || (int) last - evicted.intValue() < 0) {
        counted.setPlain(slot, ((long) hash << 32) | (added.get() & 0xffffffffL));
        fresh++;
      }
    }
    if (fresh == 0) {
      return 8L * objects.size();
    }
    Mean mean = means.computeIfAbsent(type.resource(), resource -> new Mean());
    long seen = mean.seen;
    mean.seen = seen + fresh;
    if (seen == 0 || seen / SAMPLE != mean.seen / SAMPLE) {
      int one = encoded(type, objects.get(0));
      mean.bytes = seen == 0 ? one : mean.bytes * 0.75 + one * 0.25;
    }
    long size = 8L * objects.size() + (long) (fresh * mean.bytes);
    if (size > most()) { // It is not kept, so the next one is counted.
      for (Object object : objects) {
        counted.setPlain(System.identityHashCode(object) & (counted.length() - 1), 0);
      }
    }
    return size;
  }

  // ---- secrets

  static boolean isSecrets(@Nullable ResourceType<?> type) {
    return type != null && type.resource().groupResource().equals(new GroupResource("", "secrets"));
  }

  /** Keeps the Secrets of a call. */
  void seen(Call call) {
    if (call.answer() instanceof Exchanged exchange
        && exchange.url().getPath().matches(".*/(secrets(/.*)?|token)")) {
      int sent = Arrays.hashCode(exchange.sent());
      int received = Arrays.hashCode(exchange.received());
      keep(List.of(exchange.method(), exchange.url(), sent, received), call);
    } else if (isSecrets(call.type()) && call.answer() instanceof List<?> objects) {
      for (Object each : objects) {
        ObjectMeta meta = ((KubernetesObject) each).metadata();
        Object key = Arrays.asList(meta.namespace(), meta.name(), meta.resourceVersion());
        keep(key, new Call("", call.type(), "", List.of(each)));
      }
    }
  }

  private void keep(Object key, Call call) {
    synchronized (secrets) {
      if (secrets.get(key) != null) {
        return; // It was used last.
      }
    }
    long size =
        call.type() == null ? size(call) : encoded(call.type(), ((List<?>) call.answer()).get(0));
    synchronized (secrets) {
      if (size <= most() && secrets.putIfAbsent(key, new KeptSecrets(call, size)) == null) {
        secretBytes += size;
      }
      for (var oldest = secrets.values().iterator(); secretBytes > most(); oldest.remove()) {
        secretBytes -= oldest.next().bytes;
      }
    }
  }

  @SuppressWarnings("unchecked") // The object is of the type.
  private static <T extends KubernetesObject> int encoded(ResourceType<T> type, Object object) {
    return JsonWriter.toBytes(type.codec(), (T) object).length;
  }

  List<Call> secrets() {
    synchronized (secrets) {
      return secrets.values().stream().map(KeptSecrets::call).toList();
    }
  }

  // ---- what there is

  /** Counts and logs a failure of the recorder. */
  public void failed(String what, Throwable e) {
    failures.incrementAndGet();
    CRASHES.failed("The incident recorder could not " + what, e);
  }

  List<RecordedReconcile> reconciles() {
    lock.lock();
    try {
      return kept.stream().map(Kept::reconcile).toList();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the reconciles and bytes that are kept, the reconciles that had to go for newer ones,
   * the calls after the end of their reconcile, and the failures of the recorder.
   */
  public Map<String, Object> counts() {
    lock.lock();
    try {
      Map<String, Object> counts = new LinkedHashMap<>();
      counts.put("reconciles", (long) kept.size());
      counts.put("bytes", bytes);
      counts.put("evicted", evicted.get());
      counts.put("lateCalls", lateCalls.get());
      counts.put("failures", failures.get());
      return counts;
    } finally {
      lock.unlock();
    }
  }
}
