package dev.clientgo.apimachinery.labels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  @Test
  void page_parsedMatchedAndSent() {
    Map<String, String> labels = Map.of("app", "web", "tier", "cache");

    Selector selector = Selector.parse("app=web,tier in (cache,db),!canary");
    boolean selected = selector.matches(labels);
    ListOptions options = ListOptions.builder().labelSelector(selector.toString()).build();

    assertThat(selected).isTrue();
    assertThat(options.labelSelector()).isEqualTo("app=web,!canary,tier in (cache,db)");
  }
}
