package dev.clientgo.kubernetes;

import static dev.clientgo.kubernetes.Checks.configMaps;
import static dev.clientgo.kubernetes.Checks.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.CauseType;
import dev.clientgo.apimachinery.status.StatusReason;
import java.util.Map;

/** Forbidden requests, and objects that do not exist. */
final class RefusalChecks {

  private RefusalChecks() {}

  static void addTo(Map<String, Checks.Check> all) {
    all.put("anonymous-forbidden-403", it -> configMapsForbidden(it, "cannot list"));
    all.put("impersonation-forbidden-403", it -> configMapsForbidden(it, "cannot impersonate"));
    all.put("forbidden-403", RefusalChecks::forbidden);
    all.put("unauthorized-401", RefusalChecks::unauthorized);
    all.put("unknown-path-404", RefusalChecks::unknownPath);
    all.put("not-acceptable-406", RefusalChecks::notAcceptable);
    all.put("method-not-allowed-405", RefusalChecks::methodNotAllowed);
    all.put("unsupported-media-type-415", RefusalChecks::unsupportedMediaType);
  }

  private static void configMapsForbidden(Replay it, String what) {
    ApiStatusException error =
        refused(403, StatusReason.FORBIDDEN, () -> configMaps(it).list(ListOptions.NONE));

    assertThat(error.isForbidden()).isTrue();
    assertThat(error.status().details().kind()).isEqualTo("configmaps");
    assertThat(error)
        .hasMessageStartingWith("configmaps is forbidden: User \"")
        .hasMessageContaining(what);
  }

  private static void forbidden(Replay it) {
    ApiStatusException error =
        refused(
            403,
            StatusReason.FORBIDDEN,
            () -> it.clients().core().v1().secrets(Checks.NAMESPACE).list(ListOptions.NONE));

    assertThat(error.isForbidden()).isTrue();
    assertThat(error)
        .hasMessageContaining(
            "cannot list resource \"secrets\" in API group \"\" in the namespace \"default\"");
  }

  private static void unauthorized(Replay it) {
    ApiStatusException error =
        refused(401, StatusReason.UNAUTHORIZED, () -> configMaps(it).list(ListOptions.NONE));

    assertThat(error.isUnauthorized()).isTrue();
    assertThat(error).hasMessageStartingWith("Unauthorized");
  }

  /** The answer is no status but the text of the HTTP server beneath. */
  private static void unknownPath(Replay it) {
    GroupVersionResource things = new GroupVersion("nope.example.com", "v1").withResource("things");

    ApiStatusException error =
        refused(
            404, StatusReason.NOT_FOUND, () -> it.client().dynamic(things).list(ListOptions.NONE));

    assertThat(error.isNotFound()).isTrue();
    assertThat(error).hasMessageContaining("could not find the requested resource");
    assertThat(error.statusCause(CauseType.UNEXPECTED_SERVER_RESPONSE))
        .hasValueSatisfying(cause -> assertThat(cause.message()).isEqualTo("404 page not found"));
  }

  private static void notAcceptable(Replay it) {
    ApiStatusException error =
        refused(
            406,
            StatusReason.NOT_ACCEPTABLE,
            () ->
                it.client()
                    .get()
                    .groupVersion(new GroupVersion("", "v1"))
                    .namespace(Checks.NAMESPACE)
                    .resource("configmaps")
                    .header("Accept", "image/png")
                    .execute());

    assertThat(error.isNotAcceptable()).isTrue();
    assertThat(error).hasMessageContaining("application/vnd.kubernetes.protobuf");
  }

  private static void methodNotAllowed(Replay it) {
    ApiStatusException error =
        refused(
            405,
            StatusReason.METHOD_NOT_ALLOWED,
            () ->
                it.client()
                    .post()
                    .absPath("/api/v1/componentstatuses")
                    .body("{}".getBytes(UTF_8), "application/json")
                    .execute());

    assertThat(error.isMethodNotSupported()).isTrue();
  }

  private static void unsupportedMediaType(Replay it) {
    ApiStatusException error =
        refused(
            415,
            StatusReason.UNSUPPORTED_MEDIA_TYPE,
            () ->
                it.client()
                    .post()
                    .absPath("/api/v1/namespaces/default/configmaps")
                    .body("x".getBytes(UTF_8), "text/plain")
                    .execute());

    assertThat(error.isUnsupportedMediaType()).isTrue();
    assertThat(error).hasMessageContaining("accepted media types include: application/json");
  }
}
