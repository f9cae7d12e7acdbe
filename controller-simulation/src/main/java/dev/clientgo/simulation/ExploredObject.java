package dev.clientgo.simulation;

import dev.clientgo.apimachinery.meta.options.PatchOptions;
import dev.clientgo.apimachinery.patch.MergePatch;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.simulation.Settings.NamedStep;
import dev.clientgo.simulation.Settings.Workload;
import dev.clientgo.simulation.internal.state.Snapshot;
import dev.clientgo.simulation.workload.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The object that an exploration changes, and what a user does to it.
 *
 * @param namespace empty for a cluster-scoped object
 * @param start the object without a change
 */
record ExploredObject(GroupVersionResource resource, String namespace, Unstructured start) {

  static final String CREATE = "create it";
  static final String CHANGE = "change it";
  static final String CHANGE_BACK = "change it back";

  private static final Pattern REPORT =
      Pattern.compile(
          "(?i)\\w*(degraded|failed|failure|stalled|error|invalid)=True|(accepted|valid)=False");

  /** Returns the object with a change. */
  Unstructured with(Map<String, ?> change) {
    return Unstructured.of(asMap(MergePatch.apply(start.content(), change)));
  }

  @SuppressWarnings("unchecked") // The keys of JSON are strings.
  static Map<String, Object> asMap(@Nullable Object tree) {
    return tree instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  // ---- what a user does

  private ResourceClient<Unstructured> in(RESTClient client) {
    ResourceClient<Unstructured> all = client.dynamic(resource);
    return namespace.isEmpty() ? all : all.inNamespace(namespace);
  }

  /** Writes the object with a change over the present one. */
  Unstructured write(RESTClient client, Map<String, ?> change, PatchOptions options)
      throws InterruptedException {
    Unstructured wanted = with(change);
    return in(client)
        .edit(
            String.valueOf(start.metadata().name()),
            now -> {
              Unstructured written = wanted.withMetadata(now.metadata());
              return now.nested("status").map(it -> written.with(it, "status")).orElse(written);
            },
            options);
  }

  private static NamedStep refusable(String name, Step step, Set<String> refused) {
    return new NamedStep(
        name,
        client -> {
          try {
            step.run(client);
          } catch (ApiStatusException e) {
            refused.add(name);
          }
        });
  }

  private NamedStep change(String name, Map<String, ?> change, Set<String> refused) {
    return refusable(name, client -> write(client, change, PatchOptions.NONE), refused);
  }

  /** Returns a workload that creates the object. */
  Workload created() {
    return new Workload(List.of(create(Map.of())), false);
  }

  private NamedStep create(Map<String, ?> change) {
    return new NamedStep(CREATE, client -> in(client).create(with(change)));
  }

  /**
   * Returns a workload that creates the object with a change.
   *
   * @param refused gets the name of the step if the server refuses it
   */
  Workload created(Map<String, ?> change, Set<String> refused) {
    return new Workload(List.of(refusable(CREATE, create(change).step(), refused)), true);
  }

  /**
   * Returns a workload that creates the object, changes it and changes it back.
   *
   * @param refused gets the names of the steps that the server refuses
   */
  Workload changedAndBack(Map<String, ?> change, Set<String> refused) {
    return createdAnd(change(CHANGE, change, refused), change(CHANGE_BACK, Map.of(), refused));
  }

  /** Returns a workload that creates the object and takes more steps. */
  Workload createdAnd(NamedStep... more) {
    List<NamedStep> steps = new ArrayList<>(List.of(create(Map.of())));
    steps.addAll(List.of(more));
    return new Workload(steps, true);
  }

  // ---- what a controller does

  /** Returns a state with nothing of the object but its status. */
  Snapshot withoutSpec(Snapshot state) {
    Map<GroupVersionResource, List<Unstructured>> objects = new HashMap<>(state.objects());
    objects.replaceAll(
        (one, all) -> // The controller may use another version of it.
        Snapshot.name(one).equals(Snapshot.name(resource))
                ? all.stream().map(ExploredObject::withoutSpec).toList()
                : all);
    return new Snapshot(objects);
  }

  private static Unstructured withoutSpec(Unstructured object) {
    Map<String, @Nullable Object> kept = new HashMap<>(object.content());
    kept.keySet().retainAll(Set.of("apiVersion", "kind", "metadata", "status"));
    return Unstructured.of(kept);
  }

  /** Returns the object alone, with its status alone. */
  Snapshot status(Snapshot state) {
    return withoutSpec(state).only(key -> key.startsWith(Snapshot.name(resource) + " "));
  }

  /** Returns the conditions of the object that say that the controller cannot do its work. */
  Set<String> reports(Snapshot state) {
    Set<String> reports = new HashSet<>();
    for (Unstructured one : state.objects().getOrDefault(resource, List.of())) {
      for (Object condition : one.nestedList("status", "conditions").orElse(List.of())) {
        reports.add(asMap(condition).get("type") + "=" + asMap(condition).get("status"));
      }
    }
    reports.removeIf(condition -> !REPORT.matcher(condition).matches());
    return reports;
  }
}
