package dev.clientgo.workqueue;

import static java.lang.System.Logger.Level.WARNING;

import dev.clientgo.clock.CrashLog;
import java.time.Duration;

/** Calls an observer and logs the exceptions that it throws, so that no item is lost by them. */
final class GuardedObserver implements QueueObserver {

  private static final System.Logger LOG = System.getLogger(QueueObserver.class.getName());

  private final QueueObserver observer;

  GuardedObserver(QueueObserver observer) {
    this.observer = observer;
  }

  private static void guarded(Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      CrashLog.log(LOG, WARNING, "An observer failed", e);
    }
  }

  @Override
  public void added(Object item) {
    guarded(() -> observer.added(item));
  }

  @Override
  public void alreadyAdded(Object item) {
    guarded(() -> observer.alreadyAdded(item));
  }

  @Override
  public void delayed(Object item, Duration delay) {
    guarded(() -> observer.delayed(item, delay));
  }

  @Override
  public void due(Object item) {
    guarded(() -> observer.due(item));
  }

  @Override
  public void got(Object item) {
    guarded(() -> observer.got(item));
  }

  @Override
  public void starting(Object item) throws InterruptedException {
    try {
      observer.starting(item);
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) {
      CrashLog.log(LOG, WARNING, "An observer failed", e);
    }
  }

  @Override
  public void done(Object item) {
    guarded(() -> observer.done(item));
  }

  @Override
  public void forgotten(Object item) {
    guarded(() -> observer.forgotten(item));
  }

  @Override
  public void shutDown(boolean drops) {
    guarded(() -> observer.shutDown(drops));
  }
}
