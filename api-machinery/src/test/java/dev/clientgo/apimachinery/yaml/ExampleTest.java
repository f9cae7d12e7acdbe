package dev.clientgo.apimachinery.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  @Test
  void page_readsAndPrints() {
    String text = "kind: ConfigMap\napiVersion: v1\ndata: {a: '1'}\n---\n# nothing\n";
    List<Unstructured> objects = YamlReader.of("deploy.yaml").read(text, Unstructured.CODEC);
    String printed = YamlWriter.format(Unstructured.CODEC, objects.get(0));

    assertThat(objects).hasSize(1);
    assertThat(printed).isEqualTo("apiVersion: v1\ndata:\n  a: \"1\"\nkind: ConfigMap\n");
  }
}
