package dev.clientgo.workqueue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The threads of those who bring none of their own: virtual where there are any, else daemons. */
final class WorkerThreads {

  private WorkerThreads() {}

  static ThreadFactory named(String prefix) {
    ThreadFactory virtual = virtual(prefix);
    if (virtual != null) {
      return virtual;
    }
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + count.getAndIncrement());
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Returns what {@code Thread.ofVirtual().name(prefix, 0).factory()} does, or null before Java 21.
   * This is compiled for Java 17, hence the handles.
   */
  private static @Nullable ThreadFactory virtual(String prefix) {
    try {
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      Class<?> builder = Class.forName("java.lang.Thread$Builder");
      Class<?> ofVirtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
      Object named =
          lookup
              .findVirtual(
                  ofVirtual, "name", MethodType.methodType(ofVirtual, String.class, long.class))
              .invoke(
                  lookup
                      .findStatic(Thread.class, "ofVirtual", MethodType.methodType(ofVirtual))
                      .invoke(),
                  prefix,
                  0L);
      return (ThreadFactory)
          lookup
              .findVirtual(builder, "factory", MethodType.methodType(ThreadFactory.class))
              .invoke(named);
    } catch (ClassNotFoundException | NoSuchMethodException | IllegalAccessException e) {
      return null; // An older Java.
    } catch (Throwable e) {
      throw new LinkageError("virtual threads are there but cannot be made", e);
    }
  }
}
