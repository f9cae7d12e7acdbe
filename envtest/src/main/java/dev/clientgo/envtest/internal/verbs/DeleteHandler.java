package dev.clientgo.envtest.internal.verbs;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.admission.Admission;
import dev.clientgo.envtest.internal.conversion.VersionConverter;
import dev.clientgo.envtest.internal.encoding.ObjectEncoding;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.Resource;
import dev.clientgo.envtest.internal.kinds.Resource.Trait;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.requests.DeletionOptions;
import dev.clientgo.envtest.internal.requests.ListQuery;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.internal.strategy.KindRules;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Handles {@code delete} and {@code deletecollection}.
 *
 * <p>An object with finalizers, or a running pod, is only marked as deleted; the update that
 * removes the last finalizer, or a delete without grace period, removes it. No garbage collector
 * runs: dependents stay, and so do the finalizers of the policies {@code Foreground} and {@code
 * Orphan}, as with a kube-apiserver without controllers.
 */
final class DeleteHandler {

  private static final long DEFAULT_GRACE_SECONDS = 30L;
  private static final List<String> PERMANENT_NAMESPACES =
      List.of("default", "kube-system", "kube-public");

  private final ObjectStore store;
  private final ServerSettings settings;
  private final VersionConverter versions;

  DeleteHandler(ObjectStore store, ServerSettings settings, VersionConverter versions) {
    this.store = store;
    this.settings = settings;
    this.versions = versions;
  }

  /** Returns whether a marked object can be removed. */
  static boolean isFinished(Resource resource, Unstructured object) {
    ObjectMeta metadata = object.metadata();
    Long grace = metadata.deletionGracePeriodSeconds();
    return metadata.deletionTimestamp() != null
        && (grace == null || grace == 0)
        && metadata.finalizers().isEmpty()
        && !(resource.isNamespace() && KindRules.hasFinalizers(object));
  }

  Response delete(ApiRequest request, ServedKind served, Admission admission) {
    Resource resource = served.resource();
    ObjectEncoding encoding = settings.encoding(request, served);
    GroupResource kind = resource.groupResource();
    if (resource.isNamespace() && PERMANENT_NAMESPACES.contains(request.name())) {
      throw ApiStatusException.forbidden(kind, request.name(), "this namespace may not be deleted");
    }
    DeletionOptions options = DeletionOptions.of(request);
    StoredObject present = store.get(kind, served.key(request));
    if (present == null) {
      throw ApiStatusException.notFound(kind, request.name());
    }
    admission.delete(versions.read(served, present).object());
    Outcome outcome = end(resource, present, options);
    if (outcome.gone() && !resource.is(Trait.RETURNS_DELETED)) {
      return Response.tree(200, success(resource, outcome.object()));
    }
    boolean waits = !outcome.gone() && Boolean.FALSE.equals(options.orphanDependents());
    return Response.json(
        waits ? 202 : 200, encoding.object(versions.read(served, outcome.object())));
  }

  Response deleteCollection(ApiRequest request, ServedKind served, Admission admission) {
    Resource resource = served.resource();
    ListQuery query = ListQuery.of(request, served, settings.shards());
    ObjectEncoding encoding = settings.encoding(request, served).ofShard(query.selection().shard());
    DeletionOptions options = DeletionOptions.of(request);
    ObjectStore.Snapshot snapshot = store.list(resource.groupResource(), served.prefix(request));
    List<StoredObject> selected = new ArrayList<>();
    for (StoredObject stored : snapshot.objects().values()) {
      StoredObject object = versions.read(served, stored);
      if (query.selection().matches(object)) {
        selected.add(object);
      }
    }
    for (StoredObject object : selected) {
      admission.delete(object.object());
      StoredObject stored = snapshot.objects().get(object.key());
      deleteIfPresent(resource, stored == null ? object : stored, options);
    }
    return Response.json(200, encoding.list(selected, snapshot.revision(), "", null));
  }

  /** Deletes an object with the default options, if it still exists. */
  void delete(Resource resource, StoredObject object) {
    deleteIfPresent(resource, object, DeletionOptions.DEFAULT);
  }

  /** Deletes an object. */
  void delete(Resource resource, StoredObject object, DeletionOptions options) {
    end(resource, object, options);
  }

