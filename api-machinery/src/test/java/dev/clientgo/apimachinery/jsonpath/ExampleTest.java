package dev.clientgo.apimachinery.jsonpath;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  @Test
  void page_readiness() {
    Map<String, Object> pod =
        Map.of("status", Map.of("conditions", List.of(Map.of("type", "Ready", "status", "True"))));

    JsonPath ready = JsonPath.parse("{.status.conditions[?(@.type==\"Ready\")].status}");
    String status = ready.print(pod); // "True"

    assertThat(status).isEqualTo("True");
  }
}
