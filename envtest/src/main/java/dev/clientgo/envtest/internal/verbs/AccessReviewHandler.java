package dev.clientgo.envtest.internal.verbs;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.rbac.Attributes;
import dev.clientgo.envtest.internal.rbac.Authorizer;
import dev.clientgo.envtest.internal.rbac.Authorizer.Decision;
import dev.clientgo.envtest.internal.rbac.PolicyRule;
import dev.clientgo.envtest.internal.rbac.RoleResolver.Grants;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Answers who a user is and what a user may do. Nothing is stored. */
final class AccessReviewHandler {

  private final Authorizer authorizer;

  AccessReviewHandler(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  Response create(ApiRequest request, ServedKind served) {
    Map<String, Object> sent = body(request, served);
    Map<String, Object> spec = JsonTree.object(sent, "spec");
    ApiRequest.User user = request.user();
    return switch (served.kind()) {
      case "SelfSubjectReview" ->
          answer(served, Map.of(), JsonTree.of("userInfo", Attributes.userInfo(user)));
      case "SelfSubjectRulesReview" -> answer(served, Map.of(), rules(user, spec));
      case "SelfSubjectAccessReview" -> answer(served, spec, access(served, user, spec));
      default -> answer(served, spec, access(served, named(served, request, spec), spec));
    };
  }

  private static Map<String, Object> body(ApiRequest request, ServedKind served) {
    try {
      return JsonTree.asObject(JsonText.parse(request.body()));
    } catch (CodecException e) {
      throw ApiStatusException.badRequest(
          "the object provided is unrecognized (must be of type %s): %s"
              .formatted(served.kind(), e.getMessage()));
    }
  }

  private static Response answer(
      ServedKind served, Map<String, Object> spec, Map<String, Object> status) {
    return Response.tree(
        201,
        JsonTree.of(
            "kind", served.kind(),
            "apiVersion", served.apiVersion(),
            "metadata", Map.of(),
            "spec", served.kind().equals("SelfSubjectReview") ? null : spec,
            "status", status));
  }

  /* --------------- One access --------------- */

  private static ApiRequest.User named(
      ServedKind served, ApiRequest request, Map<String, Object> spec) {
    String name = JsonTree.string(spec, "user");
    List<String> groups = JsonTree.strings(spec, "groups");
    if (name.isEmpty() && groups.isEmpty()) {
      throw invalid(
          served,
          FieldErrors.invalid(
              "spec.user", "\"\"", "at least one of user or group must be specified"));
    }
    String namespace = JsonTree.string(spec, "resourceAttributes", "namespace");
    if (served.resource().namespaced() && !namespace.equals(request.namespace())) {
      throw invalid(
          served,
          FieldErrors.invalid(
              "spec.resourceAttributes.namespace",
              '"' + namespace + '"',
              "must match metadata.namespace"));
    }
    Map<String, List<String>> extra = new LinkedHashMap<>();
    Map<String, Object> sent = JsonTree.object(spec, "extra");
    sent.keySet().forEach(key -> extra.put(key, JsonTree.strings(sent, key)));
    return new ApiRequest.User(name, JsonTree.string(spec, "uid"), groups, extra);
  }

  private Map<String, Object> access(
      ServedKind served, ApiRequest.User user, Map<String, Object> spec) {
    boolean resource = JsonTree.get(spec, "resourceAttributes") != null;
    if (resource == (JsonTree.get(spec, "nonResourceAttributes") != null)) {
      throw invalid(
          served,
          resource
              ? FieldErrors.invalid(
                  "spec.nonResourceAttributes",
                  JsonText.text(spec.get("nonResourceAttributes")),
                  "cannot be specified in combination with resourceAttributes")
              : FieldErrors.invalid(
                  "spec.resourceAttributes",
                  "null",
                  "exactly one of nonResourceAttributes or resourceAttributes must be specified"));
    }
    Decision decision = authorizer.decide(attributes(user, spec, resource));
    return JsonTree.of(
        "allowed",
        decision.allowed(),
        "reason",
        decision.reason().isEmpty() ? null : decision.reason());
  }

  private static Attributes attributes(
      ApiRequest.User user, Map<String, Object> spec, boolean resource) {
    Map<String, Object> wanted =
        JsonTree.object(spec, resource ? "resourceAttributes" : "nonResourceAttributes");
    return new Attributes(
        user,
        JsonTree.string(wanted, "verb"),
        JsonTree.string(wanted, "group"),
        JsonTree.string(wanted, "resource"),
        JsonTree.string(wanted, "subresource"),
        JsonTree.string(wanted, "namespace"),
        JsonTree.string(wanted, "name"),
        JsonTree.string(wanted, "path"));
  }

  private static ApiStatusException invalid(ServedKind served, StatusCause cause) {
    return ApiStatusException.invalid(
        new GroupKind(served.resource().group(), served.kind()), "", List.of(cause));
  }

  /* --------------- All rules --------------- */

  private Map<String, Object> rules(ApiRequest.User user, Map<String, Object> spec) {
    String namespace = JsonTree.string(spec, "namespace");
    if (namespace.isEmpty()) {
      throw ApiStatusException.badRequest("no namespace on request");
    }
    Grants found = authorizer.roles().rulesFor(user, namespace);
    List<PolicyRule> rules =
        user.isAdmin()
            ? authorizer.roles().everything()
            : found.grants().stream().flatMap(grant -> grant.rules().stream()).toList();
    return JsonTree.of(
        "resourceRules",
        rules.stream().filter(rule -> !rule.resources().isEmpty()).map(PolicyRule::tree).toList(),
        "nonResourceRules",
        rules.stream()
            .filter(rule -> !rule.nonResourceUrls().isEmpty())
            .map(PolicyRule::tree)
            .toList(),
        "incomplete",
        false,
        "evaluationError",
        found.errors().isEmpty() ? null : String.join(", ", found.errors()));
  }
}
