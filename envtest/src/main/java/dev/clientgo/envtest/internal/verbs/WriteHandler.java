package dev.clientgo.envtest.internal.verbs;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.admission.Admission;
import dev.clientgo.envtest.internal.apply.ApplyBody;
import dev.clientgo.envtest.internal.apply.FieldManager;
import dev.clientgo.envtest.internal.conversion.VersionConverter;
import dev.clientgo.envtest.internal.encoding.ObjectEncoding;
import dev.clientgo.envtest.internal.errors.ApiErrors;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.kinds.Resource.Trait;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.rbac.Attributes;
import dev.clientgo.envtest.internal.rbac.Authorizer;
import dev.clientgo.envtest.internal.requests.FieldValidation;
import dev.clientgo.envtest.internal.requests.ObjectNormalizer;
import dev.clientgo.envtest.internal.requests.PatchBody;
import dev.clientgo.envtest.internal.requests.RequestBody;
import dev.clientgo.envtest.internal.requests.WriteOptions;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.internal.strategy.CreateUpdateStrategy;
import dev.clientgo.envtest.internal.strategy.KindRules;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Handles {@code create}, {@code update} and {@code patch}.
 *
 * <p>Each prepares the new object outside the store's lock, and retries if another writer has
 * changed the object, like {@code GuaranteedUpdate} in the API server.
 */
final class WriteHandler {

  private static final int NAME_ATTEMPTS = 8;
  private static final int MAX_STORED = 3 << 19;
  private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");

  private final ObjectStore store;
  private final CreateUpdateStrategy strategy;
  private final ServerSettings settings;
  private final FieldManager tracking;
  private final Authorizer authorizer;
  private final VersionConverter versions;

  WriteHandler(
      ObjectStore store,
      CreateUpdateStrategy strategy,
      ServerSettings settings,
      FieldManager tracking,
      Authorizer authorizer,
      VersionConverter versions) {
    this.store = store;
    this.strategy = strategy;
    this.settings = settings;
    this.tracking = tracking;
    this.authorizer = authorizer;
    this.versions = versions;
  }

  Response create(ApiRequest request, ServedKind served, Admission admission) {
    ObjectEncoding encoding = settings.encoding(request, served);
    FieldValidation validation = new FieldValidation(request, served);
    Unstructured sent = RequestBody.object(request, served, validation);
    checkNamespace(request, served, sent);
    if (!requireNonNullElse(sent.metadata().resourceVersion(), "").isEmpty()) {
      throw ApiErrors.unexplained("resourceVersion should not be set on objects to be created");
    }
    boolean dryRun = WriteOptions.isDryRun(request, "CreateOptions");
    StoredObject stored = insert(request, served, sent, admission, dryRun);
    return validation.warn(Response.json(201, encoding.object(stored)));
  }

  private StoredObject insert(
      ApiRequest request,
      ServedKind served,
      Unstructured given,
      Admission admission,
      boolean dryRun) {
    GroupResource kind = served.groupResource();
    String namespace = served.resource().namespaced() ? request.namespace() : "";
    String sentName = requireNonNullElse(given.metadata().name(), "");
    checkNamespaceExists(served, namespace, sentName);
    if (!request.verb().equals("create")) {
      authorizer.check(Attributes.of(request).withVerb("create"));
    }
    Unstructured sent = admission.mutate(given, null);
    for (int attempt = 1; ; attempt++) {
      Unstructured object =
          tracking.created(request, served, sent, strategy.create(served, namespace, sent));
      String name = requireNonNullElse(object.metadata().name(), "");
      String key = StoredObject.key(namespace, name);
      admission.validate(object, null);
      StoredObject present = store.get(kind, key);
      if (present == null) {
        StoredObject stored = save(served, key, null, object, dryRun);
        if (stored != null) {
          return versions.read(served, stored);
        }
        present = store.get(kind, key);
      }
      if (!sentName.isEmpty() || attempt == NAME_ATTEMPTS) {
        throw exists(kind, name, present);
      }
    }
  }

  private static ApiStatusException exists(
      GroupResource kind, String name, @Nullable StoredObject present) {
    ApiStatusException failure = ApiStatusException.alreadyExists(kind, name);
    return present != null && present.isBeingDeleted()
        ? new ApiStatusException(
            failure.status().toBuilder()
                .message("object is being deleted: " + failure.status().message())
                .build())
        : failure;
  }

