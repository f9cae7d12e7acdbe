package dev.clientgo.apimachinery.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The examples in the documentation of the package. */
final class ExampleTest {

  @Test
  void page_half_isAskedFor() {
    List<ShardRange> halves = ShardRange.split(2);
    ShardSelector lower = ShardSelector.of(ShardField.UID, halves.get(0));
    ListOptions options = ListOptions.builder().shardSelector(lower).build();

    assertThat(options.toQuery(false))
        .containsEntry(
            "shardSelector",
            "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')");
  }

  @Test
  void selector_third_isTheFirstOfThree() {
    List<ShardRange> thirds = ShardRange.split(3);
    ShardSelector first = ShardSelector.of(ShardField.UID, thirds.get(0));

    assertThat(first.share()).isBetween(0.333333, 0.333334);
  }
}