  private void deleteIfPresent(Resource resource, StoredObject object, DeletionOptions options) {
    try {
      end(resource, object, options);
    } catch (ApiStatusException e) {
      if (!e.isNotFound()) {
        throw e;
      }
    }
  }

  /** An object after its deletion; {@code gone} if it was removed. */
  private record Outcome(StoredObject object, boolean gone) {}

  private Outcome end(Resource resource, StoredObject first, DeletionOptions options) {
    GroupResource kind = resource.groupResource();
    StoredObject present = first;
    while (true) {
      options.check(resource, present);
      Plan plan = plan(resource, present, options);
      if (options.dryRun()) {
        return new Outcome(present.converted(plan.mark(), present.version()), plan.end());
      }
      boolean marks = !plan.mark().equals(present.object());
      StoredObject marked = marks ? store.put(kind, present.key(), present, plan.mark()) : present;
      StoredObject gone = marked != null && plan.end() ? store.delete(kind, marked) : null;
      if (gone != null) {
        return new Outcome(gone, true);
      }
      if (marked != null && !plan.end()) {
        return new Outcome(marked, false);
      }
      present = store.get(kind, first.key());
      if (present == null) {
        throw ApiStatusException.notFound(kind, first.name());
      }
    }
  }

  /** The steps of a deletion: the marked object, and whether it is removed. */
  private record Plan(Unstructured mark, boolean end) {}

  private Plan plan(Resource resource, StoredObject present, DeletionOptions options) {
    if (resource.isNamespace()) {
      Unstructured mark = mark(present, null, present.finalizers());
      mark = mark.with("Terminating", "status", "phase");
      return new Plan(mark, isFinished(resource, mark));
    }
    Long pending = present.metadata().deletionGracePeriodSeconds();
    long left = present.isBeingDeleted() && pending != null ? pending : 0;
    Long grace = resource.is(Trait.GRACEFUL) ? graceSeconds(present.object(), options) : null;
    if (grace != null && left > 0 && grace >= left) {
      return new Plan(present.object(), false); // A grace period can only become shorter.
    }
    List<String> finalizers = options.finalizers(resource, present);
    if (grace == null && finalizers.isEmpty()) {
      return new Plan(present.object(), true);
    }
    long seconds = grace == null ? 0 : grace;
    return new Plan(mark(present, seconds, finalizers), finalizers.isEmpty() && seconds == 0);
  }

  private Unstructured mark(StoredObject present, @Nullable Long grace, List<String> finalizers) {
    ObjectMeta old = present.metadata();
    ObjectMeta.Builder metadata =
        old.toBuilder()
            .deletionGracePeriodSeconds(grace)
            .finalizers(finalizers.isEmpty() ? null : finalizers);
    Long generation = old.generation();
    if (!present.isBeingDeleted() && generation != null) {
      metadata.generation(generation + 1);
    }
    Long pending = old.deletionGracePeriodSeconds();
    if (!present.isBeingDeleted() || (grace != null && pending != null && grace < pending)) {
      Instant end = settings.clock().now().plusSeconds(grace == null ? 0 : grace);
      metadata.deletionTimestamp(Time.of(end));
    }
    return present.object().withMetadata(metadata.build());
  }

  /** Returns the grace period of a pod, in seconds. */
  private static long graceSeconds(Unstructured pod, DeletionOptions options) {
    String phase = JsonTree.string(pod.content(), "status", "phase");
    boolean runs =
        !JsonTree.string(pod.content(), "spec", "nodeName").isEmpty()
            && !phase.equals("Succeeded")
            && !phase.equals("Failed");
    if (!runs) {
      return 0;
    }
    Long wanted = options.gracePeriodSeconds();
    if (wanted != null) {
      return wanted < 0 ? 1 : wanted;
    }
    return requireNonNullElse(
        JsonTree.number(pod.content(), "spec", "terminationGracePeriodSeconds"),
        DEFAULT_GRACE_SECONDS);
  }

  private static Map<String, Object> success(Resource resource, StoredObject object) {
    String group = resource.group();
    return JsonTree.of(
        "kind", "Status",
        "apiVersion", "v1",
        "metadata", Map.of(),
        "status", "Success",
        "details",
            JsonTree.of(
                "name", object.name(),
                "group", group.isEmpty() ? null : group,
                "kind", resource.plural(),
                "uid", object.uid()));
  }
}
