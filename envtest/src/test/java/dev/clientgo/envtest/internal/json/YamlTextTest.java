package dev.clientgo.envtest.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class YamlTextTest {

  /** Few aliases, each for three of those before it, would be 43 million values. */
  @Test
  @Timeout(30)
  void toJson_ofAliasesThatMultiply_isRefused() {
    StringBuilder text = new StringBuilder("a0: &a0 1\n");
    for (int i = 1; i <= 16; i++) {
      String below = "*a" + (i - 1);
      text.append("a%1$d: &a%1$d [%2$s, %2$s, %2$s]\n".formatted(i, below));
    }

    assertThatThrownBy(() -> YamlText.toJson(text.toString().getBytes(UTF_8)))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("more than 1000000 values, its aliases resolved");
  }

  @Test
  void manyAliases_ofSmallValues_areRead() {
    byte[] text = ("a: &a {b: 1}\nc: [" + "*a, ".repeat(100) + "*a]\na: 2").getBytes(UTF_8);

    assertThat(new String(YamlText.toJson(text), UTF_8)).startsWith("{\"a\":2,\"c\":[{\"b\":1}");
    assertThat(YamlText.duplicates(text)).hasValueSatisfying(e -> assertThat(e).contains("\"a\""));
  }

  @Test
  void toJson_readsWordsAndNumbersAsKubernetesDoes() {
    byte[] json = YamlText.toJson("a: yes\nb: 0x1F\nc: \"no\"".getBytes(UTF_8));

    assertThat(new String(json, UTF_8)).isEqualTo("{\"a\":true,\"b\":31,\"c\":\"no\"}");
  }

  @Test
  void toJson_ofSeveralDocuments_isRefused() {
    assertThatThrownBy(() -> YamlText.toJson("a: 1\n---\nb: 2".getBytes(UTF_8)))
        .isInstanceOf(CodecException.class);
  }
}
