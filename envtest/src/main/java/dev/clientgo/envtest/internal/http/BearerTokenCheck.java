package dev.clientgo.envtest.internal.http;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.Optional;

/**
 * Who may ask: the one with the token, and for its health anybody.
 *
 * @param token the token; everybody may ask if it is empty
 */
public record BearerTokenCheck(String token) {

  /** Returns why a request is refused. */
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
          "User \"system:anonymous\" cannot "
              + request.verb()
              + " path \""
              + request.path()
              + "\"");
    }
    String where =
        request.namespace().isEmpty()
            ? " at the cluster scope"
            : " in the namespace \"" + request.namespace() + "\"";
    return ApiStatusException.forbidden(
        new GroupResource(request.group(), request.resource()),
        request.name(),
        "User \"system:anonymous\" cannot "
            + request.verb()
            + " resource \""
            + request.resource()
            + "\" in API group \""
            + request.group()
            + "\""
            + where);
  }
}
