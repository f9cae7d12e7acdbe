package dev.clientgo.controller.internal.incident;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.json.JsonCodec;
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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
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
  private static final int MOST_SECRETS = 2048;

  /** The longest response with Secrets that is kept beyond its reconcile, in bytes. */
  private static final int MOST_SECRET_BYTES = 16 << 10;

  private static final CrashLog CRASHES =
      new CrashLog(System.getLogger("dev.clientgo.controller.IncidentRecorder"));

  private record Kept(RecordedReconcile reconcile, long bytes) {}

  /** Of one type; two threads at once may lose a sample, which does no harm. */
  private static final class Mean {
    volatile long seen;
    volatile double bytes;
  }

  final AtomicLong lateCalls = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final long capacity;
  private final ConcurrentMap<JsonCodec<?>, Mean> means = new ConcurrentHashMap<>();
  private final AtomicReferenceArray<@Nullable Object> counted;
  private final ReentrantLock lock = new ReentrantLock();

  /** Those seen last, also of reconciles that were evicted: a later one may carry a copy. */
  private final Map<Object, Call> secrets =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.@Nullable Entry<Object, Call> eldest) {
              return size() > MOST_SECRETS;
            }
          });

  @GuardedBy("lock")
  private final ArrayDeque<Kept> kept = new ArrayDeque<>();

  @GuardedBy("lock")
  private long bytes;

  @GuardedBy("lock")
  private long evicted;

  /** Creates an empty ring. */
  public IncidentRing(long capacity) {
    this.capacity = capacity;
    counted =
        new AtomicReferenceArray<>((int) Long.highestOneBit(Math.min(capacity / 256, 1 << 20)));
  }

  /** Returns how many bytes one reconcile may take. */
  long most() {
    return capacity / 4;
  }

  void add(RecordedReconcile reconcile, long size) {
    lock.lock();
    try {
      kept.addLast(new Kept(reconcile, size));
      for (bytes += size; bytes > capacity; evicted++) {
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
    return call.answer() instanceof Throwable ? CALL + ERROR : CALL;
  }

  @SuppressWarnings("ReferenceEquality") // An equal object takes memory, too.
  private <T extends KubernetesObject> long size(ResourceType<T> type, List<?> objects) {
    long fresh = 0;
    for (Object object : objects) {
      int slot = System.identityHashCode(object) & (counted.length() - 1);
      if (counted.getPlain(slot) != object) {
        counted.setPlain(slot, object);
        fresh++;
      }
    }
    if (fresh == 0) {
      return 8L * objects.size();
    }
    Mean mean = means.computeIfAbsent(type.codec(), codec -> new Mean());
    long seen = mean.seen;
    mean.seen = seen + fresh;
    if (seen == 0 || seen / SAMPLE != mean.seen / SAMPLE) {
      @SuppressWarnings("unchecked") // The objects are of the type.
      int one = JsonWriter.toBytes(type.codec(), (T) objects.get(0)).length;
      mean.bytes = seen == 0 ? one : mean.bytes * 0.75 + one * 0.25;
    }
    long size = 8L * objects.size() + (long) (fresh * mean.bytes);
    if (size > most()) { // It is not kept, so the next one is to be counted.
      for (Object object : objects) {
        counted.setPlain(System.identityHashCode(object) & (counted.length() - 1), null);
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
        && exchange.url().getPath().contains("/secrets")
        && exchange.received().length <= MOST_SECRET_BYTES) {
      secrets.put(List.of(exchange.method(), exchange.url()), call);
    } else if (isSecrets(call.type()) && call.answer() instanceof List<?> objects) {
      for (Object each : objects) {
        ObjectMeta meta = ((KubernetesObject) each).metadata();
        Object key = Arrays.asList(meta.namespace(), meta.name(), meta.resourceVersion());
        secrets.put(key, new Call("", call.type(), "", List.of(each)));
      }
    }
  }

  List<Call> secrets() {
    synchronized (secrets) {
      return List.copyOf(secrets.values());
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
      counts.put("evicted", evicted);
      counts.put("lateCalls", lateCalls.get());
      counts.put("failures", failures.get());
      return counts;
    } finally {
      lock.unlock();
    }
  }
}
