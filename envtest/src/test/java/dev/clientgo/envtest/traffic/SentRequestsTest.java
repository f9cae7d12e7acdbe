package dev.clientgo.envtest.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SentRequestsTest {

  private static final String PODS = "/api/v1/namespaces/default/pods";

  private static final SentRequests SENT =
      SentRequests.of(
          List.of(
              request("GET", "/api/v1/pods", ""),
              request("GET", PODS + "?watch=true", ""),
              request("POST", PODS + "?fieldManager=me", "{\"metadata\":{\"name\":\"web\"}}"),
              request("PATCH", PODS + "/web/status?fieldManager=me", "{}"),
              request("DELETE", "/apis/apps/v1/namespaces/other/deployments/web", ""),
              request("GET", "/version", "")));

  private static ApiRequest request(String method, String target, String body) {
    return request(method, target, body, "application/json");
  }

  private static ApiRequest request(String method, String target, String body, String type) {
    return ApiRequest.of(
        method,
        target,
        Map.of("Content-Type", List.of(type), "User-Agent", List.of("test/1")),
        body.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void summary_namesVerbResourceAndObject() {
    assertThat(SENT.summaries())
        .containsExactly(
            "list pods",
            "watch pods default/",
            "create pods default/web",
            "patch pods/status default/web",
            "delete deployments.apps other/web",
            "get /version");
    assertThat(request("POST", PODS, "{\"metadata\":{\"generateName\":\"web-\"}}").summary())
        .isEqualTo("create pods default/web-*");
    assertThat(request("POST", PODS, "nonsense").summary()).isEqualTo("create pods default/");
    assertThat(request("DELETE", "/api/v1/namespaces/x", "").summary())
        .isEqualTo("delete namespaces x");
    assertThat(request("DELETE", "/api/v1/namespaces/x/pods", "").summary())
        .isEqualTo("deletecollection pods x/");
  }

  @Test
  void matches_groupSubresourceAndWildcards() {
    ApiRequest scale = request("GET", "/apis/apps/v1/namespaces/default/deployments/web/scale", "");

    assertThat(scale.matches("get", "deployments")).isTrue();
    assertThat(scale.matches("get", "deployments.apps")).isTrue();
    assertThat(scale.matches("*", "deployments/scale")).isTrue();
    assertThat(scale.matches("get", "deployments.apps/scale")).isTrue();
    assertThat(scale.matches("get", "*/scale")).isTrue();
    assertThat(scale.matches("*", "*")).isTrue();
    assertThat(scale.matches("update", "deployments")).isFalse();
    assertThat(scale.matches("get", "deployments.extensions")).isFalse();
    assertThat(scale.matches("get", "deployments/status")).isFalse();
    assertThat(scale.matches("get", "scale")).isFalse();
    assertThat(request("GET", "/version", "").matches("*", "*")).isFalse();
  }

  @Test
  void selections_narrow() {
    assertThat(SENT.writes().summaries())
        .containsExactly(
            "create pods default/web",
            "patch pods/status default/web",
            "delete deployments.apps other/web");
    assertThat(SENT.of("*", "pods").inNamespace("default").named("web").summaries())
        .containsExactly("patch pods/status default/web");
    assertThat(SENT.fromClient("test").list()).hasSize(6);
    assertThat(SENT.fromClient("other").list()).isEmpty();
  }

  @Test
  void assertions_pass() {
    assertThat(SENT.of("create", "pods").assertOne().object().metadata().name()).isEqualTo("web");
    SENT.of("update", "*").assertNone();
    SENT.of("*", "pods").assertCount(4);
    SENT.writes()
        .assertExactly(
            "create pods default/web",
            "patch pods/status default/web",
            "delete deployments.apps other/web");
    SENT.assertInOrder("list pods", "patch pods/status default/web", "get /version");
  }

  @Test
  void failure_listsAllRequestsAndMarksTheSelected() {
    assertThatThrownBy(() -> SENT.writes().inNamespace("default").assertOne())
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            """
            expected 1 request
            selected 2 of 6 requests: writes, in namespace default
              list pods
              watch pods default/
            > create pods default/web by me
            > patch pods/status default/web (application/json) by me
              delete deployments.apps other/web
              get /version""");
    assertThatThrownBy(() -> SENT.of("delete", "*").assertExactly("delete pods default/web"))
        .hasMessageStartingWith("expected exactly\n  delete pods default/web\nselected 1 of 6");
    assertThatThrownBy(() -> SENT.assertInOrder("get /version", "list pods"))
        .hasMessageStartingWith(
            "expected in this order\n  get /version\n  list pods\nmissing list pods\nselected 6");
    assertThatThrownBy(() -> SENT.writes().assertExactly())
        .hasMessageStartingWith("expected exactly none");
  }

  @Test
  void failure_ofManyRequests_showsTheLatest() {
    SentRequests many =
        SentRequests.of(
            IntStream.range(0, 103).mapToObj(i -> request("GET", PODS + "/p" + i, "")).toList());

    assertThatThrownBy(many::assertNone)
        .hasMessageContaining("… 3 earlier\n> get pods default/p3\n")
        .hasMessageEndingWith("default/p102");
  }

  @Test
  void request_parsesItsOptions() {
    ApiRequest applied =
        request(
            "PATCH",
            PODS + "/a?fieldManager=me&dryRun=All",
            "kind: Pod\nmetadata: {name: a}",
            "application/apply-patch+yaml");
    ApiRequest patched = request("PATCH", PODS + "/a", "[]", "application/json-patch+json");

    assertThat(applied.isApply()).isTrue();
    assertThat(applied.isDryRun()).isTrue();
    assertThat(applied.fieldManager()).isEqualTo("me");
    assertThat(applied.object().kind()).isEqualTo("Pod");
    assertThat(patched.isApply()).isFalse();
    assertThat(patched.isDryRun()).isFalse();
    assertThatThrownBy(patched::object).isInstanceOf(CodecException.class);
    assertThat(request("DELETE", PODS + "/a", "{\"dryRun\":[\"All\"]}").isDryRun()).isTrue();
    assertThat(request("DELETE", PODS + "/a", "{\"dryRun\":[]}").isDryRun()).isFalse();
  }
}
