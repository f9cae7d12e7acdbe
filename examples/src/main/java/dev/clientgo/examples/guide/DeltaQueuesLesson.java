package dev.clientgo.examples.guide;

import dev.clientgo.cache.Queue;
import dev.clientgo.examples.lesson.LocalLesson;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;

/** Lesson 5 of the guide: the same changes, through a RealFIFO and through a DeltaFIFO. */
@Command(
    name = "delta-queues",
    description =
        "Puts the same changes into a RealFIFO and a DeltaFIFO, prints what each hands out and"
            + " what handlers would hear, and ends.")
public final class DeltaQueuesLesson extends LocalLesson {

  /** The command line parser calls this. */
  public DeltaQueuesLesson() {}

  @Override
  protected void run(PrintWriter out) throws InterruptedException {
    List<DeltaConsumer> both =
        List.of(DeltaConsumer.ofRealFifo(out), DeltaConsumer.ofDeltaFifo(out));

    out.println("== The first list");
    put(both, "replace [a@1, b@2] at version 3", queue -> queue.replace(List.of(a(1), b(2)), "3"));
    for (DeltaConsumer consumer : both) {
      consumer.popAll();
    }

    out.println("== Five changes while the consumer is busy");
    put(both, "update a@4", queue -> queue.update(a(4)));
    put(both, "update b@5", queue -> queue.update(b(5)));
    put(both, "update a@6", queue -> queue.update(a(6)));
    put(both, "delete a@7", queue -> queue.delete(a(7)));
    put(both, "add a@8", queue -> queue.add(a(8)));
    for (DeltaConsumer consumer : both) {
      consumer.popAll();
    }

    out.println("== The watch breaks, b is deleted, c is created: a relist");
    put(both, "replace [a@8, c@10] at version 11", q -> q.replace(List.of(a(8), c(10)), "11"));
    for (DeltaConsumer consumer : both) {
      consumer.popAll();
    }

    out.println("== A resync");
    put(both, "resync", Queue::resync);
    for (DeltaConsumer consumer : both) {
      consumer.popAll();
    }

    out.println("== A bookmark");
    put(both, "bookmark 20", queue -> queue.bookmark("20"));
    for (DeltaConsumer consumer : both) {
      consumer.popAll();
    }

    out.println("== Three changes, in batches, as an informer takes them");
    put(both, "update a@21", queue -> queue.update(a(21)));
    put(both, "update c@22", queue -> queue.update(c(22)));
    put(both, "update a@23", queue -> queue.update(a(23)));
    for (DeltaConsumer consumer : both) {
      consumer.popBatches();
    }
  }

  private static void put(
      List<DeltaConsumer> consumers, String name, Consumer<Queue<ConfigMap>> change) {
    consumers.get(0).print("in", name);
    consumers.forEach(consumer -> change.accept(consumer.queue()));
  }

  private static ConfigMap a(int version) {
    return object("a", version);
  }

  private static ConfigMap b(int version) {
    return object("b", version);
  }

  private static ConfigMap c(int version) {
    return object("c", version);
  }

  private static ConfigMap object(String name, int version) {
    return ConfigMap.of(
        map -> map.editMetadata(meta -> meta.name(name).resourceVersion("" + version)));
  }
}
