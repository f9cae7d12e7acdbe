package dev.clientgo.envtest.internal.discovery;

import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.envtest.internal.http.AcceptClause;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.Resource;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Discovery in one document for the core group and one for all other groups: {@code
 * APIGroupDiscoveryList} of {@code apidiscovery.k8s.io/v2}.
 */
final class AggregatedDiscovery {

  private static final String MEDIA_TYPE =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  private final DiscoveryDocuments discovery;

  AggregatedDiscovery(DiscoveryDocuments discovery) {
    this.discovery = discovery;
  }

  /** Returns whether a request accepts this form. */
  static boolean isWanted(ApiRequest request) {
    return AcceptClause.of(request).stream()
        .filter(AcceptClause::isJson)
        .anyMatch(a -> a.isTransform("APIGroupDiscoveryList", "apidiscovery.k8s.io", "v2"));
  }

  /** Answers a request for the core group or for the other groups. */
  Response answer(ApiRequest request, boolean core) {
    List<Map<String, Object>> groups = new ArrayList<>();
    discovery
        .versionsByGroup()
        .forEach(
            (group, versions) -> {
              if (group.isEmpty() == core) {
                groups.add(group(group, versions));
              }
            });
    byte[] text =
        JsonText.write(
            JsonTree.builder()
                .put("kind", "APIGroupDiscoveryList")
                .put("apiVersion", "apidiscovery.k8s.io/v2")
                .put("metadata", Map.of())
                .put("items", groups)
                .build());
    return tagged(request, MEDIA_TYPE, text).with("Cache-Control", "public");
  }

  /** Returns a document with its hash as tag, or 304 if the client has it. */
  static Response tagged(ApiRequest request, String mediaType, byte[] text) {
    String tag = '"' + hash(text) + '"';
    boolean known = request.header("If-None-Match").filter(tag::equals).isPresent();
    List<byte[]> body = known ? List.of() : List.of(text);
    return Response.of(known ? 304 : 200, mediaType, new Response.Bytes(body))
        .with("Etag", tag)
        .with("Vary", "Accept");
  }

  static String hash(byte[] text) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-512").digest(text);
      return HexFormat.of().withUpperCase().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no SHA-512", e);
    }
  }

  private Map<String, Object> group(String group, List<String> versions) {
    return JsonTree.builder()
        .put("metadata", JsonTree.of("name", group.isEmpty() ? null : group))
        .put("versions", versions.stream().map(version -> version(group, version)).toList())
        .build();
  }

  private Map<String, Object> version(String group, String version) {
    return JsonTree.builder()
        .put("version", version)
        .put(
            "resources",
            discovery.resources(group, version).stream()
                .map(resource -> resource(resource, version))
                .toList())
        .put("freshness", "Current")
        .build();
  }

  private static Map<String, Object> resource(Resource resource, String version) {
    List<Map<String, Object>> subresources = new ArrayList<>();
    for (String subresource : DiscoveryDocuments.subresources(resource, version)) {
      subresources.add(
          JsonTree.of(
              "subresource", subresource,
              "responseKind", responseKind(resource, version, subresource),
              "verbs", DiscoveryDocuments.verbs(subresource)));
    }
    return JsonTree.builder()
        .put("resource", resource.plural())
        .put("responseKind", responseKind(resource, version))
        .put("scope", resource.namespaced() ? "Namespaced" : "Cluster")
        .put("singularResource", resource.singular())
        .put("verbs", resource.verbs())
        .put("shortNames", resource.shortNames().isEmpty() ? null : resource.shortNames())
        .put("categories", resource.categories().isEmpty() ? null : resource.categories())
        .put("subresources", subresources.isEmpty() ? null : subresources)
        .build();
  }

  private static Map<String, Object> responseKind(
      Resource resource, String version, String subresource) {
    GroupVersionKind other = DiscoveryDocuments.OTHER_KINDS.get(subresource);
    return other == null
        ? responseKind(resource, version)
        : JsonTree.of("group", other.group(), "version", other.version(), "kind", other.kind());
  }

  /** Built-in kinds omit the group and version, which are those of the list. */
  private static Map<String, Object> responseKind(Resource resource, String version) {
    boolean custom = resource.isCustom();
    return JsonTree.builder()
        .put("group", custom ? resource.group() : "")
        .put("version", custom ? version : "")
        .put("kind", resource.kind())
        .build();
  }
}
