package dev.clientgo.apimachinery.meta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.labels.Selector;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LabelSelectorTest {

  @Test
  void builder_edits_beginEmptyAndChangeCopies() {
    LabelSelector before =
        LabelSelector.of(s -> s.editMatchLabels(labels -> labels.put("app", "web")));

    LabelSelector after =
        before.with(
            s ->
                s.editMatchLabels(labels -> labels.put("tier", "front"))
                    .editMatchExpressions(all -> all.add(zone("a")))
                    .editMatchExpressions(all -> all.add(zone("b"))));

    assertThat(before).isEqualTo(LabelSelector.of(s -> s.matchLabels(Map.of("app", "web"))));
    assertThat(after.matchExpressions()).containsExactly(zone("a"), zone("b"));
    assertThat(Selector.of(after)).hasToString("app=web,tier=front,zone in (a),zone in (b)");
  }

  private static LabelSelectorRequirement zone(String name) {
    return LabelSelectorRequirement.of(
        r ->
            r.key("zone")
                .operator(LabelSelectorRequirement.IN)
                .values(List.of("other"))
                .editValues(zones -> zones.set(0, name)));
  }
}
