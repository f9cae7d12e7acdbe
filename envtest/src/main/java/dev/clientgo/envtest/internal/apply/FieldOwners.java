package dev.clientgo.envtest.internal.apply;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.ManagedFieldsEntry;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.CauseType;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The managers of an object and the fields that each owns: {@code metadata.managedFields}.
 * Immutable.
 *
 * <p>Corresponds to apimachinery's {@code managedfields} and structured-merge-diff's {@code
 * merge.Updater}. Unlike those, it treats the fields of all versions of a kind as equal, and keeps
 * any number of managers.
 */
final class FieldOwners {

  /** A manager: one way in which a client writes. */
  record Manager(String name, String operation, String apiVersion, String subresource) {

    private static final Comparator<Manager> ORDER =
        Comparator.comparing(Manager::name)
            .thenComparing(Manager::operation)
            .thenComparing(Manager::apiVersion)
            .thenComparing(Manager::subresource);

    /** Returns the same manager with another version. */
    Manager of(String otherVersion) {
      return new Manager(name, operation, otherVersion, subresource);
    }

    boolean applies() {
      return operation.equals("Apply");
    }

    /** Returns the manager as conflict messages name it. */
    String describe() {
      String text = '"' + name + '"';
      if (!subresource.isEmpty()) {
        text += " with subresource \"" + subresource + '"';
      }
      return applies() ? text : text + " using " + apiVersion;
    }
  }

  private record Share(FieldPaths fields, @Nullable Time time) {}

  private final Map<Manager, Share> shares;

  private FieldOwners(Map<Manager, Share> shares) {
    this.shares = shares;
  }

  /** Parses the entries of an object. */
  static FieldOwners of(List<ManagedFieldsEntry> entries) {
    Map<Manager, Share> shares = new LinkedHashMap<>();
    for (ManagedFieldsEntry entry : entries) {
      RawJson fields = entry.fieldsV1();
      Manager manager =
          new Manager(
              requireNonNullElse(entry.manager(), ""),
              requireNonNullElse(entry.operation(), ""),
              requireNonNullElse(entry.apiVersion(), ""),
              requireNonNullElse(entry.subresource(), ""));
      if (fields != null) {
        FieldPaths set = FieldPaths.parse(JsonTree.asObject(fields.reader().nextTree()));
        shares.put(manager, new Share(set, entry.time()));
      }
    }
    return new FieldOwners(shares);
  }

  boolean isEmpty() {
    return shares.isEmpty();
  }

  /** Returns the entries; null if there are none. */
  @Nullable List<ManagedFieldsEntry> entries() {
    List<Map.Entry<Manager, Share>> sorted = new ArrayList<>(shares.entrySet());
    sorted.removeIf(entry -> entry.getValue().fields().isEmpty());
    sorted.sort(
        Comparator.comparing((Map.Entry<Manager, Share> entry) -> entry.getKey().operation())
            .thenComparing(entry -> Objects.toString(entry.getValue().time(), ""))
            .thenComparing(Map.Entry::getKey, Manager.ORDER));
    return sorted.isEmpty()
        ? null
        : sorted.stream().map(entry -> entry(entry.getKey(), entry.getValue())).toList();
  }

  private static ManagedFieldsEntry entry(Manager manager, Share share) {
    return ManagedFieldsEntry.builder()
        .manager(manager.name())
        .operation(manager.operation())
        .apiVersion(manager.apiVersion())
        .time(share.time())
        .fieldsType("FieldsV1")
        .fieldsV1(RawJson.of(JsonText.text(share.fields().toTree())))
        .subresource(manager.subresource().isEmpty() ? null : manager.subresource())
        .build();
  }

  /** Returns the fields that a manager owns. */
  FieldPaths fields(Manager manager) {
    Share share = shares.get(manager);
    return share == null ? FieldPaths.EMPTY : share.fields();
  }

  /** Returns the fields that any manager owns. */
  FieldPaths all() {
    return shares.values().stream().map(Share::fields).reduce(FieldPaths.EMPTY, FieldPaths::union);
  }

  /** Returns a copy in which a manager owns exactly these fields. */
  FieldOwners with(Manager manager, FieldPaths fields, @Nullable Time now) {
    if (fields.equals(fields(manager))) {
      return this;
    }
    Map<Manager, Share> changed = new LinkedHashMap<>(shares);
    changed.put(manager, new Share(fields, now));
    return new FieldOwners(changed);
  }

  /** Returns a copy in which the manager {@code before-first-apply} owns these fields. */
  FieldOwners withFirst(FieldPaths fields, String apiVersion, Time now) {
    return with(new Manager("before-first-apply", "Update", apiVersion, ""), fields, now);
  }

  /** Returns a copy in which only one manager may own these fields. */
  FieldOwners without(FieldPaths fields, Manager except) {
    Map<Manager, Share> rest = new LinkedHashMap<>();
    shares.forEach(
        (manager, share) ->
            rest.put(
                manager,
                manager.equals(except)
                    ? share
                    : new Share(share.fields().minus(fields), share.time())));
    return new FieldOwners(rest);
  }

  /**
   * Returns the owners of a field, as owners of the field in another kind, where its path differs.
   *
   * <p>Corresponds to apimachinery's {@code managedfields.ScaleHandler}.
   */
  FieldOwners seenAs(String apiVersion, FieldPaths field, FieldPaths seen) {
    Map<Manager, Share> owners = new LinkedHashMap<>();
    shares.forEach(
        (manager, share) -> {
          if (!share.fields().intersection(field).isEmpty()) {
            owners.put(manager.of(apiVersion), new Share(seen, share.time()));
          }
        });
    return new FieldOwners(owners);
  }

  /**
   * Checks that other managers own none of these fields.
   *
   * @throws ApiStatusException if one does
   */
  void checkConflicts(FieldPaths fields, Manager except) {
    List<StatusCause> causes = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    shares.entrySet().stream()
        .filter(entry -> !entry.getKey().equals(except))
        .sorted(Map.Entry.comparingByKey(Manager.ORDER))
        .forEach(
            entry -> {
              List<String> paths = entry.getValue().fields().intersection(fields).paths();
              String words = entry.getKey().describe();
              if (!paths.isEmpty()) {
                lines.add("conflicts with " + words + ":");
              }
              for (String path : paths) {
                lines.add("- " + path);
                causes.add(
                    FieldErrors.cause(
                        CauseType.FIELD_MANAGER_CONFLICT, path, "conflict with " + words));
              }
            });
    if (!causes.isEmpty()) {
      throw ApiStatusException.applyConflict(causes, message(causes, lines));
    }
  }

  private static String message(List<StatusCause> causes, List<String> lines) {
    return causes.size() == 1
        ? "Apply failed with 1 conflict: " + causes.get(0).message() + ": " + causes.get(0).field()
        : "Apply failed with " + causes.size() + " conflicts: " + String.join("\n", lines);
  }
}
