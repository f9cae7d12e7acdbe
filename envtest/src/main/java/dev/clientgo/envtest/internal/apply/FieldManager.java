package dev.clientgo.envtest.internal.apply;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.ManagedFieldsEntry;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.apply.FieldOwners.Manager;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.Resource.Trait;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.schema.MergeRules;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes down who sets which fields, and merges what is applied. */
public final class FieldManager {

  /** What belongs to nobody but the server. */
  private static final List<String> OF_THE_SERVER =
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
  private static final FieldSet REPLICAS = FieldSet.at(List.of("spec", "replicas"));

  private final Clock clock;

  public FieldManager(Clock clock) {
    this.clock = clock;
  }

  /** Returns a new object with all fields that were sent owned by whoever sent them. */
  public Unstructured created(
      ApiRequest request, ServedKind served, Unstructured sent, Unstructured object) {
    Manager manager = manager(request, served);
    MergeRules rules = served.rules();
    FieldSet fields =
        manager.applies()
            ? FieldDiff.applied(sent.content(), rules)
            : FieldDiff.changed(Map.of(), sent.content(), rules);
    FieldSet own = own(request, served, fields);
    return withManaged(
        object,
        FieldOwners.of(sent.metadata().managedFields())
            .without(own, manager)
            .with(manager, own, Time.now(clock)));
  }

  /**
   * Returns a changed object with what has changed owned by whoever changed it. What was never
   * tracked is not tracked from now on, either, until somebody applies.
   */
  public Unstructured updated(
      ApiRequest request,
      ServedKind served,
      Unstructured wanted,
      Unstructured object,
      StoredObject old) {
    List<ManagedFieldsEntry> sent = wanted.metadata().managedFields();
    FieldOwners managed = FieldOwners.of(sent == null ? old.metadata().managedFields() : sent);
    if (managed.isEmpty()) {
      return withManaged(object, managed);
    }
    Manager manager = manager(request, served);
    MergeRules rules = served.rules();
    Map<String, Object> before = old.object().content();
    boolean customStatus = served.is(Trait.CUSTOM) && manager.subresource().equals("status");
    Map<String, Object> after = (customStatus ? wanted : object).content();
    FieldSet changed = own(request, served, FieldDiff.changed(before, after, rules));
    FieldSet removed = own(request, served, FieldDiff.removed(before, after, rules));
    FieldOwners left = managed.without(changed.union(removed), manager);
    FieldSet owned = managed.fields(manager).minus(removed).union(changed);
    // Who scales is written down without the time, as kube-apiserver does.
    Time now = manager.subresource().equals("scale") ? null : Time.now(clock);
    return withManaged(object, left.with(manager, owned, now));
  }

  /**
   * Returns an object with the replicas that somebody applies by way of its scale.
   *
   * @param path where the object says how many replicas there are to be
   * @param replicas how many; null if that is given up
   * @param force whether they are taken over if others own them
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if others own them otherwise
   */
  public Unstructured appliedScale(
      ApiRequest request,
      ServedKind served,
      StoredObject old,
      List<String> path,
      @Nullable Long replicas,
      boolean force) {
    Manager manager = manager(request, served);
    FieldSet field = FieldSet.at(path);
    String[] names = path.toArray(new String[0]);
    Long present = JsonTree.number(old.object().content(), names);
    FieldOwners managed = FieldOwners.of(old.metadata().managedFields());
    if (replicas == null) {
      FieldOwners left = managed.with(manager, FieldSet.EMPTY, null);
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
   * Returns an object with what is applied to it, owned by whoever applies it.
   *
   * @param force whether fields are taken over that others own
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if others own them otherwise
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
      FieldSet all = stripped(FieldDiff.applied(live, rules));
      managed = managed.withFirst(all, served.apiVersion(), Time.now(clock));
    }
    FieldSet before = managed.fields(manager);
    FieldSet wanted = own(request, served, FieldDiff.applied(configuration.content(), rules));
    Object merged =
        FieldMerge.prune(
            FieldMerge.merge(live, configuration.content(), rules),
            before,
            managed.with(manager, wanted, Time.now(clock)).all(),
            rules);
    FieldSet changed = own(request, served, FieldDiff.changed(live, merged, rules));
    if (!force) {
      managed.checkConflicts(changed, manager);
    }
    FieldSet removed = own(request, served, FieldDiff.removed(live, merged, rules));
    return withManaged(
        Unstructured.of(JsonTree.asObject(requireNonNull(merged, "merged"))),
        managed.without(changed.union(removed), manager).with(manager, wanted, Time.now(clock)));
  }

  private static Unstructured withManaged(Unstructured object, FieldOwners managed) {
    return withManaged(object, managed.entries());
  }

  /** Returns an object with these entries. */
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

  /** Who does not say a name is called as its program is. */
  private static String name(ApiRequest request) {
    String name = request.query("fieldManager");
    String agent = request.header("User-Agent").orElse("unknown");
    return name.isEmpty() ? agent.split("/", 2)[0] : name;
  }

  /**
   * Returns which of some fields can be owned by way of a request. With the status of a custom kind
   * that is all but {@code spec} and {@code metadata}, although nothing else is stored.
   */
  private static FieldSet own(ApiRequest request, ServedKind served, FieldSet fields) {
    FieldSet own = stripped(fields);
    return switch (request.subresource()) {
      case "status" ->
          served.is(Trait.CUSTOM) ? own.without("spec").without("metadata") : own.only("status");
      case "" -> served.hasStatus() ? own.without("status") : own;
      default -> own;
    };
  }

  private static FieldSet stripped(FieldSet fields) {
    FieldSet left = fields.without("apiVersion").without("kind");
    for (String name : OF_THE_SERVER) {
      left = left.without("metadata", name);
    }
    return left;
  }
}
