package dev.clientgo.envtest;

import dev.clientgo.apimachinery.schema.GroupResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an object is to be deleted; from the body of a request, or else from its query.
 *
 * @param gracePeriodSeconds how long to wait; null if not said
 * @param uid the identity that the object must have, or empty
 * @param resourceVersion the version that the object must have, or empty
 * @param propagationPolicy what is to happen to dependents, or empty
 * @param dryRun whether to only say what would happen
 */
record DeleteOptions(
    @Nullable Long gracePeriodSeconds,
    String uid,
    String resourceVersion,
    String propagationPolicy,
    boolean dryRun) {

  private static final String FOREGROUND = "foregroundDeletion";
  private static final String ORPHAN = "orphan";

  static DeleteOptions of(ApiRequest request) {
    if (request.body().length == 0) {
      return ofQuery(request);
    }
    Map<String, Object> body;
    try {
      body = Tree.asObject(Json.parse(request.body()));
    } catch (IllegalArgumentException e) {
      throw Failures.badRequest("couldn't get version/kind; json parse error: " + e.getMessage());
    }
    return new DeleteOptions(
        Tree.number(body, "gracePeriodSeconds"),
        Tree.string(body, "preconditions", "uid"),
        Tree.string(body, "preconditions", "resourceVersion"),
        Tree.string(body, "propagationPolicy"),
        Tree.strings(body, "dryRun").contains("All"));
  }

  private static DeleteOptions ofQuery(ApiRequest request) {
    String grace = request.query("gracePeriodSeconds");
    return new DeleteOptions(
        grace.isEmpty() ? null : Long.valueOf(grace),
        "",
        "",
        request.query("propagationPolicy"),
        Writes.isDryRun(request));
  }

  boolean isForeground() {
    return propagationPolicy.equals("Foreground");
  }

  /**
   * Checks the preconditions.
   *
   * @throws dev.clientgo.apimachinery.errors.ApiStatusException if the object is another one
   */
  void check(Resource resource, Stored object) {
    GroupResource kind = resource.groupKind();
    if (!uid.isEmpty() && !uid.equals(object.uid())) {
      throw Failures.conflict(
          kind,
          object.name(),
          "the UID in the precondition ("
              + uid
              + ") does not match the UID in record ("
              + object.uid()
              + "). The object might have been deleted and then recreated");
    }
    String version = Long.toString(object.revision());
    if (!resourceVersion.isEmpty() && !resourceVersion.equals(version)) {
      throw Failures.conflict(
          kind,
          object.name(),
          "the ResourceVersion in the precondition ("
              + resourceVersion
              + ") does not match the ResourceVersion in record ("
              + version
              + "). The object might have been modified");
    }
  }

  /** Returns the finalizers of an object once it is being deleted in this way. */
  List<String> finalizers(Map<String, Object> object) {
    List<String> finalizers = new ArrayList<>(Tree.strings(object, "metadata", "finalizers"));
    switch (propagationPolicy) {
      case "Foreground" -> {
        finalizers.remove(ORPHAN);
        add(finalizers, FOREGROUND);
      }
      case "Orphan" -> {
        finalizers.remove(FOREGROUND);
        add(finalizers, ORPHAN);
      }
      case "Background" -> finalizers.removeAll(List.of(FOREGROUND, ORPHAN));
      default -> {}
    }
    return List.copyOf(finalizers);
  }

  private static void add(List<String> finalizers, String finalizer) {
    if (!finalizers.contains(finalizer)) {
      finalizers.add(finalizer);
    }
  }
}
