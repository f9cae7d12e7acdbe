package dev.clientgo.clock;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes the threads of this library: daemon threads with names, which do not keep a program
 * running.
 *
 * <p>On Java 21 and later they are virtual. An informer with a hundred handlers, or a client with a
 * thousand watches, then costs no more than the stacks it really uses.
 */
public final class DaemonThreads {

  /**
   * Makes virtual threads; null before Java 21. Method handles, because this library is compiled
   * for Java 17, which has no virtual threads.
   */
  private static final @Nullable VirtualThreads VIRTUAL = VirtualThreads.find();

  private DaemonThreads() {}

  /**
   * Returns a factory of daemon threads, virtual if this Java has them.
   *
   * @param prefix how the names of the threads begin; a number follows
   */
  public static ThreadFactory named(String prefix) {
    return VIRTUAL != null ? VIRTUAL.named(prefix) : platform(prefix);
  }

  /**
   * Returns a factory of daemon threads of the operating system, also where this Java has virtual
   * ones: for threads that keep a promise in time, such as to renew a lease. Virtual threads wait
   * for a carrier while others, a user's among them, compute or are pinned.
   *
   * @param prefix how the names of the threads begin; a number follows
   */
  public static ThreadFactory platform(String prefix) {
    AtomicLong count = new AtomicLong();
    return task -> {
      Thread thread = new Thread(task, prefix + count.getAndIncrement());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Calls {@code Thread.ofVirtual().name(prefix, 0).factory()}. */
  private record VirtualThreads(MethodHandle ofVirtual, MethodHandle name, MethodHandle factory) {

    static @Nullable VirtualThreads find() {
      try {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        Class<?> builder = Class.forName("java.lang.Thread$Builder$OfVirtual");
        return new VirtualThreads(
            lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(builder)),
            lookup.findVirtual(
                builder, "name", MethodType.methodType(builder, String.class, long.class)),
            lookup.findVirtual(builder, "factory", MethodType.methodType(ThreadFactory.class)));
      } catch (ReflectiveOperationException e) {
        return null; // An older Java.
      }
    }

    ThreadFactory named(String prefix) {
      try {
        Object builder = name.invoke(ofVirtual.invoke(), prefix, 0L);
        return (ThreadFactory) factory.invoke(builder);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new LinkageError("cannot make virtual threads", e);
      }
    }
  }
}
