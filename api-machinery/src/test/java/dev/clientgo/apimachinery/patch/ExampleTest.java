package dev.clientgo.apimachinery.patch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  @Test
  void page_mergePatch_leadsFromBeforeToAfter() {
    Map<String, Object> before = Map.of("a", 1L, "b", Map.of("c", 2L));
    Map<String, Object> after = Map.of("b", Map.of("c", 3L));

    Map<String, Object> patch = MergePatch.create(before, after);
    Object same = MergePatch.apply(before, patch); // equals after

    assertThat(same).isEqualTo(after);
  }
}
