package dev.clientgo.envtest.internal.requests;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.CustomResourceDefinition;
import dev.clientgo.envtest.internal.kinds.Resource;
import dev.clientgo.envtest.internal.kinds.Resource.Trait;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a delete, from the body of a request or from its query.
 *
 * @param gracePeriodSeconds the grace period; null for the default
 * @param uid the required UID, or empty
 * @param resourceVersion the required version, or empty
 * @param propagationPolicy the treatment of dependents, or empty for the default
 * @param orphanDependents the older form of {@code propagationPolicy}; null if not set
 * @param dryRun whether nothing is deleted
 */
public record DeletionOptions(
    @Nullable Long gracePeriodSeconds,
    String uid,
    String resourceVersion,
    String propagationPolicy,
    @Nullable Boolean orphanDependents,
    boolean dryRun) {

  private static final String KIND = "DeleteOptions";
  private static final String POLICY = "propagationPolicy";
  private static final List<String> POLICIES = List.of("Foreground", "Background", "Orphan");
  private static final String FOREGROUND = "foregroundDeletion";
  private static final String ORPHAN = "orphan";

  /** No preconditions and no grace period. */
  public static final DeletionOptions DEFAULT = new DeletionOptions(null, "", "", "", null, false);

  /**
   * Reads the options of a request.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if they are invalid
   */
  public static DeletionOptions of(ApiRequest request) {
    DeletionOptions options = request.body().length == 0 ? ofQuery(request) : ofBody(request);
    FieldErrors.throwIfAny(KIND, options.errors());
    return options;
  }

  private static DeletionOptions ofBody(ApiRequest request) {
    Map<String, Object> body;
    try {
      body = JsonTree.asObject(JsonText.parse(request.body()));
    } catch (CodecException e) {
      throw ApiStatusException.badRequest(
          "couldn't get version/kind; json parse error: " + e.getMessage());
    }
    String kind = JsonTree.string(body, "kind");
    if (!kind.isEmpty() && !kind.equals(KIND)) {
      throw ApiStatusException.badRequest(
          "no kind \"%s\" is registered for version \"%s\""
              .formatted(kind, JsonTree.string(body, "apiVersion")));
    }
    return of(body);
  }

  /** Reads options inside another object. */
  public static DeletionOptions of(Map<String, Object> body) {
    List<String> dryRun = JsonTree.strings(body, "dryRun");
    WriteOptions.checkDryRun(dryRun, KIND);
    return new DeletionOptions(
        JsonTree.number(body, "gracePeriodSeconds"),
        JsonTree.string(body, "preconditions", "uid"),
        JsonTree.string(body, "preconditions", "resourceVersion"),
        JsonTree.string(body, POLICY),
        JsonTree.get(body, "orphanDependents") instanceof Boolean orphan ? orphan : null,
        !dryRun.isEmpty());
  }

  private static DeletionOptions ofQuery(ApiRequest request) {
    return new DeletionOptions(
        QueryParameters.number(request, "gracePeriodSeconds"),
        "",
        "",
        request.query(POLICY),
        QueryParameters.flag(request, "orphanDependents"),
        WriteOptions.isDryRun(request, KIND));
  }

  private List<StatusCause> errors() {
    List<StatusCause> errors = new ArrayList<>();
    if (orphanDependents != null && !propagationPolicy.isEmpty()) {
      errors.add(
          FieldErrors.invalid(
              POLICY,
              '"' + propagationPolicy + '"',
              "orphanDependents and deletionPropagation cannot be both set"));
    }
    if (!propagationPolicy.isEmpty() && !POLICIES.contains(propagationPolicy)) {
      errors.add(
          FieldErrors.notSupported(
              POLICY, '"' + propagationPolicy + '"', "Foreground", "Background", "Orphan", "nil"));
    }
    return errors;
  }

  /**
   * Checks the preconditions.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the object does not meet them
   */
  public void check(Resource resource, StoredObject object) {
    GroupResource kind = resource.groupKind();
    if (!uid.isEmpty() && !uid.equals(object.uid())) {
      throw ApiStatusException.conflict(
          kind,
          object.name(),
          ("the UID in the precondition (%s) does not match the UID in record (%s). The"
                  + " object might have been deleted and then recreated")
              .formatted(uid, object.uid()));
    }
    String version = Long.toString(object.revision());
    if (!resourceVersion.isEmpty() && !resourceVersion.equals(version)) {
      throw ApiStatusException.conflict(
          kind,
          object.name(),
          ("the ResourceVersion in the precondition (%s) does not match the"
                  + " ResourceVersion in record (%s). The object might have been modified")
              .formatted(resourceVersion, version));
    }
  }

  /**
   * Returns the finalizers of an object after the delete: its own, and the one that instructs the
   * garbage collector how to treat dependents.
   */
  public List<String> finalizers(Resource resource, StoredObject object) {
    List<String> present = object.finalizers();
    List<String> finalizers = new ArrayList<>(present);
    finalizers.removeAll(List.of(FOREGROUND, ORPHAN));
    if (isOrphaning(resource, present)) {
      finalizers.add(ORPHAN);
    } else if (isForeground(present)) {
      finalizers.add(FOREGROUND);
    }
    if (resource.isDefinition() && !finalizers.contains(CustomResourceDefinition.CLEANUP)) {
      finalizers.add(CustomResourceDefinition.CLEANUP);
    }
    return List.copyOf(finalizers);
  }

  private boolean isOrphaning(Resource resource, List<String> present) {
    if (orphanDependents != null) {
      return orphanDependents;
    }
    if (!propagationPolicy.isEmpty()) {
      return propagationPolicy.equals("Orphan");
    }
    return present.contains(ORPHAN)
        || (resource.is(Trait.ORPHANS_DEPENDENTS) && !present.contains(FOREGROUND));
  }

  private boolean isForeground(List<String> present) {
    if (orphanDependents != null) {
      return false;
    }
    return propagationPolicy.isEmpty()
        ? present.contains(FOREGROUND)
        : propagationPolicy.equals("Foreground");
  }
}
