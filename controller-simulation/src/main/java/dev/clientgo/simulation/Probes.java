package dev.clientgo.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.simulation.Authors.Created;
import dev.clientgo.simulation.internal.run.History;
import dev.clientgo.simulation.internal.state.Normalizer;
import dev.clientgo.simulation.internal.state.Snapshot;
import dev.clientgo.simulation.workload.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tries what must be right of each controller, whatever it is for: what it has made comes back, and
 * goes with what it was made for.
 */
final class Probes {

  /** The longest timer that is awaited. */
  static final Duration LONGEST_TIMER = Duration.ofHours(25);

  /** The fields that a controller may not be able to edit, or that are of others. */
  private static final Set<String> NOT_EDITED =
      Set.of("apiVersion", "kind", "metadata", "status", "type", "immutable", "selector");

  /** The resources of which a real server refuses an edit of the {@code spec}. */
  private static final Set<String> WITH_FIXED_SPEC =
      Set.of("pods", "jobs", "persistentvolumeclaims");

  /** Takes a step, and returns whether all has come to rest. */
  @FunctionalInterface
  interface Taker {
    boolean take(String name, Step step);
  }

  private final World world;
  private final History history;
  private final WriteChecks checks;
  private final Supplier<Snapshot> snapshots;
  private final Taker taker;

  Probes(World world, WriteChecks checks, Supplier<Snapshot> snapshots, Taker taker) {
    this.world = world;
    this.history = world.history();
    this.checks = checks;
    this.snapshots = snapshots;
    this.taker = taker;
  }

  /** Returns the differences of the state from one before, apart from what users have edited. */
  private List<String> differencesFrom(Snapshot before) {
    Snapshot now = snapshots.get().only(key -> !checks.authors().isEditedByUser(key));
    return now.differencesFrom(
        before.only(key -> !checks.authors().isEditedByUser(key)), world.normalizer()::texts);
  }

  void deleteEverything(Snapshot before) {
    List<Created> all = checks.authors().ofUser();
    if (!taker.take(
        "delete everything",
        client -> {
          for (Created one : all) {
            delete(client, one);
          }
        })) {
      return;
    }
    for (String difference : differencesFrom(before)) {
      if (world.settings().remaining.stream().noneMatch(one -> one.matcher(difference).find())) {
        history.violate("when the user has deleted everything, " + difference);
      }
    }
  }

  void deleteChildren() {
    probe(
        child -> List.of(new Change("delete " + child, client -> delete(client, child))),
        "it does not come back: ");
  }

  void editChildren() {
    probe(this::edits, "the edit is not undone: ");
  }

  private record Change(String name, Step step) {}

  private void probe(Function<Created, List<Change>> changes, String problem) {
    Snapshot before = snapshots.get();
    for (Created child : checks.authors().children(before.names())) {
      for (Change change : changes.apply(child)) {
        if (!taker.take(change.name(), change.step())) {
          return;
        }
        List<String> differences =
            snapshots.get().differencesFrom(before, world.normalizer()::texts);
        if (!differences.isEmpty()) {
          differences.forEach(
              difference -> history.violate(change.name() + ": " + problem + difference));
          return;
        }
      }
    }
  }

  void awaitTimers(LongSupplier last, Clock clock) {
    Snapshot before = snapshots.get();
    for (int round = 0; round < 2; round++) {
      long due = last.getAsLong() - world.scheduler().now();
      if (due <= 0) {
        return;
      }
      Duration time = Duration.ofNanos(due);
      if (!taker.take("time passes: " + time, client -> clock.sleep(time))) {
        return;
      }
      for (String difference : snapshots.get().differencesFrom(before, world.normalizer()::texts)) {
        history.violate(
            "a timer longer than the quiet time changes the state, so no run has tested what"
                + " it does; set a longer quiet time: "
                + difference);
      }
    }
  }

  // ---- what the user does

  private static ResourceClient<Unstructured> objects(RESTClient client, Created object) {
    ResourceClient<Unstructured> all = client.dynamic(object.resource());
    return object.namespace().isEmpty() ? all : all.inNamespace(object.namespace());
  }

  private static void delete(RESTClient client, Created object) throws InterruptedException {
    try {
      objects(client, object).delete(object.name());
    } catch (ApiStatusException e) {
      if (!e.isNotFound()) {
        throw e;
      }
    }
  }

  /** Returns an edit of each part that the controller has written. */
  private List<Change> edits(Created child) {
    List<Change> edits = new ArrayList<>();
    Map<String, @Nullable Object> parts = new TreeMap<>(child.content());
    if (WITH_FIXED_SPEC.contains(child.resource().resource())) {
      parts.remove("spec");
    }
    parts.forEach(
        (part, content) -> {
          List<String> path = new ArrayList<>(List.of(part));
          if (!NOT_EDITED.contains(part) && leaf(content, path) && !isRandom(child, path)) {
            edits.add(
                new Change("edit " + path + " of " + child, client -> edit(client, child, path)));
          }
        });
    return edits;
  }

  /** Returns whether the controller cannot know what the value was. */
  private boolean isRandom(Created child, List<String> path) {
    Normalizer normalizer = world.normalizer();
    return normalizer.varying().has(normalizer.key(child.toString()), String.join(".", path));
  }

  /** Appends the path of the first value that is no list or map; returns false if there is none. */
  private static boolean leaf(@Nullable Object value, List<String> path) {
    if (value instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> entry : new TreeMap<>(map).entrySet()) {
        path.add(String.valueOf(entry.getKey()));
        if (!NOT_EDITED.contains(path.get(path.size() - 1)) && leaf(entry.getValue(), path)) {
          return true;
        }
        path.remove(path.size() - 1);
      }
      return false;
    }
    return value instanceof String || value instanceof Number || value instanceof Boolean;
  }

  private static void edit(RESTClient client, Created child, List<String> path)
      throws InterruptedException {
    Unstructured now = objects(client, child).get(child.name());
    boolean base64 = child.resource().resource().equals("secrets") && path.get(0).equals("data");
    objects(client, child).update(Unstructured.of(edited(now.content(), path, 0, base64)));
  }

  private static Map<String, @Nullable Object> edited(
      Map<?, ?> map, List<String> path, int depth, boolean base64) {
    Map<String, @Nullable Object> copy = new LinkedHashMap<>();
    map.forEach((key, value) -> copy.put(String.valueOf(key), value));
    String name = path.get(depth);
    Object value = copy.get(name);
    if (depth < path.size() - 1 && value instanceof Map<?, ?> inner) {
      copy.put(name, edited(inner, path, depth + 1, base64));
    } else if (value instanceof Boolean flag) {
      copy.put(name, !flag);
    } else if (value instanceof Number number) {
      copy.put(name, number.longValue() + 1);
    } else if (base64) {
      copy.put(name, Base64.getEncoder().encodeToString("edited".getBytes(UTF_8)));
    } else {
      copy.put(name, "edited");
    }
    return copy;
  }
}
