package dev.clientgo.controller.finalizer;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.Finalizers;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.validation.NameRule;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.ObjectReconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;

/**
 * The finalizers of a controller for one kind of objects, with what each tidies up.
 *
 * <pre>{@code
 * FinalizerSet<Foo> finalizers =
 *     FinalizerSet.builder(Foo.TYPE)
 *         .add("example.com/tables", (foo, context) -> dropTables(foo))
 *         .add("example.com/bucket", (foo, context) -> emptyBucket(foo))
 *         .build();
 *
 * Reconciler reconciler =
 *     (request, context) -> finalizers.reconcile(request, context, this::createTablesAndBucket);
 * }</pre>
 *
 * <p><b>An object that lives</b> has all finalizers before the reconciler gets it, so nothing that
 * the reconciler creates outside the cluster can be forgotten. They are added in one patch. An
 * object that is being deleted never gets any.
 *
 * <p><b>An object that is being deleted</b> does not get to the reconciler. All cleanups whose
 * finalizers it still has run, in the order in which they were added here, also if one of them
 * fails. The finalizers of those that are {@linkplain Result#done done} are removed in one patch. A
 * cleanup that waits for something returns {@link Result#requeueAfter}: it keeps its finalizer and
 * runs again then. A cleanup that throws keeps its finalizer, too; the errors of all are one {@link
 * FinalizerException}. Finalizers of other controllers stay untouched.
 *
 * <p><b>A cleanup runs again</b> if this process dies, or the server is away, after the cleanup and
 * before its finalizer is removed. So what it tidies up may be gone already.
 *
 * <p><b>A cache can be old</b> after a start, or if another process led before: it may show an
 * object with all its finalizers that an earlier process has tidied up and released. So the first
 * reconcile of an object that has them reads it from the server, one request for each object after
 * a start; if the object is gone, neither the reconciler nor a cleanup runs.
 *
 * <p>A patch has the resourceVersion of the object as a precondition. If another client has changed
 * the object meanwhile, it is read again, up to five times. An object that is gone needs no
 * finalizer, so this is no error. The user needs the verbs {@code patch} and {@code get} on the
 * resource. A transform of the informer must keep the finalizers.
 *
 * <p>Immutable, safe for use by many threads. Corresponds to controller-runtime's {@code
 * finalizer.Finalizers}. Unlike there, it writes the changed object itself.
 *
 * @param <T> the type of the objects
 */
public final class FinalizerSet<T extends KubernetesObject> {

  private final ResourceType<T> type;
  private final Map<String, ObjectReconciler<? super T>> cleanups;

  private FinalizerSet(ResourceType<T> type, Map<String, ObjectReconciler<? super T>> cleanups) {
    this.type = type;
    this.cleanups = Collections.unmodifiableMap(new LinkedHashMap<>(cleanups));
  }

  /**
   * Returns a set of one finalizer.
   *
   * @param finalizer the name, such as {@code example.com/tables}
   * @param cleanup what to do before an object is deleted
   * @throws IllegalArgumentException if the name is not a qualified name
   */
  public static <T extends KubernetesObject> FinalizerSet<T> of(
      ResourceType<T> type, String finalizer, ObjectReconciler<? super T> cleanup) {
    return builder(type).add(finalizer, cleanup).build();
  }

  /** Returns a builder of a set for a kind of objects. */
  public static <T extends KubernetesObject> Builder<T> builder(ResourceType<T> type) {
    return new Builder<>(type);
  }

  /** Returns the names of the finalizers. */
  public Collection<String> names() {
    return cleanups.keySet();
  }

  /**
   * Reconciles the object that a request names, if it is there: with the given function, or, if it
   * is being deleted, with the cleanups.
   *
   * @param live reconciles an object that has all finalizers
   * @return the result of the function or of the cleanups; done, if the object is gone
   * @throws FinalizerException if cleanups have failed
   * @throws InterruptedException if the thread is interrupted; cleanups that follow do not run
   * @throws Exception what the function throws, or a request to the server
   */
  public Result reconcile(Request request, Context context, ObjectReconciler<? super T> live)
      throws Exception {
    CachedResource<T> resource = context.client().resource(type);
    Optional<T> found = resource.find(request);
    if (found.isPresent() && !lacksFinalizers(found.get())) {
      found = resource.confirmed(found.get()); // An earlier process may have removed them.
    }
    if (found.isPresent() && lacksFinalizers(found.get())) {
      found = change(resource, found.get(), this::withAll);
    }
    if (found.isEmpty()) {
      return Result.done(); // Its successor, if there is one, has its own request.
    }
    T object = found.get();
    return object.metadata().isBeingDeleted()
        ? cleanUp(resource, object, context)
        : live.reconcile(object, context);
  }

  private boolean lacksFinalizers(T object) {
    return !object.metadata().isBeingDeleted()
        && !object.metadata().finalizers().containsAll(cleanups.keySet());
  }

  private T withAll(T object) {
    if (object.metadata().isBeingDeleted()) {
      return object; // The server refuses new finalizers.
    }
    T all = object;
    for (String finalizer : cleanups.keySet()) {
      all = Finalizers.add(all, finalizer);
    }
    return all;
  }

