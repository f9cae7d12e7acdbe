package dev.clientgo.simulation;

import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.Preconditions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.simulation.internal.threads.Scheduler;
import dev.clientgo.simulation.internal.threads.ThreadOwner;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The garbage collector of the simulated cluster: deletes the objects whose owners are all gone, in
 * the background.
 *
 * <p>It is not that of {@code embedded-controllers}, which lists and watches each kind that the
 * server has. This one reads the few objects of a run in place, without a request.
 */
final class GarbageCollector {

  /** As in a cluster, where a dependent of an owner that is gone lives for about that long. */
  private static final Duration DELAY = Duration.ofSeconds(1);

  private final Scheduler scheduler;
  private final ThreadOwner owner;
  private final RESTClient client;
  private final Supplier<Map<GroupVersionResource, List<Unstructured>>> objects;

  /** The kinds of which there ever was an object; an owner of another kind counts as alive. */
  private final Set<String> kinds = new HashSet<>();

  private boolean due;

  GarbageCollector(
      Scheduler scheduler,
      ThreadOwner owner,
      RESTClient client,
      Supplier<Map<GroupVersionResource, List<Unstructured>>> objects) {
    this.scheduler = scheduler;
    this.owner = owner;
    this.client = client;
    this.objects = objects;
  }

  /** Collects garbage after a moment. Called after each change. */
  void collectSoon() {
    objects.get().values().forEach(list -> list.forEach(object -> kinds.add(object.kind())));
    if (!due) {
      due = true;
      scheduler.after(DELAY, () -> owner.newThread(this::collect).start());
    }
  }

  void close() {
    scheduler.kill(owner);
  }

  private void collect() {
    due = false;
    Map<GroupVersionResource, List<Unstructured>> all = objects.get();
    Map<String, String> alive = new HashMap<>(); // The namespaces, by the UIDs.
    all.values()
        .forEach(
            list ->
                list.forEach(
                    object ->
                        alive.put(
                            String.valueOf(object.metadata().uid()),
                            Objects.requireNonNullElse(object.metadata().namespace(), ""))));
    try {
      for (Map.Entry<GroupVersionResource, List<Unstructured>> entry : all.entrySet()) {
        for (Unstructured object : entry.getValue()) {
          if (isGarbage(object, alive)) {
            delete(entry.getKey(), object);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isGarbage(Unstructured object, Map<String, String> alive) {
    List<OwnerReference> owners = object.metadata().ownerReferences();
    return !owners.isEmpty()
        && object.metadata().deletionTimestamp() == null
        && owners.stream()
            .allMatch(
                owner -> kinds.contains(owner.kind()) && !isAlive(alive.get(owner.uid()), object));
  }

  /** Returns whether an owner is alive that is in a namespace, or in none: then it may own all. */
  private static boolean isAlive(@Nullable String namespace, Unstructured object) {
    return namespace != null
        && (namespace.isEmpty() || namespace.equals(object.metadata().namespace()));
  }

  private void delete(GroupVersionResource resource, Unstructured object)
      throws InterruptedException {
    ResourceClient<Unstructured> all = client.dynamic(resource);
    String namespace = object.metadata().namespace();
    Preconditions same = new Preconditions(object.metadata().uid(), null);
    try {
      (namespace == null ? all : all.inNamespace(namespace))
          .delete(
              String.valueOf(object.metadata().name()),
              DeleteOptions.builder().preconditions(same).build());
    } catch (ApiStatusException e) {
      if (!ApiStatusException.isConflictOrNotFound(e)) {
        throw e;
      }
    }
  }
}
