package dev.clientgo.controller.internal.incident;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** What becomes of copies of secrets in other texts. */
final class RedactionTest {

  private final Redaction redaction = redaction();

  private static Redaction redaction() {
    return new Redaction(new SecretKeySpec(new byte[32], "HmacSHA256"), List.of("spec.password"));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static Map<String, Object> secret(String value) {
    return Map.of("kind", "Secret", "data", Map.of("v", base64(value)));
  }

  /** Returns a text of another object, when a Secret with a value is known. */
  private static String redacted(String value, String text) {
    Redaction redaction = redaction();
    redaction.learn(secret(value), true);
    return requireNonNull(redaction.redact(List.of(text), false)).toString();
  }

  @Test
  void aValue_inALongerText_asBase64_isHidden_whereverItBegins() {
    for (String before : List.of("", "a", "ab", "abc", "abcd")) {
      for (String value : List.of("swordfish-12", "swordfish-123", "swordfish-1234")) {
        String text = base64(before + value + ":more");
        assertThat(redacted(value, text))
            .as(before + " and " + value)
            .doesNotContain(text.substring(8, 14));
      }
    }
  }

  @Test
  void aValue_overSeveralLines_isHidden() {
    String value = "a-long-secret-of-many-letters-".repeat(5);
    String folded = base64(value).replaceAll("(.{64})", "$1\n    ");
    assertThat(redacted(value, folded)).doesNotContain(folded.substring(10, 60), "bGV0dGVyc");
    assertThat(redacted(value, folded.replace("\n", "\r\n"))).doesNotContain("bGV0dGVyc");
    assertThat(redacted(value, value.substring(0, 50) + "\n" + value.substring(50)))
        .doesNotContain("many-letters");
  }

  @Test
  void aValue_inJsonOfGo_isHidden() {
    assertThat(redacted("a<b&c>-secret", "{\"p\":\"a\\u003cb\\u0026c\\u003e-secret\"}"))
        .doesNotContain("-secret");
  }

  @Test
  void theValues_ofTheLinesOfAConfiguration_areHidden() {
    String kubeconfig =
        "users:\n- name: a\n  user:\n    token: abcdef.0123456789\n    password: \"quoted-pw\"\n";
    assertThat(redacted(kubeconfig, "Bearer abcdef.0123456789, quoted-pw"))
        .doesNotContain("0123456789", "quoted-pw");
    String variables = "DB_PASSWORD=from-env-file\nexport A='single-quoted'";
    assertThat(redacted(variables, "x from-env-file y")).doesNotContain("from-env-file");
    assertThat(redacted(variables, "x single-quoted y")).doesNotContain("single-quoted");
  }

  @Test
  void base64_thatIsFolded_isDecoded() {
    redaction.learn(
        Map.of("kind", "Secret", "data", Map.of("v", "c3dvcmRm\naXNoLTEyMw==\n")), true);
    assertThat(requireNonNull(redaction.redact("p=swordfish-123", false)))
        .asString()
        .doesNotContain("swordfish");
  }

  @Test
  void aNumber_staysANumber() {
    redaction.learn(secret("5432"), true);
    Object tree = redaction.redact(Map.of("port", 5432L, "text", "h:5432/db"), false);
    assertThat((Map<?, ?>) tree)
        .satisfies(
            map -> {
              assertThat(map.get("port")).isInstanceOf(Long.class).isNotEqualTo(5432L);
              assertThat(map.get("text")).isEqualTo("h:" + map.get("port") + "/db");
            });
  }

  @Test
  void aRedactedNumber_ofAnObject_staysANumber() {
    Object tree = redaction.redact(Map.of("spec", Map.of("password", 123456L)), false);
    assertThat(requireNonNull(tree).toString()).doesNotContain("123456", "redacted");
  }
}
