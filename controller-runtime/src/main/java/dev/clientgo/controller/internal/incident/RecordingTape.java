package dev.clientgo.controller.internal.incident;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.controller.internal.incident.RecordedReconcile.Call;
import dev.clientgo.controller.internal.incident.RecordedReconcile.End;
import dev.clientgo.controller.internal.incident.RecordedReconcile.Head;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.ExchangeListener;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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

  private final RecordedReconcile reconcile;
  private final IncidentRing ring;
  private final Thread thread = Thread.currentThread();
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong(512);

  /** Begins the recording of a reconcile, which the ring gets at its end. */
  public RecordingTape(Head head, IncidentRing ring) {
    this.reconcile = new RecordedReconcile(head);
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

  private void add(Call given) {
    try {
      Call call =
          given.answer() instanceof Throwable e // It may hold anything.
              ? new Call(given.verb(), given.type(), given.subject(), IncidentWriter.error(e))
              : given;
      ring.seen(call);
      if (reconcile.end != null) {
        ring.lateCalls.incrementAndGet(); // Of a thread that the reconciler has left behind.
        return;
      }
      reconcile.manyThreads |= Thread.currentThread() != thread;
      if (!reconcile.complete
          || count.incrementAndGet() > MAX_CALLS
          || bytes.addAndGet(ring.size(call)) > ring.most()) {
        reconcile.complete = false;
      } else {
        reconcile.calls.add(call);
      }
    } catch (Throwable e) { // Of a codec of the program, for example.
      reconcile.complete = false;
      ring.failed("record a call", e);
    }
  }

  /** Ends the reconcile, and puts it into the ring. */
  public void end(Instant time, String result, @Nullable Throwable error) {
    Map<String, Object> kept = error == null ? null : IncidentWriter.error(error);
    if (kept != null && IncidentRing.size(kept) > ring.most()) {
      kept = Map.of("class", kept.get("class"), "message", "(longer than can be kept)");
    }
    reconcile.end = new End(time, result, kept);
    long size = kept == null ? 0 : IncidentRing.size(kept);
    ring.add(reconcile, Math.min(bytes.get(), ring.most()) + size);
  }
}
