package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tokens for service accounts. */
abstract class TokenContract extends Contract {

  private Answer requestToken(String name, String body) {
    return api().post(core("serviceaccounts") + "/" + name + "/token", body);
  }

  @Test
  void token_hasTheAccountsClaims() {
    Answer account = must(201, api().post(core("serviceaccounts"), "{'metadata':{'name':'s'}}"));

    Answer token = must(201, requestToken("s", "{'spec':{'expirationSeconds':700}}"));

    assertThat(token.at("kind")).isEqualTo("TokenRequest");
    assertThat(token.at("apiVersion")).isEqualTo("authentication.k8s.io/v1");
    assertThat(token.name()).isEqualTo("s");
    assertThat(token.uid()).isEqualTo(account.uid());
    assertThat(token.at("spec", "audiences")).isEqualTo(List.of("https://kubernetes.default.svc"));
    assertThat(token.at("spec", "expirationSeconds")).isEqualTo(700L);
    assertThat(JsonTree.string(token.json(), "status", "expirationTimestamp")).endsWith("Z");
    String[] parts = JsonTree.string(token.json(), "status", "token").split("\\.", -1);
    Map<String, Object> claims =
        JsonTree.asObject(JsonText.parse(Base64.getUrlDecoder().decode(parts[1])));
    assertThat(parts).hasSize(3);
    assertThat(claims)
        .containsEntry("sub", "system:serviceaccount:" + namespace + ":s")
        .containsEntry("iss", "https://kubernetes.default.svc");
    assertThat(JsonTree.number(claims, "exp")).isEqualTo(JsonTree.number(claims, "iat") + 700);
  }

  @Test
  void token_withDefaults_lastsAnHour() {
    must(201, api().post(core("serviceaccounts"), "{'metadata':{'name':'s'}}"));

    Answer token = must(201, requestToken("s", "{'spec':{'audiences':['a','b']}}"));

    assertThat(token.at("spec", "audiences")).isEqualTo(List.of("a", "b"));
    assertThat(token.at("spec", "expirationSeconds")).isEqualTo(3600L);
  }

  @Test
  void token_otherAccount_isRefused() {
    must(201, api().post(core("serviceaccounts"), "{'metadata':{'name':'s'}}"));

    assertFailure(
        requestToken("no", "{'spec':{}}"), 404, "NotFound", "serviceaccounts \"no\" not found");
    assertFailure(
        requestToken("s", "{'spec':{'expirationSeconds':10}}"),
        422,
        "Invalid",
        "TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid value:"
            + " 10: may not specify a duration less than 10 minutes");
    assertFailure(
        requestToken("s", "{'metadata':{'name':'q'},'spec':{}}"),
        422,
        "Invalid",
        "metadata.name: Invalid value: \"q\": must match the service account name if specified");
    assertFailure(api().get(core("serviceaccounts") + "/s/token"), 405, "MethodNotAllowed", "");
  }
}
