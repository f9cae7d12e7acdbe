package dev.clientgo.apimachinery.json.internal.intern;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class SeenHashesTest {

  private final SeenHashes seenHashes = new SeenHashes();

  /** Counts those of so many hashes that are known, when the seed makes the same ones again. */
  private int known(int hashes, long seed) {
    Random random = new Random(seed);
    int known = 0;
    for (int i = 0; i < hashes; i++) {
      known += seenHashes.isKnown(random.nextInt()) ? 1 : 0;
    }
    return known;
  }

  @Test
  void isKnown_whatCameBefore_andNothingElse() {
    assertThat(known(1_000, 1)).isLessThan(3);
    assertThat(known(1_000, 2)).isLessThan(3);

    assertThat(known(1_000, 1)).isGreaterThan(500);
  }

  @Test
  void isKnown_whileItGrows_forgetsTheLesserPart() {
    assertThat(known(20_000, 1)).isLessThan(10);

    assertThat(known(20_000, 1)).isGreaterThan(12_000);
  }

  @Test
  void isKnown_moreThanItCanHold_forgetsTheOldest() {
    assertThat(known(1_000_000, 1)).isLessThan(100);
    assertThat(known(10_000, 2)).isLessThan(10);

    assertThat(known(10_000, 2)).isGreaterThan(8_000);
    assertThat(known(10_000, 1)).isLessThan(100);
  }
}
