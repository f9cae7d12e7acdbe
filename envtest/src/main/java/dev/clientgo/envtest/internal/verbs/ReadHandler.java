package dev.clientgo.envtest.internal.verbs;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.internal.conversion.VersionConverter;
import dev.clientgo.envtest.internal.encoding.ObjectEncoding;
import dev.clientgo.envtest.internal.errors.ApiErrors;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.requests.ContinueToken;
import dev.clientgo.envtest.internal.requests.ListQuery;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.storage.ObjectStore.Snapshot;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;

/** Handles {@code get} and {@code list}. */
final class ReadHandler {

  private final ObjectStore store;
  private final ServerSettings settings;
  private final VersionConverter versions;

  ReadHandler(ObjectStore store, ServerSettings settings, VersionConverter versions) {
    this.store = store;
    this.settings = settings;
    this.versions = versions;
  }

  Response get(ApiRequest request, ServedKind served) {
    ObjectEncoding encoding = settings.encoding(request, served);
    GroupResource name = served.groupResource();
    checkNotFuture(request.query("resourceVersion"));
    StoredObject object = store.get(name, served.key(request));
    if (object == null) {
      throw ApiStatusException.notFound(name, request.name());
    }
    return Response.json(200, encoding.object(converted(served, object)));
  }

  /** As in Kubernetes, a failed conversion has no reason in a write, but has one in a read. */
  private StoredObject converted(ServedKind served, StoredObject object) {
    try {
      return versions.read(served, object);
    } catch (ApiStatusException e) {
      throw e.reason().isEmpty()
          ? ApiStatusException.internalError(requireNonNullElse(e.status().message(), ""))
          : e;
    }
  }

  Response list(ApiRequest request, ServedKind served) {
    ListQuery query = ListQuery.of(request, served, settings.shards());
    ObjectEncoding encoding = settings.encoding(request, served).ofShard(query.selection().shard());
    String prefix = served.prefix(request);
    if (query.continueToken().isEmpty()) {
      return page(query, served, encoding, snapshot(query, served, prefix), prefix, "");
    }
    ContinueToken token = ContinueToken.parse(query.continueToken());
    if (!query.isAnyVersion()) {
      throw ApiStatusException.badRequest(
          "specifying resource version is not allowed when using continue");
    }
    Snapshot snapshot = continued(token, served, prefix);
    return page(query, served, encoding, snapshot, prefix, token.startKey());
  }

  private Snapshot snapshot(ListQuery query, ServedKind served, String prefix) {
    long wanted = wanted(query.resourceVersion());
    if (!query.isExact()) {
      // Whether there is another page depends on all objects, as in etcd.
      return query.pageLimit() > 0
          ? store.list(served.groupResource(), prefix)
          : store.list(served.groupResource(), prefix, query.selection().fields());
    }
    Snapshot past = store.listAt(served.groupResource(), prefix, wanted);
    if (past == null) {
      throw ApiErrors.expiredList();
    }
    return past;
  }

  private long wanted(String resourceVersion) {
    try {
      return checkNotFuture(resourceVersion);
    } catch (ApiStatusException e) {
      if (e.code() != 500) {
        throw e;
      }
      throw ApiStatusException.badRequest("invalid resource version: " + e.getMessage());
    }
  }

  private Snapshot continued(ContinueToken token, ServedKind served, String prefix) {
    Snapshot snapshot =
        token.revision() < 0
            ? store.list(served.groupResource(), prefix)
            : store.listAt(served.groupResource(), prefix, token.revision());
    if (snapshot == null) {
      throw ApiErrors.expiredContinue(new ContinueToken(-1, token.startKey()).toString());
    }
    return snapshot;
  }

  /**
   * Returns the version that a client requires, 0 if none.
   *
   * <p>kube-apiserver waits 3 s for a version that is too large; this server does not, because no
   * version can arrive from elsewhere.
   */
  private long checkNotFuture(String resourceVersion) {
    if (resourceVersion.isEmpty()) {
      return 0;
    }
    long wanted = parse(resourceVersion);
    long current = store.revision();
    if (wanted > current) {
      throw ApiErrors.tooLargeResourceVersion(resourceVersion, current);
    }
    return wanted;
  }

  /**
   * Parses a version.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if it is not a number
   */
  static long parse(String resourceVersion) {
    try {
      return Long.parseUnsignedLong(resourceVersion);
    } catch (NumberFormatException e) {
      throw ApiErrors.unexplained(
          "resourceVersion: Invalid value: \"%s\": strconv.ParseUint: parsing \"%s\": invalid syntax"
              .formatted(resourceVersion, resourceVersion));
    }
  }

  private Response page(
      ListQuery query,
      ServedKind served,
      ObjectEncoding encoding,
      Snapshot snapshot,
      String prefix,
      String from) {
    NavigableMap<String, StoredObject> rest = snapshot.objects().tailMap(prefix + from, true);
    long limit = query.pageLimit();
    List<StoredObject> found = new ArrayList<>();
    Iterator<StoredObject> objects = rest.values().iterator();
    while (objects.hasNext() && (limit == 0 || found.size() < limit)) {
      StoredObject object = versions.read(served, objects.next());
      if (query.selection().matches(object)) {
        found.add(object);
      }
    }
    if (!objects.hasNext()) {
      return Response.json(200, encoding.list(found, snapshot.revision(), "", null));
    }
    String last = found.get(found.size() - 1).key().substring(prefix.length());
    ContinueToken token = ContinueToken.after(last, snapshot.revision());
    // With a selector, the server has not counted the remaining matches.
    boolean counted = query.selection().isEverything();
    Long remaining = counted ? (Long) (long) (rest.size() - found.size()) : null;
    return Response.json(
        200, encoding.list(found, snapshot.revision(), token.toString(), remaining));
  }
}
