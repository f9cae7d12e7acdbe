package dev.clientgo.controller.internal.incident;

import dev.clientgo.apimachinery.serializer.ResourceType;
import java.time.Instant;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** What is recorded of a reconcile. Safe for use by many threads. */
public final class RecordedReconcile {

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
  record End(Instant time, String result, @Nullable Map<String, Object> error) {}

  /**
   * What was asked.
   *
   * @param type the type of the objects; null for other answers
   * @param answer a list of objects, a text, the tree of an error, or an exchange with the server
   */
  record Call(String verb, @Nullable ResourceType<?> type, Object subject, Object answer) {}

  final Head head;
  final Queue<Call> calls = new ConcurrentLinkedQueue<>();
  volatile boolean complete = true;
  volatile boolean manyThreads;
  volatile @Nullable End end;

  RecordedReconcile(Head head) {
    this.head = head;
  }
}
