package dev.clientgo.apimachinery.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ShardSelectorTest {

  private final PartialObjectMetadata object =
      new PartialObjectMetadata(
          "v1", "Pod", ObjectMeta.of(m -> m.uid("test-uid-123").namespace("test-namespace")));

  /** Upstream: TestHashField of sharding; the numbers are those of FNV-1a. */
  @ParameterizedTest
  @CsvSource({"'', 0xcbf29ce484222325", "a, 0xaf63dc4c8601ec8c", "foobar, 0x85944171f73967e8"})
  void hash_isFnv1a(String value, String hash) {
    assertThat(ShardRange.hash(value)).isEqualTo(hash);
  }

  /** Upstream: TestSelectorMatches of sharding. */
  @Test
  void matches_isByTheHashOfTheKey() {
    String hash = ShardRange.hash("test-uid-123");

    assertThat(ShardSelector.EVERYTHING.matches(object)).isTrue();
    assertThat(range(ShardRange.FIRST, ShardRange.LAST).matches(object)).isTrue();
    assertThat(range(hash, ShardRange.LAST).matches(object)).isTrue();
    assertThat(range(ShardRange.FIRST, hash).matches(object)).isFalse();
    assertThat(range("0xffffffffffffffff", ShardRange.LAST).matches(object)).isFalse();
    assertThat(range(ShardRange.FIRST, "0x0000000000000001").matches(object)).isFalse();
  }

  @Test
  void matches_ofSeveralRanges_isAnyOfThem() {
    String hash = ShardRange.hash("test-namespace");
    ShardRange below = new ShardRange(ShardRange.NAMESPACE, ShardRange.FIRST, hash);
    ShardRange above = new ShardRange(ShardRange.NAMESPACE, hash, ShardRange.LAST);

    assertThat(ShardSelector.of(below).matches(object)).isFalse();
    assertThat(ShardSelector.of(below, above).matches(object)).isTrue();
  }

  /** Upstream: TestSelectorEmpty of sharding. */
  @Test
  void isEmpty_withoutRanges() {
    assertThat(ShardSelector.EVERYTHING.isEmpty()).isTrue();
    assertThat(ShardSelector.of()).isEqualTo(ShardSelector.EVERYTHING).hasToString("");
    assertThat(range(ShardRange.FIRST, "0x8000000000000000").isEmpty()).isFalse();
  }

  /** Upstream: TestSelectorString of sharding. */
  @Test
  void toString_isTheFormThatIsSent() {
    assertThat(
            new ShardSelector(
                List.of(
                    new ShardRange(ShardRange.UID, ShardRange.FIRST, "0x4000000000000000"),
                    new ShardRange(ShardRange.UID, "0x8000000000000000", ShardRange.LAST))))
        .hasToString(
            "shardRange(object.metadata.uid, '0x0000000000000000', '0x4000000000000000') || "
                + "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0x00", "0x000000000000000G", "0x20000000000000000", "8"})
  void range_ofNoBound_isRefused(String bound) {
    assertThatIllegalArgumentException().isThrownBy(() -> range(ShardRange.FIRST, bound));
    assertThatIllegalArgumentException().isThrownBy(() -> range(bound, ShardRange.LAST));
  }

  @Test
  void selector_ofSeveralKeys_isRefused() {
    ShardRange uid = new ShardRange(ShardRange.UID, ShardRange.FIRST, ShardRange.LAST);
    ShardRange namespace = new ShardRange(ShardRange.NAMESPACE, ShardRange.FIRST, ShardRange.LAST);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShardSelector.of(uid, namespace))
        .withMessageContaining("inconsistent shard keys");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ShardRange("metadata.name", ShardRange.FIRST, ShardRange.LAST))
        .withMessageContaining("metadata.name");
  }

  private static ShardSelector range(String start, String end) {
    return ShardSelector.of(new ShardRange(ShardRange.UID, start, end));
  }
}
