package dev.clientgo.envtest.internal.rbac;

import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.Map;

/**
 * An action that a user wants to take. Corresponds to {@code authorizer.Attributes} of the API
 * server.
 *
 * @param user the user
 * @param verb the verb
 * @param group the API group
 * @param resource the resource; empty for a path outside the resources
 * @param subresource the subresource, or empty
 * @param namespace the namespace; empty for all, or for what is in none
 * @param name the name of the object, or empty
 * @param path the path
 */
public record Attributes(
    ApiRequest.User user,
    String verb,
    String group,
    String resource,
    String subresource,
    String namespace,
    String name,
    String path) {

  /** Returns what a request wants to do. */
  public static Attributes of(ApiRequest request) {
    return new Attributes(
        request.user(),
        request.verb(),
        request.group(),
        request.resource(),
        request.subresource(),
        request.namespace(),
        request.name().isEmpty() ? selectedName(request) : request.name(),
        request.resource().isEmpty() ? request.path() : "");
  }

  /** A role may permit a list or a watch of one object, which a field selector names. */
  private static String selectedName(ApiRequest request) {
    String selector = request.query("fieldSelector");
    if (selector.isEmpty() || !(request.verb().equals("list") || request.verb().equals("watch"))) {
      return "";
    }
    try {
      return FieldSelector.parse(selector).requiresExactMatch("metadata.name").orElse("");
    } catch (IllegalArgumentException e) {
      return ""; // The server refuses the request later.
    }
  }

  /** Returns the same with another verb. */
  public Attributes withVerb(String other) {
    return new Attributes(user, other, group, resource, subresource, namespace, name, path);
  }

  /** Returns the same of another user. */
  public Attributes withUser(ApiRequest.User other) {
    return new Attributes(other, verb, group, resource, subresource, namespace, name, path);
  }

  /** Returns a user as reviews describe one. */
  public static Map<String, Object> userInfo(ApiRequest.User user) {
    return JsonTree.of(
        "username",
        user.name(),
        "uid",
        user.uid().isEmpty() ? null : user.uid(),
        "groups",
        user.groups(),
        "extra",
        user.extra().isEmpty() ? null : user.extra());
  }

  public boolean isResource() {
    return !resource.isEmpty();
  }

  /** Returns the resource and the subresource, as a rule names them. */
  public String combinedResource() {
    return subresource.isEmpty() ? resource : resource + "/" + subresource;
  }

  /** Returns the error that reports to the user that this is not permitted. */
  public ApiStatusException forbidden(String reason) {
    String text = message().replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    return ApiStatusException.forbidden(
        new GroupResource(group, resource), name, reason.isEmpty() ? text : text + ": " + reason);
  }

  /** Returns what is wanted in a few words, such as {@code patch pods/status default/web}. */
  @Override
  public String toString() {
    if (!isResource()) {
      return verb + " " + path;
    }
    String type = group.isEmpty() ? resource : resource + "." + group;
    String where = namespace.isEmpty() ? "" : namespace + "/";
    return (verb
            + " "
            + type
            + (subresource.isEmpty() ? "" : "/" + subresource)
            + " "
            + where
            + name)
        .strip();
  }

  private String message() {
    String who = "User \"" + user.name() + "\" cannot " + verb;
    if (!isResource()) {
      return who + " path \"" + path + '"';
    }
    return "%s resource \"%s\" in API group \"%s\" %s"
        .formatted(
            who,
            combinedResource(),
            group,
            namespace.isEmpty() ? "at the cluster scope" : "in the namespace \"" + namespace + '"');
  }
}
