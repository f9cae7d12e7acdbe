package dev.clientgo.examples.guide;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.clock.Interruptible;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import java.io.PrintWriter;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Notes the calls that an informer makes, in the handler's thread. The lesson prints them, one
 * handler after the other. The lesson can also make the handler slow.
 */
final class PrintingHandler implements ResourceEventHandler<ConfigMap> {

  private final String name;
  private final PrintWriter out;
  private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

  private volatile CountDownLatch entered = new CountDownLatch(0);
  private volatile CountDownLatch released = new CountDownLatch(0);

  PrintingHandler(String name, PrintWriter out) {
    this.name = name;
    this.out = out;
  }

  @Override
  public void onAdd(ConfigMap object, boolean isInInitialList) {
    called("onAdd " + describe(object) + (isInInitialList ? ", in the initial list" : ""));
  }

  @Override
  public void onUpdate(ConfigMap before, ConfigMap after) {
    called("onUpdate " + describe(before) + " to " + describe(after));
  }

  @Override
  public void onDelete(DeletedObject<ConfigMap> deleted) {
    called(
        "onDelete "
            + deleted.objectName().name()
            + (deleted.finalStateUnknown() ? ", final state unknown" : ""));
  }

  static String describe(ConfigMap object) {
    return ObjectName.of(object).name() + "@" + object.metadata().resourceVersion();
  }

  private void called(String call) {
    entered.countDown();
    Interruptible.run(released::await);
    calls.add(call);
  }

  /** Makes the next call wait for {@link #release}. */
  void hold() {
    entered = new CountDownLatch(1);
    released = new CountDownLatch(1);
  }

  /** Waits until the handler is in the call that waits. */
  void awaitHeld() throws InterruptedException {
    entered.await();
  }

  void release() {
    released.countDown();
  }

  /** Waits for that many calls, and prints them. */
  void print(int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      String call = calls.poll(30, TimeUnit.SECONDS);
      if (call == null) {
        throw new IllegalStateException(name + " was not called within 30 s");
      }
      print(call);
    }
  }

  /** Prints the next call if there is one within 20 ms; returns whether there was. */
  boolean printSoon() throws InterruptedException {
    @Nullable String call = calls.poll(20, TimeUnit.MILLISECONDS);
    if (call != null) {
      print(call);
    }
    return call != null;
  }

  /** Prints that nothing was called, or what was. */
  void printNothing() {
    print(calls.isEmpty() ? "hears nothing" : calls.toString());
  }

  private void print(String call) {
    out.printf("%-6s %s%n", name, call);
  }
}