  // ---- cleaning up

  private Result cleanUp(CachedResource<T> resource, T object, Context context)
      throws InterruptedException {
    List<String> done = new ArrayList<>();
    Map<String, Exception> errors = new LinkedHashMap<>();
    Duration again = Duration.ZERO;
    for (Map.Entry<String, ObjectReconciler<? super T>> cleanup : cleanups.entrySet()) {
      String finalizer = cleanup.getKey();
      if (!Finalizers.contains(object, finalizer)) {
        continue;
      }
      try {
        Duration wait = run(finalizer, cleanup.getValue(), object, context).requeueAfter();
        if (wait.isZero()) {
          done.add(finalizer);
        } else {
          again = again.isZero() || wait.compareTo(again) < 0 ? wait : again;
        }
      } catch (InterruptedException e) {
        throw e;
      } catch (Throwable e) {
        // The others run nevertheless, and the caller gets all errors.
        errors.put(
            finalizer,
            e instanceof Exception thrown ? thrown : new ExecutionException(CrashLog.text(e), e));
      }
    }
    if (!done.isEmpty()) {
      change(resource, object, current -> without(current, done));
    }
    if (!errors.isEmpty()) {
      throw new FinalizerException(type + " " + ObjectName.of(object), errors);
    }
    return again.isZero() ? Result.done() : Result.requeueAfter(again);
  }

  private Result run(
      String finalizer, ObjectReconciler<? super T> cleanup, T object, Context context)
      throws Exception {
    return requireNonNull(
        cleanup.reconcile(object, context),
        () -> "the cleanup of " + finalizer + " returned null: return Result.done()");
  }

  private T without(T object, List<String> finalizers) {
    T rest = object;
    for (String finalizer : finalizers) {
      rest = Finalizers.remove(rest, finalizer);
    }
    return rest;
  }

  // ---- writing

  /**
   * Changes the finalizers of an object on the server.
   *
   * @param known the object as the cache has it
   * @return the object as the server stored it, empty if it is gone
   */
  private Optional<T> change(CachedResource<T> all, T known, UnaryOperator<T> change)
      throws InterruptedException {
    String namespace = known.metadata().namespace();
    CachedResource<T> resource =
        namespace == null || namespace.isEmpty() ? all : all.inNamespace(namespace);
    String name = requireNonNull(known.metadata().name(), "name");
    try {
      return Optional.of(resource.patch(name, patch(known, change.apply(known))));
    } catch (ApiStatusException e) {
      if (!e.isConflict()) {
        return emptyIfGone(e);
      }
    }
    try {
      T written =
          resource.edit(name, current -> isSame(current, known) ? change.apply(current) : current);
      return Optional.of(written).filter(object -> isSame(object, known));
    } catch (ApiStatusException e) {
      return emptyIfGone(e);
    }
  }

  /** Returns the patch that sets the finalizers, if the object is still as it is known. */
  private static Patch patch(KubernetesObject known, KubernetesObject wanted) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("finalizers", wanted.metadata().finalizers());
    String version = known.metadata().resourceVersion();
    if (version != null) {
      metadata.put("resourceVersion", version);
    }
    return Patch.merge(Map.of("metadata", metadata));
  }

  private static boolean isSame(KubernetesObject a, KubernetesObject b) {
    return Objects.equals(a.metadata().uid(), b.metadata().uid());
  }

  private static <R> Optional<R> emptyIfGone(ApiStatusException e) {
    if (!e.isNotFound() || e.isUnexpectedServerError()) {
      throw e;
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return "finalizers of " + type + ": " + cleanups.keySet();
  }

  /**
   * Builds a {@link FinalizerSet}. Not safe for use by many threads.
   *
   * @param <T> the type of the objects
   */
  public static final class Builder<T extends KubernetesObject> {

    private final ResourceType<T> type;
    private final Map<String, ObjectReconciler<? super T>> cleanups = new LinkedHashMap<>();

    private Builder(ResourceType<T> type) {
      this.type = requireNonNull(type, "type");
    }

    /**
     * Adds a finalizer.
     *
     * @param finalizer the name, such as {@code example.com/tables}
     * @param cleanup what to do before an object is deleted
     * @throws IllegalArgumentException if the name is not a qualified name, or was added before
     */
    public Builder<T> add(String finalizer, ObjectReconciler<? super T> cleanup) {
      NameRule.LABEL_KEY.require("the finalizer", finalizer);
      if (cleanups.putIfAbsent(finalizer, requireNonNull(cleanup, "cleanup")) != null) {
        throw new IllegalArgumentException(
            "the finalizer " + finalizer + " was added before: give each cleanup its own name");
      }
      return this;
    }

    /**
     * Returns the set.
     *
     * @throws IllegalStateException if it has no finalizer
     */
    public FinalizerSet<T> build() {
      if (cleanups.isEmpty()) {
        throw new IllegalStateException("the set has no finalizer: call add(…)");
      }
      return new FinalizerSet<>(type, cleanups);
    }
  }
}
