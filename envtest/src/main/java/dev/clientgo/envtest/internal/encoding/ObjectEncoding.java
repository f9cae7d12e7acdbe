package dev.clientgo.envtest.internal.encoding;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.errors.ApiErrors;
import dev.clientgo.envtest.internal.http.AcceptClause;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the objects of one kind as one request wants them: single objects, lists or watch events,
 * with all fields, with metadata only, or as tables.
 *
 * <p>All requests share the JSON text of an object; the parts that depend on the request are
 * written before it.
 */
public final class ObjectEncoding {

  private static final byte[] OPEN = {'{'};
  private static final byte[] COMMA = {','};
  private static final byte[] END_OF_LIST = {']', '}'};
  private static final byte[] END_OF_EVENT = {'}', '\n'};
  private static final Map<String, String> END_OF_INITIAL_EVENTS =
      Map.of("k8s.io/initial-events-end", "true");
  private static final String META_GROUP = "meta.k8s.io";
  private static final String META = META_GROUP + "/v1";
  private static final String PARTIAL = "PartialObjectMetadata";

  private final ServedKind served;
  private final boolean partial;
  private final boolean dropsManagedFields;
  private final @Nullable TableEncoding table;
  private final ShardSelector shard;
  private final byte[] head;

  private ObjectEncoding(
      ServedKind served,
      boolean partial,
      boolean dropsManagedFields,
      @Nullable TableEncoding table,
      ShardSelector shard) {
    this.served = served;
    this.partial = partial;
    this.dropsManagedFields = dropsManagedFields;
    this.table = table;
    this.shard = shard;
    this.head = partial ? head(PARTIAL, META) : head(served.kind(), served.apiVersion());
  }

  /**
   * Returns the encoding that the {@code Accept} header of a request asks for.
   *
   * @param optOut whether the server obeys the parameter {@code drop=metadata.managedFields}. Such
   *     a server skips clauses that ask it to drop other fields; else it ignores the parameter. As
   *     in kube-apiserver, tables keep the managed fields.
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server does not support it
   */
  public static ObjectEncoding of(
      ApiRequest request, ServedKind served, Clock clock, boolean optOut) {
    boolean list = List.of("list", "deletecollection").contains(request.verb());
    String partial = list ? PARTIAL + "List" : PARTIAL;
    for (AcceptClause accept : AcceptClause.of(request)) {
      if (!accept.isJson() || (optOut && accept.dropsOtherFields())) {
        continue;
      }
      boolean drops = optOut && accept.dropsManagedFields();
      if (accept.isPlain()) {
        return new ObjectEncoding(served, false, drops, null, ShardSelector.EVERYTHING);
      }
      if (accept.isTransform(partial, META_GROUP, "v1")) {
        return new ObjectEncoding(served, true, drops, null, ShardSelector.EVERYTHING);
      }
      if (accept.isTransform("Table", META_GROUP, "v1")) {
        TableEncoding table = TableEncoding.of(request, served, clock);
        return new ObjectEncoding(served, false, false, table, ShardSelector.EVERYTHING);
      }
    }
    throw ApiErrors.notAcceptable();
  }

  /** Returns this encoding with lists that name the shard of their objects. */
  public ObjectEncoding ofShard(ShardSelector selector) {
    return new ObjectEncoding(served, partial, dropsManagedFields, table, selector);
  }

  /** Returns the start of an object, up to the first stored field. */
  private static byte[] head(String kind, String apiVersion) {
    return ("{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\",").getBytes(UTF_8);
  }

  /** Returns an object as JSON, in pieces. */
  public List<byte[]> object(StoredObject object) {
    return table == null ? List.of(head, fields(object)) : List.of(table.table(object));
  }

  private byte[] fields(StoredObject object) {
    if (!partial && !dropsManagedFields) {
      return object.fields();
    }
    ObjectMeta metadata =
        dropsManagedFields ? object.metadata().with(m -> m.managedFields(null)) : object.metadata();
    Unstructured whole = partial ? Unstructured.of(Map.of()) : object.object();
    return JsonText.writeFields(Unstructured.CODEC, whole.withMetadata(metadata));
  }

  /** Returns a list as JSON, in pieces. */
  public List<byte[]> list(
      List<StoredObject> objects, long revision, String continueToken, @Nullable Long remaining) {
    if (table != null) {
      return List.of(table.table(objects, listMetadata(revision, continueToken, remaining)));
    }
    List<byte[]> parts = new ArrayList<>();
    parts.add(listHead(revision, continueToken, remaining));
    // Items of built-in kinds do not repeat the kind and version of their list.
    byte[] begin = partial || served.isCustom() ? head : OPEN;
    for (StoredObject object : objects) {
      if (parts.size() > 1) {
        parts.add(COMMA);
      }
      parts.add(begin);
      parts.add(fields(object));
    }
    parts.add(END_OF_LIST);
    return parts;
  }

  private Map<String, Object> listMetadata(
      long revision, String continueToken, @Nullable Long remaining) {
    // Lists of custom resources contain an empty "continue"; those of built-in kinds omit it.
    boolean always = served.isCustom() && !partial && table == null;
    // As kube-apiserver, which loses it when it converts the list.
    boolean isNamed = !shard.isEverything() && !partial && table == null;
    return JsonTree.builder()
        .put("resourceVersion", Long.toString(revision))
        .put("continue", continueToken.isEmpty() && !always ? null : continueToken)
        .put("remainingItemCount", remaining)
        .put("shardInfo", isNamed ? Map.of("selector", shard.toString()) : null)
        .build();
  }

  private byte[] listHead(long revision, String continueToken, @Nullable Long remaining) {
    Object list =
        JsonTree.builder()
            .put("kind", partial ? PARTIAL + "List" : served.resource().listKind())
            .put("apiVersion", partial ? META : served.apiVersion())
            .put("metadata", listMetadata(revision, continueToken, remaining))
            .put("items", List.of())
            .build();
    byte[] text = JsonText.write(list);
    return Arrays.copyOf(text, text.length - END_OF_LIST.length);
  }

  /** Returns a watch event as JSON, in pieces. */
  public List<byte[]> event(String type, StoredObject object) {
    return table == null
        ? List.of(eventHead(type), head, fields(object), END_OF_EVENT)
        : List.of(eventHead(type), table.table(object), END_OF_EVENT);
  }

  /** Returns a bookmark as JSON, in pieces. */
  public List<byte[]> bookmark(long revision, boolean endOfInitialEvents) {
    ObjectMeta metadata =
        ObjectMeta.builder()
            .resourceVersion(Long.toString(revision))
            .annotations(endOfInitialEvents ? END_OF_INITIAL_EVENTS : null)
            .build();
    Unstructured bookmark = Unstructured.of(Map.of()).withMetadata(metadata);
    if (table != null) {
      return List.of(eventHead("BOOKMARK"), table.bookmark(bookmark), END_OF_EVENT);
    }
    return List.of(
        eventHead("BOOKMARK"),
        head,
        JsonText.writeFields(Unstructured.CODEC, bookmark),
        END_OF_EVENT);
  }

  /** Returns the event that reports why a watch fails, in pieces. */
  public static List<byte[]> error(Status status) {
    return List.of(eventHead("ERROR"), Response.text(status), END_OF_EVENT);
  }

  private static byte[] eventHead(String type) {
    return ("{\"type\":\"" + type + "\",\"object\":").getBytes(UTF_8);
  }
}
