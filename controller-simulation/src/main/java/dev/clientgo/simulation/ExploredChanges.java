package dev.clientgo.simulation;

import static dev.clientgo.simulation.ExploredObject.asMap;

import dev.clientgo.apimachinery.meta.options.PatchOptions;
import dev.clientgo.apimachinery.patch.MergePatch;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.simulation.internal.values.FieldValues;
import dev.clientgo.simulation.internal.values.SchemaField;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * The changes that the server accepts: a value of each field, then the next; then pairs of them.
 */
final class ExploredChanges {

  private static final GroupVersionResource DEFINITIONS =
      new GroupVersionResource("apiextensions.k8s.io", "v1", "customresourcedefinitions");

  private static final PatchOptions DRY_RUN = PatchOptions.builder().dryRun(true).build();
  private static final int LAST = 200;

  /**
   * A change that the server accepts.
   *
   * @param fields the fields, one or two
   * @param patch the merge patch
   */
  record Change(List<SchemaField> fields, Map<String, Object> patch) {}

  final List<SchemaField> fields = new ArrayList<>();
  final List<Change> accepted = new ArrayList<>();

  /** How many changes the server has refused. */
  int refused;

  private final ExploredObject object;
  private final int most;
  private final Random random;
  private final Map<String, Object> start;
  private final Set<Map<String, Object>> known = new HashSet<>();

  /**
   * Creates an instance without changes.
   *
   * @param most after how many changes to stop
   */
  ExploredChanges(ExploredObject object, int most, long seed) {
    this.object = object;
    this.most = most;
    this.random = new Random(seed);
    this.start = asMap(object.start().content());
  }

  /** Reads the schema, and asks the server which changes of the object are valid. */
  void ask(RESTClient client) throws InterruptedException {
    Map<String, Object> schema = schema(client);
    fields.addAll(SchemaField.all(schema));
    List<SchemaField> order = new ArrayList<>(fields);
    Collections.shuffle(order, random);
    order.sort(Comparator.comparing(this::rank));
    Map<SchemaField, Iterator<Object>> left = new LinkedHashMap<>();
    order.forEach(field -> left.put(field, FieldValues.variants(field, start, schema).iterator()));
    while (accepted.size() < most && left.values().stream().anyMatch(Iterator::hasNext)) {
      for (Map.Entry<SchemaField, Iterator<Object>> one : left.entrySet()) {
        boolean found = accepted.size() >= most;
        while (!found && one.getValue().hasNext()) {
          found = accepts(client, List.of(one.getKey()), asMap(one.getValue().next()));
        }
      }
    }
    List<Change> singles = List.copyOf(accepted);
    for (int i = 0; i < 4 * most && accepted.size() < most && !singles.isEmpty(); i++) {
      Change one = singles.get(random.nextInt(singles.size()));
      Change two = singles.get(random.nextInt(singles.size()));
      SchemaField first = one.fields().get(0);
      SchemaField second = two.fields().get(0);
      if (!first.equals(second) && !first.isBelow(second) && !second.isBelow(first)) {
        Object both = MergePatch.apply(object.with(one.patch()).content(), two.patch());
        accepts(client, List.of(first, second), asMap(both));
      }
    }
  }

  /** Returns a number by which fields come first that the object has, and the whole spec last. */
  private int rank(SchemaField field) {
    int depth = field.path().size();
    return depth + (depth == 1 ? LAST : field.of(start) == null ? LAST / 2 : 0);
  }

  /** Returns the schema of the version that the object has. */
  private Map<String, Object> schema(RESTClient client) throws InterruptedException {
    GroupVersionResource resource = object.resource();
    String name = resource.resource() + "." + resource.group();
    return client.dynamic(DEFINITIONS).find(name).stream()
        .flatMap(found -> found.nestedList("spec", "versions").stream().flatMap(List::stream))
        .filter(version -> resource.version().equals(asMap(version).get("name")))
        .map(version -> asMap(asMap(asMap(version).get("schema")).get("openAPIV3Schema")))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("install " + name + " in prepare"));
  }

  /** Adds a change if the server accepts it, and it changes something. */
  private boolean accepts(RESTClient client, List<SchemaField> of, Map<String, Object> variant)
      throws InterruptedException {
    Map<String, Object> patch = MergePatch.create(start, variant);
    if (patch.isEmpty() || !known.add(patch)) {
      return false;
    }
    Unstructured before = object.write(client, Map.of(), DRY_RUN);
    try {
      Unstructured after = object.write(client, patch, DRY_RUN);
      return !after.withMetadata(before.metadata()).equals(before)
          && accepted.add(new Change(of, patch));
    } catch (ApiStatusException e) {
      refused++;
      return false;
    }
  }

  /** Returns the patches of an object that set one field less, or remove only a part of one. */
  static List<Map<String, Object>> smaller(Map<String, Object> patch, Map<String, Object> of) {
    List<Map<String, Object>> all = new ArrayList<>();
    patch.forEach(
        (name, value) -> {
          Map<String, Object> inner = asMap(value);
          List<Map<String, Object>> parts = new ArrayList<>(smaller(inner, asMap(of.get(name))));
          if (value == null) {
            asMap(of.get(name))
                .keySet()
                .forEach(part -> parts.add(Collections.singletonMap(part, null)));
          }
          if (inner.isEmpty()) {
            parts.add(Map.of());
          }
          for (Map<String, Object> part : parts) {
            Map<String, Object> copy = new LinkedHashMap<>(patch);
            copy.put(name, part);
            if (part.isEmpty()) {
              copy.remove(name);
            }
            all.add(copy);
          }
        });
    return all;
  }
}
