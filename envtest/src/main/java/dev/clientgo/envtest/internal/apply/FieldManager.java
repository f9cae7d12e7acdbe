package dev.clientgo.envtest.internal.apply;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.Immutable;
import dev.clientgo.apimachinery.meta.ManagedFieldsEntry;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.apply.FieldOwners.Manager;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.schema.MergeRules;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records which manager sets which fields, and merges applied configurations.
 *
 * <p>Corresponds to apimachinery's {@code managedfields.FieldManager}.
 */
public final class FieldManager {

  /** The metadata that no manager owns. */
  private static final List<String> SERVER_OWNED =
      List.of(
          "name",
          "namespace",
          "creationTimestamp",
          "selfLink",
          "uid",
          "generation",
          "managedFields",
          "resourceVersion");

  private static final String SCALE = "autoscaling/v1";
  private static final FieldPaths REPLICAS = FieldPaths.at(List.of("spec", "replicas"));

  private final Clock clock;

  public FieldManager(Clock clock) {
    this.clock = clock;
  }

  /** Returns a new object in which the manager owns all fields that it sent. */
  public Unstructured created(
      ApiRequest request, ServedKind served, Unstructured sent, Unstructured object) {
    Manager manager = manager(request, served);
    MergeRules rules = served.rules();
    FieldPaths fields =
        manager.applies()
            ? FieldDiff.applied(sent.content(), rules)
            : FieldDiff.changed(Map.of(), sent.content(), rules);
    FieldPaths own = own(request, served, fields);
    return withManaged(
        object,
        FieldOwners.of(sent.metadata().managedFields())
            .without(own, manager)
            .with(manager, own, Time.now(clock)));
  }

  /**
   * Returns a changed object in which the manager owns the fields that it changed. An object
   * without managed fields gets none until the first apply.
   */
  public Unstructured updated(
      ApiRequest request,
      ServedKind served,
      Unstructured wanted,
      Unstructured object,
      StoredObject old) {
    List<ManagedFieldsEntry> sent = wanted.metadata().managedFields();
    FieldOwners managed =
        FieldOwners.of(Immutable.isAbsent(sent) ? old.metadata().managedFields() : sent);
    if (managed.isEmpty()) {
      return withManaged(object, managed);
    }
    Manager manager = manager(request, served);
    MergeRules rules = served.rules();
    Map<String, Object> before = old.object().content();
    boolean customStatus = served.isCustom() && manager.subresource().equals("status");
    Map<String, Object> after = (customStatus ? wanted : object).content();
    FieldPaths changed = own(request, served, FieldDiff.changed(before, after, rules));
    FieldPaths removed = own(request, served, FieldDiff.removed(before, after, rules));
    FieldOwners left = managed.without(changed.union(removed), manager);
    FieldPaths owned = managed.fields(manager).minus(removed).union(changed);
    // kube-apiserver records no time for the manager of a scale.
    Time now = manager.subresource().equals("scale") ? null : Time.now(clock);
    return withManaged(object, left.with(manager, owned, now));
  }

  /**
   * Returns an object with the replicas that a manager applied through the scale.
   *
   * @param path the path of the replicas in the object
   * @param replicas the number, or null to give up the field
   * @param force whether to take over the field from other managers
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if other managers own the field and
   *     {@code force} is false
   */
  public Unstructured appliedScale(
      ApiRequest request,
      ServedKind served,
      StoredObject old,
      List<String> path,
      @Nullable Long replicas,
      boolean force) {
    Manager manager = manager(request, served);
    FieldPaths field = FieldPaths.at(path);
    String[] names = path.toArray(new String[0]);
    Long present = JsonTree.number(old.object().content(), names);
    FieldOwners managed = FieldOwners.of(old.metadata().managedFields());
    if (replicas == null) {
      FieldOwners left = managed.with(manager, FieldPaths.EMPTY, null);
      boolean lost = !managed.fields(manager).isEmpty() && left.all().intersection(field).isEmpty();
      return withManaged(lost ? old.object().with(0L, names) : old.object(), left);
    }
    if (!replicas.equals(present)) {
      if (!force) {
        managed.seenAs(SCALE, field, REPLICAS).checkConflicts(REPLICAS, manager.of(SCALE));
      }
      managed = managed.without(field, manager);
    }
    return withManaged(old.object().with(replicas, names), managed.with(manager, field, null));
  }

  /**
   * Returns an object merged with an applied configuration, whose fields the manager then owns.
   *
   * @param force whether to take over fields from other managers
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if other managers own the fields
   *     and {@code force} is false
   */
  public Unstructured applied(
      ApiRequest request,
      ServedKind served,
      Unstructured configuration,
      StoredObject old,
      boolean force) {
    MergeRules rules = served.rules();
    Manager manager = manager(request, served);
    Map<String, Object> live = old.object().content();
    FieldOwners managed = FieldOwners.of(old.metadata().managedFields());
    if (managed.isEmpty()) {
      FieldPaths all = stripped(FieldDiff.applied(live, rules));
      managed = managed.withFirst(all, served.apiVersion(), Time.now(clock));
    }
    FieldPaths before = managed.fields(manager);
    FieldPaths wanted = own(request, served, FieldDiff.applied(configuration.content(), rules));
    Object merged =
        FieldMerge.prune(
            FieldMerge.merge(live, configuration.content(), rules),
            before,
            managed.with(manager, wanted, Time.now(clock)).all(),
            rules);
    FieldPaths changed = own(request, served, FieldDiff.changed(live, merged, rules));
    if (!force) {
      managed.checkConflicts(changed, manager);
    }
    FieldPaths removed = own(request, served, FieldDiff.removed(live, merged, rules));
    return withManaged(
        Unstructured.of(JsonTree.asObject(requireNonNull(merged, "merged"))),
        managed.without(changed.union(removed), manager).with(manager, wanted, Time.now(clock)));
  }

  private static Unstructured withManaged(Unstructured object, FieldOwners managed) {
    return withManaged(object, managed.entries());
  }

  /** Returns an object with these managed fields. */
  public static Unstructured withManaged(
      Unstructured object, @Nullable List<ManagedFieldsEntry> entries) {
    return object.withMetadata(object.metadata().toBuilder().managedFields(entries).build());
  }

  private static Manager manager(ApiRequest request, ServedKind served) {
    return new Manager(
        name(request),
        ApplyBody.isApply(request) ? "Apply" : "Update",
        served.apiVersion(),
        request.subresource());
  }

  /** Without a name, the program in the user agent is the manager. */
  private static String name(ApiRequest request) {
    String name = request.query("fieldManager");
    String agent = request.header("User-Agent").orElse("unknown");
    return name.isEmpty() ? agent.split("/", 2)[0] : name;
  }

  /**
   * Returns the fields that a manager can own by this request. For the status of a custom kind
   * these are all fields outside {@code spec} and {@code metadata}, although only the status is
   * stored.
   */
  private static FieldPaths own(ApiRequest request, ServedKind served, FieldPaths fields) {
    FieldPaths own = stripped(fields);
    return switch (request.subresource()) {
      case "status" ->
          served.isCustom() ? own.without("spec").without("metadata") : own.only("status");
      case "" -> served.hasStatus() ? own.without("status") : own;
      default -> own;
    };
  }

  private static FieldPaths stripped(FieldPaths fields) {
    FieldPaths left = fields.without("apiVersion").without("kind");
    for (String name : SERVER_OWNED) {
      left = left.without("metadata", name);
    }
    return left;
  }
}
