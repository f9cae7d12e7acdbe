package dev.clientgo.apimachinery.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class NameGeneratorTest {

  @Test
  void generate_prefix_getsFiveCharactersOfTheAlphabet() {
    assertThat(NameGenerator.generate("my-job-", new Random(1)))
        .matches("my-job-[bcdfghjklmnpqrstvwxz2456789]{5}");
  }

  /** Upstream: TestSimpleNameGenerator of the API server. */
  @Test
  void generate_longPrefix_isCut() {
    String prefix = "a".repeat(100);

    assertThat(NameGenerator.generate(prefix, new Random(1)))
        .hasSize(63)
        .startsWith("a".repeat(58));
  }

  @Test
  void suffix_ofManyCharacters_usesTheWholeAlphabet() {
    assertThat(NameGenerator.suffix(10_000, new Random(1)).chars().distinct().sorted())
        .containsExactly("2456789bcdfghjklmnpqrstvwxz".chars().boxed().toArray(Integer[]::new));
    assertThat(NameGenerator.suffix(0, new Random(1))).isEmpty();
  }
}
