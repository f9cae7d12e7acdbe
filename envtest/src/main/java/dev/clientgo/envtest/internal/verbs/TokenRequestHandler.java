package dev.clientgo.envtest.internal.verbs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * Issues tokens for service accounts. They have the claims of kube-apiserver's tokens but a random
 * signature, and this server does not accept them.
 */
final class TokenRequestHandler {

  private static final String ISSUER = "https://kubernetes.default.svc";
  private static final long LIFETIME = 3600;
  private static final long MIN_LIFETIME = 600;
  private static final int SIGNATURE = 64;

  private final ObjectStore store;
  private final ServerSettings settings;

  TokenRequestHandler(ObjectStore store, ServerSettings settings) {
    this.store = store;
    this.settings = settings;
  }

  Response create(ApiRequest request, ServedKind served) {
    Map<String, Object> wanted = JsonTree.asObject(JsonText.parse(request.body()));
    StoredObject account = store.get(served.groupResource(), served.key(request));
    if (account == null) {
      throw ApiStatusException.notFound(served.groupResource(), request.name());
    }
    String name = JsonTree.string(wanted, "metadata", "name");
    if (!name.isEmpty() && !name.equals(request.name())) {
      String problem = "must match the service account name if specified";
      throw invalid(
          request.name(), FieldErrors.invalid("metadata.name", '"' + name + '"', problem));
    }
    long seconds =
        requireNonNullElse(JsonTree.number(wanted, "spec", "expirationSeconds"), LIFETIME);
    if (seconds < MIN_LIFETIME) {
      String problem = "may not specify a duration less than 10 minutes";
      String field = "spec.expirationSeconds";
      throw invalid(name, FieldErrors.invalid(field, Long.toString(seconds), problem));
    }
    return Response.tree(201, answer(request, account, wanted, seconds));
  }

  private static ApiStatusException invalid(String name, StatusCause cause) {
    GroupKind kind = new GroupKind("authentication.k8s.io", "TokenRequest");
    return ApiStatusException.invalid(kind, name, List.of(cause));
  }

  private Map<String, Object> answer(
      ApiRequest request, StoredObject account, Map<String, Object> wanted, long seconds) {
    Instant now = settings.clock().now();
    List<String> named = JsonTree.strings(wanted, "spec", "audiences");
    List<String> audiences = named.isEmpty() ? List.of(ISSUER) : named;
    Map<String, Object> metadata =
        JsonTree.of(
            "name", request.name(),
            "namespace", request.namespace(),
            "uid", account.uid(),
            "creationTimestamp", Time.of(now).toString());
    Map<String, Object> spec =
        JsonTree.of(
            "audiences", audiences,
            "expirationSeconds", seconds,
            "boundObjectRef", JsonTree.get(wanted, "spec", "boundObjectRef"));
    Map<String, Object> status =
        JsonTree.of(
            "token", token(request, account, audiences, now, seconds),
            "expirationTimestamp", Time.of(now.plusSeconds(seconds)).toString());
    return JsonTree.of(
        "kind", "TokenRequest",
        "apiVersion", "authentication.k8s.io/v1",
        "metadata", metadata,
        "spec", spec,
        "status", status);
  }

  private String token(
      ApiRequest request, StoredObject account, List<String> audiences, Instant now, long seconds) {
    Map<String, Object> claims =
        JsonTree.builder()
            .put("aud", audiences)
            .put("exp", now.getEpochSecond() + seconds)
            .put("iat", now.getEpochSecond())
            .put("iss", ISSUER)
            .put(
                "kubernetes.io",
                JsonTree.builder()
                    .put("namespace", request.namespace())
                    .put(
                        "serviceaccount", JsonTree.of("name", request.name(), "uid", account.uid()))
                    .build())
            .put("nbf", now.getEpochSecond())
            .put("sub", "system:serviceaccount:" + request.namespace() + ":" + request.name())
            .build();
    byte[] signature = new byte[SIGNATURE];
    settings.random().nextBytes(signature);
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    return String.join(
        ".",
        base64.encodeToString("{\"alg\":\"ES256\"}".getBytes(UTF_8)),
        base64.encodeToString(JsonText.write(claims)),
        base64.encodeToString(signature));
  }
}
