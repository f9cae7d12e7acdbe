package dev.clientgo.envtest.internal.verbs;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.envtest.internal.encoding.ObjectEncoding;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.kinds.Resource;
import dev.clientgo.envtest.internal.kinds.Resource.Trait;
import dev.clientgo.envtest.internal.kinds.Resource.Version;
import dev.clientgo.envtest.internal.kinds.ResourceRegistry;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.schema.StructuralSchema;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Makes responses of the objects that a test hands in. A kind that the server does not serve is
 * taken for a custom one. Safe for use by many threads.
 */
public final class ReactionHandler {

  private final ObjectStore store;
  private final ResourceRegistry resources;
  private final ServerSettings settings;
  private final WatchHandler watches;

  ReactionHandler(
      ObjectStore store,
      ResourceRegistry resources,
      ServerSettings settings,
      WatchHandler watches) {
    this.store = store;
    this.resources = resources;
    this.settings = settings;
    this.watches = watches;
  }

  /** Returns an object. One of another kind, such as a Scale or a Status, is sent as it is. */
  public Response object(ApiRequest request, Unstructured object) {
    int code = request.verb().equals("create") ? 201 : 200;
    ServedKind served = served(request, List.of(object));
    boolean other = !object.kind().isEmpty() && !object.kind().equals(served.kind());
    return other || request.resource().isEmpty()
        ? Response.tree(code, object.content())
        : Response.json(
            code, settings.encoding(request, served).object(StoredObject.unsaved(object)));
  }

  /** Returns a list. */
  public Response list(ApiRequest request, List<Unstructured> objects, String continueToken) {
    ObjectEncoding encoding = settings.encoding(request, served(request, objects));
    List<StoredObject> items = objects.stream().map(StoredObject::unsaved).toList();
    return Response.json(200, encoding.list(items, store.revision(), continueToken, null));
  }

  /** Opens a watch that reports these events and no changes. */
  public Response watch(ApiRequest request, List<WatchEvent<Unstructured>> events) {
    if (!request.verb().equals("watch")) {
      throw new IllegalStateException(
          "the reaction is a watch, which cannot answer " + request.summary());
    }
    List<Unstructured> objects =
        events.stream().flatMap(event -> Stream.ofNullable(event.value())).toList();
    WatchStream stream = watches.scripted(request, served(request, objects));
    events.forEach(stream::send);
    return Response.of(200, "application/json", stream);
  }

  private ServedKind served(ApiRequest request, List<Unstructured> examples) {
    return resources
        .find(request.group(), request.version(), request.resource())
        .orElseGet(
            () -> unserved(request, examples.isEmpty() ? "Unknown" : examples.get(0).kind()));
  }

  private static ServedKind unserved(ApiRequest request, String kind) {
    String plural = request.resource();
    Version version =
        new Version(
            request.version(),
            true,
            Set.of(),
            Map.of(),
            StructuralSchema.ANYTHING,
            null,
            List.of());
    Resource resource =
        new Resource(
            request.group(),
            plural,
            plural,
            kind,
            kind + "List",
            !request.namespace().isEmpty(),
            List.of(),
            List.of(),
            List.of(version),
            Resource.Storage.SAME_IN_ALL_VERSIONS,
            Set.of(Trait.CUSTOM));
    return new ServedKind(resource, version);
  }

  /** Returns a response with its object changed; an error or a watch stays as it is. */
  public static Response changed(Response response, UnaryOperator<Unstructured> change) {
    if (response.code() >= 300 || !(response.body() instanceof Response.Bytes bytes)) {
      return response;
    }
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    bytes.parts().forEach(text::writeBytes);
    Unstructured changed = change.apply(JsonText.parseObject(text.toByteArray()));
    return new Response(
        response.code(),
        response.headers(),
        new Response.Bytes(List.of(JsonText.write(changed.content()))));
  }
}
