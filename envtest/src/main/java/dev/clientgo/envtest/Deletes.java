package dev.clientgo.envtest;

import dev.clientgo.apimachinery.clock.Clock;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.envtest.Resource.Trait;
import dev.clientgo.envtest.Resource.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The verbs {@code delete} and {@code deletecollection}.
 *
 * <p>An object with finalizers, or with a grace period, is only marked; the update that removes the
 * last finalizer, or a delete without grace, removes it. There is no garbage collector: dependents
 * stay, and the finalizers that the propagation policies {@code Foreground} and {@code Orphan} set
 * wait for somebody to remove them, as with a kube-apiserver that has no controllers.
 */
final class Deletes {

  private static final String METADATA = "metadata";
  private static final String TIMESTAMP = "deletionTimestamp";
  private static final String GRACE = "deletionGracePeriodSeconds";

  private final Store store;
  private final Clock clock;

  Deletes(Store store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Returns whether an object that is being deleted waits for nobody any more. */
  static boolean isFinished(Map<String, Object> object) {
    Long grace = Tree.number(object, METADATA, GRACE);
    return Tree.get(object, METADATA, TIMESTAMP) != null
        && (grace == null || grace == 0)
        && Tree.strings(object, METADATA, "finalizers").isEmpty();
  }

  Response delete(ApiRequest request, Resource resource, Version version) {
    Encoding encoding = Encoding.of(request, resource, version);
    DeleteOptions options = DeleteOptions.of(request);
    GroupResource kind = resource.groupResource();
    Stored present = store.get(kind, resource.key(request));
    if (present == null) {
      throw Failures.notFound(kind, request.name());
    }
    Outcome outcome = delete(resource, present, options);
    if (outcome.gone() && !resource.is(Trait.RETURNS_DELETED)) {
      return Response.json(200, success(resource, outcome.object()));
    }
    int code = !outcome.gone() && options.isForeground() ? 202 : 200;
    return Response.json(code, encoding.object(outcome.object()));
  }

  Response deleteCollection(ApiRequest request, Resource resource, Version version) {
    Encoding encoding = Encoding.of(request, resource, version);
    ListQuery query = ListQuery.of(request, version);
    DeleteOptions options = DeleteOptions.of(request);
    Store.Snapshot snapshot = store.list(resource.groupResource(), resource.prefix(request));
    List<Stored> selected = new ArrayList<>();
    for (Stored object : snapshot.objects().values()) {
      if (query.selection().matches(object)) {
        selected.add(object);
      }
    }
    for (Stored object : selected) {
      try {
        delete(resource, object, options);
      } catch (dev.clientgo.apimachinery.errors.ApiStatusException e) {
        if (!Integer.valueOf(404).equals(e.status().code())) {
          throw e;
        }
      }
    }
    return Response.json(200, encoding.list(selected, snapshot.revision(), "", null));
  }

  /** What became of an object; {@code gone} if it is there no more. */
  private record Outcome(Stored object, boolean gone) {}

  private Outcome delete(Resource resource, Stored first, DeleteOptions options) {
    GroupResource kind = resource.groupResource();
    Stored present = first;
    while (true) {
      options.check(resource, present);
      Map<String, Object> marked = mark(resource, present, options);
      if (marked != null && marked.equals(present.tree())) {
        return new Outcome(present, false);
      }
      Stored done;
      if (options.dryRun()) {
        return marked == null
            ? new Outcome(present, true)
            : new Outcome(Stored.unsaved(present.key(), marked), false);
      }
      done =
          marked == null
              ? store.delete(kind, present)
              : store.put(kind, present.key(), present, marked);
      if (done != null) {
        return new Outcome(done, marked == null);
      }
      Stored again = store.get(kind, first.key());
      if (again == null) {
        throw Failures.notFound(kind, first.name());
      }
      present = again;
    }
  }

  /** Returns the object as it waits for its end, or null if it need not wait. */
  private @Nullable Map<String, Object> mark(
      Resource resource, Stored present, DeleteOptions options) {
    Map<String, Object> object = present.tree();
    List<String> finalizers = options.finalizers(object);
    Long grace = graceSeconds(resource, present, options);
    boolean marked = Tree.get(object, METADATA, TIMESTAMP) != null;
    Long pending = Tree.number(object, METADATA, GRACE);
    if (marked && pending != null && pending > 0 && (grace == null || grace >= pending)) {
      return object; // A grace period can only be made shorter.
    }
    if (finalizers.isEmpty() && (grace == null || grace == 0) && !isNamespace(resource)) {
      return null;
    }
    if (marked
        && finalizers.equals(Tree.strings(object, METADATA, "finalizers"))
        && (pending == null || pending == 0)) {
      return object;
    }
    long seconds = grace == null ? 0 : grace;
    object = Tree.with(object, finalizers.isEmpty() ? null : finalizers, METADATA, "finalizers");
    if (!marked || (pending != null && seconds < pending)) {
      object =
          Tree.with(
              object, Strategy.timestamp(clock.now().plusSeconds(seconds)), METADATA, TIMESTAMP);
    }
    if (!marked && Strategy.generation(present) > 0) {
      object = Tree.with(object, Strategy.generation(present) + 1, METADATA, "generation");
    }
    if (isNamespace(resource)) {
      return Tree.with(object, "Terminating", "status", "phase");
    }
    return Tree.with(object, seconds, METADATA, GRACE);
  }

  private static boolean isNamespace(Resource resource) {
    return resource.group().isEmpty() && resource.plural().equals("namespaces");
  }

  /** Returns the grace period of a pod on a node; null for all else, which has none. */
  private static @Nullable Long graceSeconds(
      Resource resource, Stored object, DeleteOptions options) {
    if (!resource.is(Trait.GRACEFUL)) {
      return null;
    }
    String phase = Tree.string(object.tree(), "status", "phase");
    boolean runsNowhere =
        Tree.string(object.tree(), "spec", "nodeName").isEmpty()
            || phase.equals("Succeeded")
            || phase.equals("Failed");
    if (runsNowhere) {
      return 0L;
    }
    Long wanted = options.gracePeriodSeconds();
    if (wanted != null) {
      return wanted < 0 ? 1L : wanted;
    }
    if (Tree.get(object.tree(), METADATA, TIMESTAMP) != null) {
      return null;
    }
    Long usual = Tree.number(object.tree(), "spec", "terminationGracePeriodSeconds");
    return usual == null ? 30L : usual;
  }

  private static Object success(Resource resource, Stored object) {
    return Tree.of(
        "kind",
        "Status",
        "apiVersion",
        "v1",
        "metadata",
        Map.of(),
        "status",
        "Success",
        "details",
        Tree.of(
            "name",
            object.name(),
            "group",
            resource.group().isEmpty() ? null : resource.group(),
            "kind",
            resource.plural(),
            "uid",
            object.uid()));
  }
}
