package dev.clientgo.envtest.internal.http;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.Optional;

/**
 * Refuses requests without the bearer token, except those for health and version.
 *
 * @param token the token; empty to accept every request
 */
public record BearerTokenCheck(String token) {

  /** Returns the error with which to refuse a request, or empty to accept it. */
  public Optional<ApiStatusException> refusal(ApiRequest request) {
    if (token.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> authorization = request.header("Authorization");
    if (authorization.isPresent()) {
      return authorization.get().equals("Bearer " + token)
          ? Optional.empty()
          : Optional.of(ApiStatusException.unauthorized("Unauthorized"));
    }
    return isPublic(request.path()) ? Optional.empty() : Optional.of(anonymous(request));
  }

  private static boolean isPublic(String path) {
    return path.equals("/version")
        || path.startsWith("/healthz")
        || path.startsWith("/livez")
        || path.startsWith("/readyz");
  }

  private static ApiStatusException anonymous(ApiRequest request) {
    if (request.resource().isEmpty()) {
      return ApiStatusException.forbidden(
          new GroupResource("", ""),
          "",
          "User \"system:anonymous\" cannot %s path \"%s\""
              .formatted(request.verb(), request.path()));
    }
    String where =
        request.namespace().isEmpty()
            ? " at the cluster scope"
            : " in the namespace \"" + request.namespace() + "\"";
    return ApiStatusException.forbidden(
        new GroupResource(request.group(), request.resource()),
        request.name(),
        "User \"system:anonymous\" cannot %s resource \"%s\" in API group \"%s\"%s"
            .formatted(request.verb(), request.resource(), request.group(), where));
  }
}
