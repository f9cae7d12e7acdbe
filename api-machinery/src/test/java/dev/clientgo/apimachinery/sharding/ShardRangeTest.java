package dev.clientgo.apimachinery.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ShardRangeTest {

  private static final long HALF = 0x8000000000000000L;

  @Test
  void contains_isUnsigned() {
    ShardRange lower = new ShardRange(0, HALF);
    ShardRange upper = new ShardRange(HALF, 0);

    assertThat(lower.contains(0)).isTrue();
    assertThat(lower.contains(Long.MAX_VALUE)).isTrue();
    assertThat(lower.contains(HALF)).isFalse();
    assertThat(lower.contains(-1)).isFalse();
    assertThat(upper.contains(HALF)).isTrue();
    assertThat(upper.contains(-1)).isTrue();
    assertThat(upper.contains(Long.MAX_VALUE)).isFalse();
    assertThat(ShardRange.ALL.contains(-1)).isTrue();
    assertThat(ShardRange.ALL.contains(0)).isTrue();
  }

  @Test
  void range_withoutHashes_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ShardRange(HALF, HALF))
        .withMessage(
            "shard range start 0x8000000000000000 must be less than end 0x8000000000000000");
    assertThatIllegalArgumentException().isThrownBy(() -> new ShardRange(-1, 1));
  }

  /** Upstream: the splits that the documentation of metav1.ListOptions shows. */
  @Test
  void split_isInEqualParts() {
    assertThat(ShardRange.split(1)).containsExactly(ShardRange.ALL);
    assertThat(ShardRange.split(2))
        .containsExactly(new ShardRange(0, HALF), new ShardRange(HALF, 0));
    assertThat(ShardRange.split(4))
        .extracting(ShardRange::toString)
        .containsExactly(
            "[0x0000000000000000, 0x4000000000000000)",
            "[0x4000000000000000, 0x8000000000000000)",
            "[0x8000000000000000, 0xc000000000000000)",
            "[0xc000000000000000, 0x10000000000000000)");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 50, 64, 1000})
  void split_hasEachHashOnce(int count) {
    List<ShardRange> ranges = ShardRange.split(count);

    assertThat(ranges).hasSize(count);
    assertThat(ShardRange.merge(ranges)).containsExactly(ShardRange.ALL);
    for (int i = 1; i < count; i++) {
      assertThat(ranges.get(i).from()).isEqualTo(ranges.get(i - 1).to());
    }
    assertThat(ranges)
        .allSatisfy(
            range -> assertThat(range.share()).isBetween(0.999999 / count, 1.000001 / count));
  }

  @Test
  void split_intoNothing_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShardRange.split(0))
        .withMessageContaining("at least 1: 0");
  }

  @Test
  void merge_joinsRangesThatTouchOrOverlap() {
    ShardRange a = new ShardRange(0, 10);
    ShardRange b = new ShardRange(10, 20);
    ShardRange inside = new ShardRange(12, 15);
    ShardRange gap = new ShardRange(30, 40);
    ShardRange end = new ShardRange(35, 0);

    assertThat(ShardRange.merge(List.of(b, a))).containsExactly(new ShardRange(0, 20));
    assertThat(ShardRange.merge(List.of(inside, gap, b)))
        .containsExactly(new ShardRange(10, 20), new ShardRange(30, 40));
    assertThat(ShardRange.merge(List.of(end, gap))).containsExactly(new ShardRange(30, 0));
    assertThat(ShardRange.merge(List.of(end, new ShardRange(-9, -3)))).containsExactly(end);
    assertThat(ShardRange.merge(List.of())).isEmpty();
  }

  @Test
  void merge_ofAnyPartsOfAll_isAll() {
    long seed = 21;
    Random random = new Random(seed);
    for (int round = 0; round < 50; round++) {
      List<ShardRange> parts = new ArrayList<>(ShardRange.split(1 + random.nextInt(40)));
      Collections.shuffle(parts, random);

      assertThat(ShardRange.merge(parts)).as("seed " + seed).containsExactly(ShardRange.ALL);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0x0000000000000000, 0x10000000000000000, 1",
    "0x0000000000000000, 0x8000000000000000, 0.5",
    "0xc000000000000000, 0x10000000000000000, 0.25"
  })
  void parse_isTheTextOfTheBounds(String start, String end, double share) {
    ShardRange range = ShardRange.parse(start, end);

    assertThat(range.start()).isEqualTo(start);
    assertThat(range.end()).isEqualTo(end);
    assertThat(range.share()).isEqualTo(share);
  }

  /** Upstream: the errors of TestParse of sharding. */
  @ParameterizedTest
  @CsvSource({
    "0000000000000000, must be 0x and 16 lower-case hex digits",
    "0x, must be 0x and 16",
    "0x000000000000000000, must be 0x and 16",
    "0x0g, must be 0x and 16",
    "0x000000000000000A, must be 0x and 16",
    "0x20000000000000000, must not be above 0x10000000000000000",
    "0xff, did you mean \"0x00000000000000ff\"?",
  })
  void parse_ofAnotherForm_isRefused(String bound, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShardRange.parse(bound, "0x10000000000000000"))
        .withMessageContaining("the start of a shard range ")
        .withMessageContaining(message);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShardRange.parse("0x0000000000000000", bound))
        .withMessageContaining("the end of a shard range ")
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "0x8000000000000000, 0x8000000000000000",
    "0xffffffffffffffff, 0x0000000000000000",
    "0x0000000000000000, 0x0000000000000000",
    "0x10000000000000000, 0x10000000000000000"
  })
  void parse_ofNothing_isRefused(String start, String end) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShardRange.parse(start, end))
        .withMessage("shard range start " + start + " must be less than end " + end);
  }
}
