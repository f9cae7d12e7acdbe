package dev.clientgo.simulation;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.simulation.internal.run.History;
import dev.clientgo.simulation.internal.state.Snapshot;
import dev.clientgo.simulation.internal.traffic.Call;
import dev.clientgo.simulation.workload.Invariant;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Checks each write of a run at the moment at which the server has carried it out. */
final class WriteChecks {

  /** The resources that no oracle looks at: they differ from run to run. */
  private static final Set<String> UNIMPORTANT = Set.of("leases", "events");

  private final World world;
  private final History history;
  private final ServerState state;
  private final Authors authors = new Authors();
  private final Set<GroupVersionResource> resources = new LinkedHashSet<>();
  private final List<String> changes = new ArrayList<>();
  private final Map<String, String> versions = new HashMap<>();
  private final Map<String, String> texts = new HashMap<>();
  private final Map<String, String> keys = new HashMap<>();
  private final Map<String, Integer> unchanged = new HashMap<>();
  private final Map<String, String> leaders = new TreeMap<>();

  /** The controllers that have used a lease. */
  private final Set<ControllerSetup> electing = new HashSet<>();

  private final Map<String, Integer> creates = new TreeMap<>();
  private final Map<String, Integer> deletes = new TreeMap<>();
  private Duration leaseDuration = Duration.ZERO;
  private int writesOfStep;

  WriteChecks(World world, ServerState state) {
    this.world = world;
    this.history = world.history();
    this.state = state;
  }

  /** Returns the resource version after each change, in order. */
  List<String> changes() {
    return List.copyOf(changes);
  }

  /** Returns who has created the objects. */
  Authors authors() {
    return authors;
  }

  /** Returns how many objects of each key the controller has created. */
  Map<String, Integer> creates() {
    return new TreeMap<>(creates);
  }

  /** Returns how many objects of each key the controller has deleted. */
  Map<String, Integer> deletes() {
    return new TreeMap<>(deletes);
  }

  /** Returns whether the controller of a process uses leases. */
  boolean elects(ControllerProcess process) {
    return electing.contains(process.setup);
  }

  /** Returns whether a process holds a lease. */
  boolean leads(String process) {
    return leaders.containsValue(process);
  }

  /** Returns whether a process holds no lease, but a different process does. */
  boolean leadsAnotherThan(String process) {
    return !leads(process) && leaders.values().stream().anyMatch(leader -> !leader.isEmpty());
  }

  /** Returns the longest duration of a lease; zero if there was no lease. */
  Duration leaseDuration() {
    return leaseDuration;
  }

  void beginStep() {
    writesOfStep = 0;
  }

  /** Returns a hash of the objects, apart from what differs from run to run. */
  int stateHash() {
    return texts.hashCode();
  }

  /** Returns how often the controller has written since the step began. */
  int writesOfStep() {
    return writesOfStep;
  }

  /** Returns the objects of all resources that were ever written. */
  Map<GroupVersionResource, List<Unstructured>> objects() {
    Map<GroupVersionResource, List<Unstructured>> objects = new LinkedHashMap<>();
    for (GroupVersionResource resource : resources) {
      if (!UNIMPORTANT.contains(resource.resource())) {
        objects.put(resource, state.list(resource));
      }
    }
    return objects;
  }

  /** Returns whether no oracle looks at a resource. */
  static boolean isUnimportant(String resource) {
    return resource.isEmpty() || UNIMPORTANT.contains(resource);
  }

  /**
   * Checks a write that has succeeded.
   *
   * @param process the one that has written; null if it was the user
   * @return the namespace and name of the object if the write has changed it
   */
  Optional<String> written(Call call, int code, byte[] body, @Nullable ControllerProcess process) {
    ApiRequest request = call.request();
    Written written = Written.of(request, body);
    resources.add(written.resource());
    if (request.resource().equals("leases")) {
      leads(call, written);
      if (process != null) {
        electing.add(process.setup);
      }
    }
    if (isUnimportant(request.resource())) {
      return Optional.empty();
    }
    boolean exists = exists(written);
    boolean changed = changed(written, exists);
    authors.written(
        call, code, written.resource(), written.name(), process != null && process.underTest);
    if (process != null && process.underTest) {
      writesOfStep++;
      // The removal of the last finalizer ends an object that somebody else has deleted.
      count(call, written, code, changed && !exists && request.verb().startsWith("delete"));
      checkLoop(call, written, changed);
      checkLeader(call, process);
    }
    if (!changed) {
      return Optional.empty();
    }
    changes.add(state.version());
    check(world.settings().always, "after " + call.describe());
    return Optional.of(written.name());
  }

