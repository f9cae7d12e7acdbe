package dev.clientgo.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Records its calls, and does what a test wants. */
final class RecordingReconciler implements Reconciler {

  /** A call, with the priority and the failures that it saw. */
  record Call(Request request, int priority, int failures) {}

  private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
  private final Reconciler action;

  RecordingReconciler() {
    this((request, context) -> Result.done());
  }

  RecordingReconciler(Reconciler action) {
    this.action = action;
  }

  @Override
  public Result reconcile(Request request, Context context) throws Exception {
    calls.add(new Call(request, context.priority(), context.failures()));
    return action.reconcile(request, context);
  }

  /** Waits for the next call. */
  Call next() throws InterruptedException {
    Call call = calls.poll(2, TimeUnit.MINUTES);
    if (call == null) {
      throw new AssertionError("no reconcile for 2 min");
    }
    return call;
  }

  /** Waits for calls until the wanted one comes. */
  Call awaitCall(Request request) throws InterruptedException {
    while (true) {
      Call call = next();
      if (call.request().equals(request)) {
        return call;
      }
    }
  }

  /** Returns the calls that no one has waited for. */
  List<Call> drain() {
    List<Call> drained = new ArrayList<>();
    calls.drainTo(drained);
    return drained;
  }
}
