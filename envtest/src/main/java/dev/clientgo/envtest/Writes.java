package dev.clientgo.envtest;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.envtest.Resource.Trait;
import dev.clientgo.envtest.Resource.Version;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The verbs {@code create}, {@code update} and {@code patch}.
 *
 * <p>Each computes the new object outside the store's lock and starts over if another writer was
 * faster, as the API server's {@code GuaranteedUpdate} does over etcd.
 */
final class Writes {

  private static final int NAME_ATTEMPTS = 8;
  private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");

  private final Store store;
  private final Strategy strategy;

  Writes(Store store, Strategy strategy) {
    this.store = store;
    this.strategy = strategy;
  }

  Response create(ApiRequest request, Resource resource, Version version) {
    Encoding encoding = Encoding.of(request, resource, version);
    Map<String, Object> sent = RequestBody.object(request, resource, version);
    checkNamespace(request, resource, sent);
    checkNamespaceExists(resource, request.namespace(), Tree.string(sent, "metadata", "name"));
    String namespace = resource.namespaced() ? request.namespace() : "";
    Stored stored = insert(resource, version, namespace, sent, isDryRun(request));
    return Response.json(201, encoding.object(stored));
  }

  private Stored insert(
      Resource resource,
      Version version,
      String namespace,
      Map<String, Object> sent,
      boolean dryRun) {
    GroupResource kind = resource.groupResource();
    boolean generated = Tree.string(sent, "metadata", "name").isEmpty();
    for (int attempt = 1; ; attempt++) {
      Map<String, Object> object = strategy.create(resource, version, namespace, sent);
      String name = Tree.string(object, "metadata", "name");
      String key = Stored.key(namespace, name);
      Stored present = store.get(kind, key);
      if (present == null) {
        Stored stored = dryRun ? Stored.unsaved(key, object) : store.put(kind, key, null, object);
        if (stored != null) {
          return stored;
        }
        present = store.get(kind, key);
      }
      if (!generated || attempt == NAME_ATTEMPTS) {
        throw exists(kind, name, present);
      }
    }
  }

  private static ApiStatusException exists(
      GroupResource kind, String name, @Nullable Stored present) {
    ApiStatusException failure = Failures.alreadyExists(kind, name);
    boolean deleting =
        present != null && Tree.get(present.tree(), "metadata", "deletionTimestamp") != null;
    return deleting
        ? new ApiStatusException(
            failure.status().toBuilder()
                .message("object is being deleted: " + failure.status().message())
                .build())
        : failure;
  }

  Response update(ApiRequest request, Resource resource, Version version) {
    Encoding encoding = Encoding.of(request, resource, version);
    Map<String, Object> sent = RequestBody.object(request, resource, version);
    String name = Tree.string(sent, "metadata", "name");
    if (!name.equals(request.name())) {
      throw Failures.badRequest(
          name.isEmpty()
              ? "name must be provided"
              : "the name of the object ("
                  + name
                  + ") does not match the name on the URL ("
                  + request.name()
                  + ")");
    }
    checkNamespace(request, resource, sent);
    Stored present = store.get(resource.groupResource(), resource.key(request));
    if (present == null && resource.is(Trait.CREATE_ON_UPDATE) && request.subresource().isEmpty()) {
      return create(request, resource, version);
    }
    Stored stored = replace(request, resource, version, old -> sent);
    return Response.json(200, encoding.object(stored));
  }

  Response patch(ApiRequest request, Resource resource, Version version) {
    Encoding encoding = Encoding.of(request, resource, version);
    Patch patch = Patch.of(request, resource);
    Stored stored =
        replace(
            request,
            resource,
            version,
            old -> {
              Map<String, Object> whole = old.tree(resource, version);
              return RequestBody.strip(patch.apply(whole));
            });
    return Response.json(200, encoding.object(stored));
  }

  /** What a client wants an object to become. */
  private interface Edit {
    Map<String, Object> apply(Stored old);
  }

  private Stored replace(ApiRequest request, Resource resource, Version version, Edit edit) {
    GroupResource kind = resource.groupResource();
    while (true) {
      Stored old = store.get(kind, resource.key(request));
      if (old == null) {
        throw Failures.notFound(kind, request.name());
      }
      Map<String, Object> wanted = edit.apply(old);
      checkVersion(resource, wanted, old);
      Map<String, Object> object =
          request.subresource().equals("status")
              ? strategy.updateStatus(resource, wanted, old)
              : strategy.update(resource, version, wanted, old);
      if (object.equals(old.tree())) {
        return old; // What changes nothing is no change: the version stays, and no watch hears.
      }
      Stored done = isDryRun(request) ? Stored.unsaved(old.key(), object) : save(kind, old, object);
      if (done != null) {
        return done;
      }
    }
  }

  private @Nullable Stored save(GroupResource kind, Stored old, Map<String, Object> object) {
    return Deletes.isFinished(object)
        ? store.delete(kind, old)
        : store.put(kind, old.key(), old, object);
  }

  private static void checkVersion(Resource resource, Map<String, Object> wanted, Stored old) {
    String version = Tree.string(wanted, "metadata", "resourceVersion");
    String uid = Tree.string(wanted, "metadata", "uid");
    GroupResource kind = resource.groupResource();
    if (!uid.isEmpty() && !uid.equals(old.uid())) {
      throw Failures.conflict(
          kind,
          old.name(),
          "Precondition failed: UID in precondition: "
              + uid
              + ", UID in object meta: "
              + old.uid());
    }
    if (version.isEmpty() && resource.is(Trait.VERSION_REQUIRED)) {
      throw Failures.invalid(
          kind,
          old.name(),
          List.of(
              Failures.FieldError.invalid(
                  "metadata.resourceVersion", "0", "must be specified for an update")));
    }
    if (!version.isEmpty() && !version.equals(Long.toString(old.revision()))) {
      throw Failures.modified(kind, old.name());
    }
  }

  private static void checkNamespace(
      ApiRequest request, Resource resource, Map<String, Object> sent) {
    String namespace = Tree.string(sent, "metadata", "namespace");
    if (resource.namespaced() && !namespace.isEmpty() && !namespace.equals(request.namespace())) {
      throw Failures.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
  }

  private void checkNamespaceExists(Resource resource, String namespace, String name) {
    if (!resource.namespaced()) {
      return;
    }
    Stored stored = store.get(NAMESPACES, namespace);
    if (stored == null) {
      throw Failures.notFound(NAMESPACES, namespace);
    }
    if (Tree.get(stored.tree(), "metadata", "deletionTimestamp") != null) {
      throw Failures.namespaceTerminating(resource.groupResource(), name, namespace);
    }
  }

  static boolean isDryRun(ApiRequest request) {
    return request.query().getOrDefault("dryRun", List.of()).contains("All");
  }
}
