package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.controller.Client.OwnObject;
import dev.clientgo.controller.internal.reconcile.Attempt;
import dev.clientgo.controller.internal.reconcile.LastStep;
import dev.clientgo.events.EventRecorder;
import dev.clientgo.leaderelection.shard.ShardWork;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Calls a reconciler with the {@link Context} of one reconcile. */
final class ReconcilerCall implements LastStep<Request> {

  private final String controller;
  private final Reconciler reconciler;
  private final @Nullable Duration timeout;
  private final ClientScope scope;
  private final EventRecorder events;
  private final @Nullable ResourceType<?> kind;
  private final List<ResourceType<?>> owned;

  /** Of the random numbers of reconciles. */
  private final LongSupplier seeds;

  /** Creates an instance; no {@code timeout} means that there is no limit. */
  ReconcilerCall(
      String controller,
      Reconciler reconciler,
      @Nullable Duration timeout,
      ClientScope scope,
      EventRecorder events,
      @Nullable ResourceType<?> kind,
      List<ResourceType<?>> owned,
      LongSupplier seeds) {
    this.controller = controller;
    this.reconciler = reconciler;
    this.timeout = timeout;
    this.scope = scope;
    this.events = events;
    this.kind = kind;
    this.owned = owned;
    this.seeds = seeds;
  }

  @Override
  @SuppressWarnings("InterruptedExceptionSwallowed") // Of a reconciler: a failure like any other.
  public void run(Attempt<Request> attempt) {
    Context context = context(attempt);
    try {
      context.checkLeadership(); // The process may have been stopped since the first step.
      Result result = reconciler.reconcile(attempt.request, context);
      if (result == null) {
        throw new NullPointerException("the reconciler returned null: return Result.done()");
      }
      attempt.succeed(result.requeueAfter(), result.priority().orElse(attempt.priority));
    } catch (Throwable e) {
      // An Error too: were the worker to die of it, one bad object would kill one after the other.
      attempt.fail(e);
    }
  }

  /** Returns what the reconciler of an attempt sees of it. */
  Context context(Attempt<Request> attempt) {
    Client client = client(attempt);
    Runnable leadership = attempt::check;
    return new Context(
        controller,
        attempt.request,
        attempt.id(),
        attempt.priority,
        attempt.failures,
        client,
        events,
        leadership,
        children(controller, events, leadership, kind, owned),
        seeds);
  }

  /** Returns what applies children with the client of a reconcile. */
  static Function<Client, Children.Runner> children(
      String controller,
      EventRecorder events,
      Runnable leadership,
      @Nullable ResourceType<?> kind,
      List<ResourceType<?>> owned) {
    return client -> {
      ChildrenRun.Scope scope =
          new ChildrenRun.Scope(controller, client, events, leadership, kind, owned);
      return (owner, label, applySet, stages) ->
          new ChildrenRun(scope, owner, label, applySet, stages).run();
    };
  }

  private Client client(Attempt<Request> attempt) {
    ShardWork shard = attempt.shard();
    OwnObject own = shard == null ? null : new OwnObject(attempt.request.objectName(), shard);
    return new Client(scope, attempt.client(), attempt.writes(), controller, own);
  }

  @Override
  public @Nullable Duration timeout() {
    return timeout;
  }

  @Override
  public Throwable timedOut(Request request, Throwable error) {
    return new ReconcileTimeoutException(controller, request, requireNonNull(timeout), error);
  }

  @Override
  public boolean isTerminal(Throwable error) {
    return Attempt.isOrHasCause(error, TerminalException.class);
  }
}
