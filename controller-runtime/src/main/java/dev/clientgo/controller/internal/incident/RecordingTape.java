package dev.clientgo.controller.internal.incident;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.ExchangeListener;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Records one reconcile. It keeps references to the immutable objects that were read, and encodes
 * nothing. What fails in it is counted and fails no reconcile. Safe for use by many threads.
 */
public final class RecordingTape implements Tape, ExchangeListener {

  /** A reconcile with more calls than that is recorded up to there. */
  static final int MAX_CALLS = 20_000;

  /** The reconcile that begins. */
  public record Head(
      String controller,
      String cluster,
      String namespace,
      String name,
      long reconcileId,
      int priority,
      int failures,
      Instant start) {}

  /** The end of a reconcile. */
  record End(Instant time, String result, @Nullable Throwable error) {}

  /**
   * What was asked.
   *
   * @param type the type of the objects; null for other answers
   * @param answer a list of objects, a text, an error, or an exchange with the server
   */
  record Call(String verb, @Nullable ResourceType<?> type, Object subject, Object answer) {}

  final Head head;
  final Queue<Call> calls = new ConcurrentLinkedQueue<>();
  volatile boolean complete = true;
  volatile boolean manyThreads;
  volatile @Nullable End end;
  private final IncidentRing ring;
  private final Thread thread = Thread.currentThread();
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong(512);

  RecordingTape(Head head, IncidentRing ring) {
    this.head = head;
    this.ring = ring;
  }

  @Override
  public <T extends KubernetesObject, E extends Exception> List<T> objects(
      String verb, ResourceType<T> type, Object subject, Live<List<T>, E> live) throws E {
    return kept(verb, type, subject, live);
  }

  @Override
  public <E extends Exception> String value(String verb, Object subject, Live<String, E> live)
      throws E {
    return kept(verb, null, subject, live);
  }

  private <R, E extends Exception> R kept(
      String verb, @Nullable ResourceType<?> type, Object subject, Live<R, E> live) throws E {
    R answer;
    try {
      answer = live.get();
    } catch (Throwable e) {
      add(new Call(verb, type, subject, e));
      throw e;
    }
    add(new Call(verb, type, subject, answer));
    return answer;
  }

  @Override
  public RESTClient client(RESTClient rest) {
    return rest.observedBy(this);
  }

  @Override
  public void exchanged(Exchanged exchanged) {
    add(new Call("", null, "", exchanged));
  }

  private void add(Call call) {
    try {
      if (end != null) {
        ring.lateCalls.incrementAndGet(); // Of a thread that the reconciler has left behind.
        return;
      }
      manyThreads |= Thread.currentThread() != thread;
      if (!complete
          || count.incrementAndGet() > MAX_CALLS
          || bytes.addAndGet(ring.size(call)) > ring.most()) {
        complete = false;
      } else {
        calls.add(call);
      }
      ring.seen(call);
    } catch (Throwable e) { // Of a codec of the program, for example.
      complete = false;
      ring.failed("record a call", e);
    }
  }

  /** Ends the reconcile, and puts it into the ring. */
  public void end(Instant time, String result, @Nullable Throwable error) {
    end = new End(time, result, error);
    ring.add(this, Math.min(bytes.get(), ring.most()) + (error == null ? 0 : IncidentRing.ERROR));
  }
}
