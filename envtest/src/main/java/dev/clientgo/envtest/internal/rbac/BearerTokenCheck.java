package dev.clientgo.envtest.internal.rbac;

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
    return Attributes.of(request).withUser(ApiRequest.User.anonymous()).forbidden("");
  }
}
