package dev.clientgo.controller.internal.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Hashes of trees. */
final class TreeHashTest {

  @Test
  void orderOfFields_hasNoMeaning() {
    Map<String, Object> ab = new LinkedHashMap<>();
    ab.put("a", 1);
    ab.put("b", List.of("x", "y"));
    Map<String, Object> ba = new LinkedHashMap<>();
    ba.put("b", List.of("x", "y"));
    ba.put("a", 1);

    assertThat(TreeHash.of(ab)).isEqualTo(TreeHash.of(ba));
  }

  @Test
  void anythingElse_hasAMeaning() {
    List<Object> trees =
        List.of(
            Map.of(),
            List.of(),
            "",
            "1",
            1,
            true,
            "true",
            List.of(List.of()),
            List.of("a", "b"),
            List.of("b", "a"),
            List.of("ab"),
            List.of("a", "b", ""),
            Map.of("a", "b"),
            Map.of("ab", ""),
            Map.of("a", List.of("b")),
            Map.of("a", Map.of("b", "")));

    assertThat(trees.stream().map(TreeHash::of).distinct().count()).isEqualTo(trees.size());
  }
}
