package dev.clientgo.apimachinery.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  @Test
  void page_half_isAskedFor() {
    ShardSelector lower =
        ShardSelector.of(new ShardRange(ShardRange.UID, ShardRange.FIRST, "0x8000000000000000"));
    ListOptions options = ListOptions.builder().shardSelector(lower.toString()).build();

    assertThat(options.toQuery(false)).containsEntry("shardSelector", lower.toString());
  }
}
