package dev.clientgo.envtest.internal.verbs;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.status.StatusDetails;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.errors.ApiErrors;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.requests.DeletionOptions;
import dev.clientgo.envtest.internal.requests.WriteOptions;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Evicts pods: deletes them, unless a PodDisruptionBudget forbids it. */
final class EvictionHandler {

  private static final GroupResource BUDGETS = new GroupResource("policy", "poddisruptionbudgets");
  private static final Set<String> NOT_RUNNING = Set.of("Pending", "Succeeded", "Failed");

  private final ObjectStore store;
  private final DeleteHandler deletes;
  private final Clock clock;

  EvictionHandler(ObjectStore store, DeleteHandler deletes, Clock clock) {
    this.store = store;
    this.deletes = deletes;
    this.clock = clock;
  }

  Response create(ApiRequest request, ServedKind served) {
    Map<String, Object> eviction = JsonTree.asObject(JsonText.parse(request.body()));
    if (!JsonTree.string(eviction, "metadata", "name").equals(request.name())) {
      throw ApiStatusException.badRequest("name in URL does not match name in Eviction object");
    }
    StoredObject pod = store.get(served.groupResource(), served.key(request));
    if (pod == null) {
      throw ApiStatusException.notFound(served.groupResource(), request.name());
    }
    DeletionOptions options = DeletionOptions.of(JsonTree.object(eviction, "deleteOptions"));
    boolean dryRun = options.dryRun() || WriteOptions.isDryRun(request, "CreateOptions");
    String phase = JsonTree.string(pod.object().content(), "status", "phase");
    if (!pod.isBeingDeleted() && !NOT_RUNNING.contains(phase)) {
      takeFromBudget(request.namespace(), pod, dryRun);
    }
    if (!dryRun) {
      deletes.delete(served.resource(), pod, options);
    }
    return Response.done(201);
  }

  private void takeFromBudget(String namespace, StoredObject pod, boolean dryRun) {
    while (true) {
      StoredObject budget = budget(namespace, pod);
      if (budget == null) {
        return;
      }
      long allowed = number(budget, "disruptionsAllowed");
      if (allowed <= 0) {
        throw refused(budget);
      }
      Unstructured taken =
          budget
              .object()
              .with(allowed - 1, "status", "disruptionsAllowed")
              .with(Time.now(clock).toString(), "status", "disruptedPods", pod.name());
      if (dryRun || store.put(BUDGETS, budget.key(), budget, taken) != null) {
        return;
      }
    }
  }

  private @Nullable StoredObject budget(String namespace, StoredObject pod) {
    List<StoredObject> found = new ArrayList<>();
    for (StoredObject budget :
        store.list(BUDGETS, StoredObject.prefix(namespace)).objects().values()) {
      Object selector = JsonTree.get(budget.object().content(), "spec", "selector");
      LabelSelector labels =
          JsonReader.fromBytes(LabelSelector.CODEC, JsonText.write(JsonTree.asObject(selector)));
      if (selector != null && Selector.of(labels).matches(pod.labels())) {
        found.add(budget);
      }
    }
    if (found.size() > 1) {
      throw ApiErrors.unexplained(
          "This pod has more than one PodDisruptionBudget, which the eviction subresource does not"
              + " support.");
    }
    return found.isEmpty() ? null : found.get(0);
  }

  private static long number(StoredObject budget, String field) {
    return requireNonNullElse(JsonTree.number(budget.object().content(), "status", field), 0L);
  }

  private static ApiStatusException refused(StoredObject budget) {
    long wanted = number(budget, "desiredHealthy");
    long healthy = number(budget, "currentHealthy");
    ApiStatusException refused =
        ApiStatusException.tooManyRequests(
            "Cannot evict pod as it would violate the pod's disruption budget.", 0);
    String why =
        healthy <= wanted
            ? " needs " + wanted + " healthy pods and has " + healthy + " currently"
            : " does not allow evicting pods currently";
    StatusCause cause =
        new StatusCause("DisruptionBudget", "The disruption budget " + budget.name() + why, null);
    StatusDetails details =
        requireNonNullElse(refused.status().details(), StatusDetails.builder().build());
    return new ApiStatusException(
        refused.status().toBuilder()
            .details(details.toBuilder().causes(List.of(cause)).build())
            .build());
  }
}