  /**
   * A write that has taken place.
   *
   * @param resource the resource
   * @param name the namespace and the name of the object
   * @param object the answer, empty if it is no object of the resource
   */
  private record Written(
      GroupVersionResource resource, String name, Optional<Unstructured> object) {

    static Written of(ApiRequest request, byte[] body) {
      GroupVersionResource resource =
          new GroupVersionResource(request.group(), request.version(), request.resource());
      Optional<Unstructured> answer = parse(body);
      Optional<Unstructured> object = answer.filter(found -> found.metadata().uid() != null);
      String name =
          request.name().isEmpty()
              ? object.map(found -> String.valueOf(found.metadata().name())).orElse("")
              : request.name();
      String full = request.namespace().isEmpty() ? name : request.namespace() + "/" + name;
      return new Written(resource, full, object);
    }

    private static Optional<Unstructured> parse(byte[] body) {
      try {
        return Optional.of(Unstructured.parse(new String(body, StandardCharsets.UTF_8)));
      } catch (KubernetesException e) {
        return Optional.empty(); // Not an object, such as the answer of a subresource.
      }
    }

    String id() {
      return Snapshot.name(resource) + " " + name;
    }
  }

  private boolean exists(Written written) {
    int slash = written.name().indexOf('/');
    String namespace = slash < 0 ? "" : written.name().substring(0, slash);
    return state
        .get(written.resource(), namespace, written.name().substring(slash + 1))
        .isPresent();
  }

  /**
   * Returns whether a write has changed the object, and remembers its new state. A change of
   * nothing but times is no activity: a controller may write the time of its last look forever.
   */
  private boolean changed(Written written, boolean exists) {
    String id = written.id();
    if (!exists || written.object().isEmpty()) {
      versions.remove(id);
      texts.remove(id);
      history.activity();
      return true;
    }
    Unstructured object = written.object().get();
    String version = String.valueOf(object.metadata().resourceVersion());
    boolean changed = !version.equals(versions.put(id, version));
    if (changed) {
      String text = world.normalizer().text(written.resource(), object);
      if (!text.equals(texts.put(id, text))) {
        history.activity();
      }
    }
    return changed;
  }

  private void count(Call call, Written written, int code, boolean deleted) {
    String key =
        written
            .object()
            .map(object -> Snapshot.rawKey(written.resource(), object))
            .orElseGet(() -> keys.getOrDefault(written.id(), written.id()));
    keys.put(written.id(), key);
    if (code == 201 && call.request().subresource().isEmpty()) {
      creates.merge(key, 1, Integer::sum);
    }
    if (deleted) {
      deletes.merge(key, 1, Integer::sum);
    }
  }

  private void checkLoop(Call call, Written written, boolean changed) {
    boolean apply =
        call.request()
            .header("Content-Type")
            .map(type -> type.contains("apply-patch"))
            .orElse(false);
    if (changed || apply) {
      unchanged.remove(written.id());
    } else if (unchanged.merge(written.id(), 1, Integer::sum) > world.settings().unchangedWrites) {
      history.violate("it writes " + written.id() + " again and again without a change");
    }
  }

  /** Learns from a write to a lease which process holds it. */
  private void leads(Call call, Written written) {
    String holder =
        written.object().flatMap(lease -> lease.nestedString("spec", "holderIdentity")).orElse("");
    String leader = holder.isEmpty() ? "" : call.process().toString();
    written
        .object()
        .flatMap(lease -> lease.nestedLong("spec", "leaseDurationSeconds"))
        .map(Duration::ofSeconds)
        .filter(duration -> duration.compareTo(leaseDuration) > 0)
        .ifPresent(duration -> leaseDuration = duration);
    if (!leader.equals(leaders.put(written.name(), leader))) {
      String what = leader.isEmpty() ? "gives up" : "holds";
      history.add(call.process().toString(), what + " the lease " + written.name());
      history.activity();
    }
  }

  private void checkLeader(Call call, ControllerProcess process) {
    if (elects(process) && !leads(process.client.toString())) {
      String what = " writes without leadership: " + call.describe() + "; leases are " + leaders;
      history.violate(process.client + what);
    }
  }

  /** Checks the conditions that must hold when all is at rest. */
  void checkAtRest(String after) {
    check(world.settings().atRest, "at rest after " + after);
  }

  private void check(Map<String, Invariant> conditions, String when) {
    conditions.forEach(
        (name, condition) -> {
          try {
            condition.check(state);
          } catch (Throwable e) {
            // An Error too: it must fail the run, and not the write of the controller.
            String text = CrashLog.printable(e).getMessage();
            String why = text == null ? String.valueOf(e) : text.strip();
            history.violate("\"%s\" does not hold %s: %s".formatted(name, when, why));
            if (e instanceof InterruptedException) {
              Thread.currentThread().interrupt();
            }
          }
        });
  }
}