  Response update(ApiRequest request, ServedKind served, Admission admission) {
    ObjectEncoding encoding = settings.encoding(request, served);
    FieldValidation validation = new FieldValidation(request, served);
    Unstructured sent = RequestBody.object(request, served, validation);
    checkName(request, requireNonNullElse(sent.metadata().name(), ""));
    checkNamespace(request, served, sent);
    if (served.is(Trait.CREATE_ON_UPDATE)
        && request.subresource().isEmpty()
        && store.get(served.groupResource(), served.key(request)) == null) {
      checkUid(served, sent, served.key(request), "");
      boolean dryRun = WriteOptions.isDryRun(request, "UpdateOptions");
      StoredObject created = insert(request, served, sent, admission, dryRun);
      return validation.warn(Response.json(201, encoding.object(created)));
    }
    StoredObject stored = replace(request, served, admission, old -> sent);
    return validation.warn(Response.json(200, encoding.object(stored)));
  }

  Response patch(ApiRequest request, ServedKind served, Admission admission) {
    ObjectEncoding encoding = settings.encoding(request, served);
    ApplyBody.checkOptions(request);
    FieldValidation validation = new FieldValidation(request, served);
    if (ApplyBody.isApply(request)) {
      return validation.warn(apply(request, served, encoding, validation, admission));
    }
    PatchBody patch = PatchBody.of(request, served);
    StoredObject stored =
        replace(
            request,
            served,
            admission,
            old ->
                patched(
                    patch,
                    request,
                    served,
                    validation,
                    old.object().withType(served.apiVersion(), served.kind())));
    return validation.warn(Response.json(200, encoding.object(stored)));
  }

  private Response apply(
      ApiRequest request,
      ServedKind served,
      ObjectEncoding encoding,
      FieldValidation validation,
      Admission admission) {
    Unstructured configuration = ApplyBody.configuration(request, served);
    validation.checkApplied();
    checkName(request, requireNonNullElse(configuration.metadata().name(), ""));
    checkNamespace(request, served, configuration);
    if (request.subresource().isEmpty()
        && store.get(served.groupResource(), served.key(request)) == null) {
      String uid = requireNonNullElse(configuration.metadata().uid(), "");
      if (!uid.isEmpty()) {
        throw ApiStatusException.conflict(
            served.groupResource(),
            request.name(),
            "uid mismatch: the provided object specified uid %s, and no existing object was found"
                .formatted(uid));
      }
      boolean dryRun = WriteOptions.isDryRun(request, "PatchOptions");
      Unstructured typed = ObjectNormalizer.of(served, configuration);
      return Response.json(201, encoding.object(insert(request, served, typed, admission, dryRun)));
    }
    boolean force = ApplyBody.isForced(request);
    StoredObject stored =
        replace(
            request,
            served,
            admission,
            old ->
                ObjectNormalizer.of(
                    served, tracking.applied(request, served, configuration, old, force)));
    return Response.json(200, encoding.object(stored));
  }

  private static Unstructured patched(
      PatchBody patch,
      ApiRequest request,
      ServedKind served,
      FieldValidation validation,
      Unstructured object) {
    Unstructured result;
    try {
      result = Unstructured.of(patch.apply(object.content()));
    } catch (IllegalArgumentException e) {
      throw ApiStatusException.invalid(
          new GroupKind("", ""),
          "",
          List.of(FieldErrors.invalid("patch", "the result", String.valueOf(e.getMessage()))));
    }
    RequestBody.checkKind(result, object.kind(), served);
    checkName(request, requireNonNullElse(result.metadata().name(), ""));
    checkNamespace(request, served, result);
    String uid = requireNonNullElse(result.metadata().uid(), "");
    if (!uid.isEmpty() && !uid.equals(object.metadata().uid())) {
      throw ApiStatusException.invalid(
          new GroupKind(served.resource().group(), served.kind()),
          request.name(),
          List.of(FieldErrors.invalid("metadata.uid", '"' + uid + '"', "field is immutable")));
    }
    validation.checkPatched(result);
    return ObjectNormalizer.of(served, result.withType("", ""));
  }

  /** Replaces an object with the result of an edit. */
  StoredObject replace(
      ApiRequest request,
      ServedKind served,
      Admission admission,
      Function<StoredObject, Unstructured> edit) {
    GroupResource kind = served.groupResource();
    String options = request.verb().equals("patch") ? "PatchOptions" : "UpdateOptions";
    boolean dryRun = WriteOptions.isDryRun(request, options);
    while (true) {
      StoredObject present = store.get(kind, served.key(request));
      if (present == null) {
        throw ApiStatusException.notFound(kind, request.name());
      }
      StoredObject old = versions.read(served, present);
      Unstructured wanted = admission.mutate(edit.apply(old), old.object());
      checkVersion(served, wanted, old);
      Unstructured object = tracked(request, served, wanted, old);
      admission.validate(object, old.object());
      boolean end = DeleteHandler.isFinished(served.resource(), object);
      boolean moves = !present.version().equals(versions.storageVersion(served));
      if (object.equals(old.object()) && !end && !moves) {
        return old; // An edit without effect keeps the version and sends no event.
      }
      if (end && (dryRun || store.delete(kind, present) != null)) {
        return StoredObject.of(old.key(), old.revision(), object);
      }
      StoredObject stored = end ? null : save(served, old.key(), present, object, dryRun);
      if (stored != null) {
        return versions.read(served, stored);
      }
    }
  }

