package dev.clientgo.apimachinery.fields;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  @Test
  void page_parsedAndBuilt() {
    FieldSelector selector = FieldSelector.parse("spec.nodeName=node-1,status.phase!=Succeeded");
    ListOptions options = ListOptions.builder().fieldSelector(selector.toString()).build();

    FieldSelector one = FieldSelector.equal("metadata.name", "web"); // escapes the value as needed

    assertThat(options.fieldSelector()).isEqualTo("spec.nodeName=node-1,status.phase!=Succeeded");
    assertThat(one).hasToString("metadata.name=web");
  }
}
