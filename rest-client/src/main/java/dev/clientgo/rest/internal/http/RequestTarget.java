package dev.clientgo.rest.internal.http;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.rest.internal.text.PathSegments;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * The verb and the path of a request. The parts of the path are prefix, namespace, resource, name,
 * subresource and suffix, set in any order. Not safe for use by many threads.
 */
public final class RequestTarget {

  private final String verb;
  private final Supplier<String> sender;

  private List<String> prefix = List.of();
  private List<String> suffix = List.of();
  private boolean trailingSlash;
  private String group = "";
  private @Nullable String namespace;
  private @Nullable String resource;
  private @Nullable String name;
  private List<String> subResource = List.of();

  /**
   * Creates a target without a path.
   *
   * @param verb the HTTP method
   * @param sender describes the credentials of the request, for errors
   */
  public RequestTarget(String verb, Supplier<String> sender) {
    this.verb = verb;
    this.sender = sender;
  }

  String verb() {
    return verb;
  }

  /** Returns a description of the credentials of the request. */
  String sender() {
    return sender.get();
  }

  public void groupVersion(GroupVersion groupVersion) {
    group = groupVersion.group();
    String version = PathSegments.check("version", groupVersion.version());
    prefix =
        group.isEmpty()
            ? List.of("api", version)
            : List.of("apis", PathSegments.check("group", group), version);
  }

  public void prefix(String... segments) {
    prefix = join(prefix, segments);
  }

  public void suffix(String... segments) {
    suffix = join(suffix, segments);
  }

  public void absolute(String... segments) {
    prefix = join(List.of(), segments);
    trailingSlash = segments.length == 1 && segments[0].endsWith("/") && !prefix.isEmpty();
  }

  public void namespace(String namespace) {
    this.namespace = PathSegments.once("namespace", this.namespace, namespace);
  }

  public void resource(String resource) {
    this.resource = PathSegments.once("resource", this.resource, resource);
  }

  public void name(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("resource name may not be empty");
    }
    this.name = PathSegments.once("resource name", this.name, name);
  }

  public void subResource(String... segments) {
    if (!subResource.isEmpty()) {
      throw new IllegalArgumentException(
          "subresource already set to '" + String.join("/", subResource) + "'");
    }
    for (String segment : segments) {
      PathSegments.check("subresource", segment);
    }
    subResource = List.of(segments);
  }

  private static List<String> join(List<String> before, String... segments) {
    List<String> all = new ArrayList<>(before);
    for (String segment : segments) {
      for (String part : segment.split("/", -1)) {
        if (!part.isEmpty()) {
          all.add(part);
        }
      }
    }
    return List.copyOf(all);
  }

  /**
   * Checks that an empty namespace, which means all, suits the verb.
   *
   * @throws IllegalArgumentException if it does not
   */
  public void checkNamespace() {
    if (namespace == null || !namespace.isEmpty()) {
      return;
    }
    boolean needed = verb.equals("GET") || verb.equals("PUT") || verb.equals("DELETE");
    if (verb.equals("POST") || (needed && name != null)) {
      throw new IllegalArgumentException(
          verb + " of " + resource + " needs a namespace, and it is empty");
    }
  }

  /** Appends the path to that of the server. */
  public void addTo(HttpUrl.Builder url) {
    List<String> path = segments();
    for (String segment : path) {
      url.addPathSegment(segment);
    }
    if (trailingSlash && path.size() == prefix.size()) {
      url.addPathSegment("");
    }
  }

  private List<String> segments() {
    List<String> path = new ArrayList<>(prefix);
    if (namespace != null && !namespace.isEmpty()) {
      path.add("namespaces");
      path.add(namespace);
    }
    if (resource != null) {
      path.add(resource.toLowerCase(Locale.ROOT));
    }
    if (name != null) {
      path.add(name);
    }
    path.addAll(subResource);
    path.addAll(suffix);
    return path;
  }

  /** Returns the path with placeholders for names. */
  String template() {
    if (resource == null) {
      return prefix.isEmpty() ? "/" : "/{prefix}";
    }
    List<String> path = new ArrayList<>(prefix);
    if (namespace != null && !namespace.isEmpty()) {
      path.add("namespaces/{namespace}");
    }
    path.add(resource.toLowerCase(Locale.ROOT));
    if (name != null) {
      path.add("{name}");
    }
    path.addAll(subResource);
    if (!suffix.isEmpty()) {
      path.add("{suffix}");
    }
    return "/" + String.join("/", path);
  }

  /** Returns the group and the resource, empty if none is set. */
  GroupResource groupResource() {
    return resource == null ? new GroupResource("", "") : new GroupResource(group, resource);
  }

  /** Returns whether a resource is set. */
  boolean isResource() {
    return resource != null;
  }

  /** Returns whether the request is for one object, existing or new, without a namespace. */
  boolean lacksNamespace() {
    return resource != null
        && (namespace == null || namespace.isEmpty())
        && (name != null || verb.equals("POST"));
  }

  /** Returns whether the server forwards the request to a pod, a service or a node. */
  boolean isProxy() {
    return !subResource.isEmpty() && subResource.get(0).equals("proxy");
  }

  /** Returns the name of the object, empty if there is none. */
  String objectName() {
    return name == null ? "" : name;
  }
}