  /**
   * Stores an object if it has not changed, in the storage version of its kind. A dry run does all
   * but that.
   *
   * @throws ApiStatusException if its JSON is larger than etcd accepts, or it cannot be converted
   */
  private @Nullable StoredObject save(
      ServedKind served,
      String key,
      @Nullable StoredObject old,
      Unstructured object,
      boolean dryRun) {
    String version = versions.storageVersion(served);
    Unstructured converted = versions.convert(served, object, version);
    if (dryRun) {
      return old == null
          ? StoredObject.unsaved(key, version, converted)
          : StoredObject.of(key, old.revision(), version, converted);
    }
    if (JsonText.write(converted.content()).length > MAX_STORED) {
      throw ApiErrors.unexplained("etcdserver: request is too large");
    }
    return store.put(served.groupResource(), key, old, converted, version);
  }

  private Unstructured tracked(
      ApiRequest request, ServedKind served, Unstructured wanted, StoredObject old) {
    Unstructured object = prepare(request.subresource(), served, wanted, old);
    return ApplyBody.isApply(request)
        ? FieldManager.withManaged(object, wanted.metadata().managedFields())
        : tracking.updated(request, served, wanted, object, old);
  }

  private Unstructured prepare(
      String subresource, ServedKind served, Unstructured wanted, StoredObject old) {
    return switch (subresource) {
      case "status" -> strategy.updateStatus(served, wanted, old);
      case "ephemeralcontainers" -> strategy.updateEphemeralContainers(served, wanted, old);
      case "finalize" -> KindRules.withFinalizersOf(wanted, old.object());
      default -> strategy.update(served, wanted, old);
    };
  }

  private static void checkVersion(ServedKind served, Unstructured wanted, StoredObject old) {
    checkUid(served, wanted, old.key(), old.uid());
    String version = requireNonNullElse(wanted.metadata().resourceVersion(), "");
    GroupResource kind = served.groupResource();
    if (version.isEmpty() || version.equals("0")) {
      if (served.is(Trait.VERSION_REQUIRED)) {
        throw ApiStatusException.invalid(
            new GroupKind(kind.group(), kind.resource()),
            old.name(),
            List.of(
                FieldErrors.invalid(
                    "metadata.resourceVersion", "0", "must be specified for an update")));
      }
    } else if (ReadHandler.parse(version) != old.revision()) {
      throw ApiErrors.modified(kind, old.name());
    }
  }

  private static void checkUid(ServedKind served, Unstructured wanted, String key, String present) {
    String uid = requireNonNullElse(wanted.metadata().uid(), "");
    if (!uid.isEmpty() && !uid.equals(present)) {
      throw ApiStatusException.conflict(
          served.groupResource(),
          requireNonNullElse(wanted.metadata().name(), ""),
          ("StorageError: invalid object, Code: 4, Key: /registry/%s/%s, ResourceVersion:"
                  + " 0, AdditionalErrorMsg: Precondition failed: UID in precondition: %s, UID in"
                  + " object meta: %s")
              .formatted(served.resource().plural(), key, uid, present));
    }
  }

  static void checkName(ApiRequest request, String name) {
    if (!name.equals(request.name())) {
      throw ApiStatusException.badRequest(
          name.isEmpty()
              ? "the name of the object (%s based on URL) was undeterminable: name must be provided"
                  .formatted(request.name())
              : "the name of the object (%s) does not match the name on the URL (%s)"
                  .formatted(name, request.name()));
    }
  }

  private static void checkNamespace(ApiRequest request, ServedKind served, Unstructured sent) {
    String namespace = requireNonNullElse(sent.metadata().namespace(), "");
    if (served.resource().namespaced()
        && !namespace.isEmpty()
        && !namespace.equals(request.namespace())) {
      throw ApiStatusException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
  }

  private void checkNamespaceExists(ServedKind served, String namespace, String name) {
    if (!served.resource().namespaced()) {
      return;
    }
    StoredObject stored = store.get(NAMESPACES, namespace);
    if (stored == null) {
      throw ApiStatusException.notFound(NAMESPACES, namespace);
    }
    if (stored.isBeingDeleted()) {
      throw ApiErrors.namespaceTerminating(served.groupResource(), name, namespace);
    }
  }
}
