package dev.clientgo.examples.podinformer;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.ResourceEventHandler;
import java.io.PrintWriter;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Prints a line for each event. The informer calls a handler for one event at a time, in order, so
 * the handler needs no lock; only the counts are read by another thread.
 */
final class PodPrinter implements ResourceEventHandler<Unstructured> {

  private static final String LINE = "%-9s %-40s %-10s %-9s %s%n";

  private final PrintWriter out;
  private final AtomicInteger added = new AtomicInteger();
  private final AtomicInteger updated = new AtomicInteger();
  private final AtomicInteger deleted = new AtomicInteger();

  PodPrinter(PrintWriter out) {
    this.out = out;
    out.printf(LINE, "EVENT", "POD", "PHASE", "VERSION", "");
  }

  @Override
  public void onAdd(Unstructured pod, boolean isInInitialList) {
    added.incrementAndGet();
    print("added", pod, isInInitialList ? "it was there before" : "");
  }

  @Override
  public void onUpdate(Unstructured before, Unstructured pod) {
    updated.incrementAndGet();
    print("updated", pod, pod.metadata().deletionTimestamp() == null ? "" : "it is being deleted");
  }

  @Override
  public void onDelete(DeletedObject<Unstructured> deletedPod) {
    deleted.incrementAndGet();
    Unstructured last = deletedPod.lastKnown();
    if (last == null) {
      out.printf(LINE, "deleted", deletedPod.key(), "", "", "its last state is not known");
    } else {
      print("deleted", last, deletedPod.finalStateUnknown() ? "noticed by a new list" : "");
    }
  }

  private void print(String event, Unstructured pod, String note) {
    ObjectMeta metadata = pod.metadata();
    out.printf(
        LINE,
        event,
        metadata.namespace() + "/" + metadata.name(),
        pod.nestedString("status", "phase").orElse("-"),
        orDash(metadata.resourceVersion()),
        note);
  }

  private static String orDash(@Nullable String text) {
    return text == null ? "-" : text;
  }

  String summary() {
    return "Saw %d pods added, %d updated, %d deleted"
        .formatted(added.get(), updated.get(), deleted.get());
  }
}
