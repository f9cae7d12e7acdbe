package dev.clientgo.apimachinery.serializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.Set;
import org.junit.jupiter.api.Test;

final class OpenEnumTest {

  @Test
  void is_comparesWithTheTextOfTheValue() {
    assertThat(Phase.RUNNING.is("Running")).isTrue();
    assertThat(Phase.RUNNING.is("running")).isFalse();
    assertThat(Phase.of("Paused").is("Paused")).isTrue();
    assertThatNullPointerException().isThrownBy(() -> Phase.RUNNING.is(null)).withMessage("text");
  }

  /** A comparison with a text never fails silently. */
  @Test
  void equals_withText_comparesWithTheTextOfTheValue() {
    assertThat(Phase.RUNNING.equals("Running")).isTrue();
    assertThat(Phase.of("Paused").equals("Paused")).isTrue();
    assertThat(Phase.RUNNING.equals("Pending")).isFalse();
    assertThat(Phase.RUNNING.equals((String) null)).isFalse();
  }

  @Test
  void equals_withValues_comparesTypeAndText() {
    assertThat(Phase.of("Running")).isSameAs(Phase.RUNNING);
    assertThat(Phase.of("Paused")).isEqualTo(Phase.of("Paused")).isNotEqualTo(Phase.RUNNING);
    assertThat((Object) Phase.of("Same")).isNotEqualTo(Policy.of("Same"));
    assertThat(Set.of(Phase.of("Paused"))).contains(Phase.of("Paused"));
  }

  private static final class Phase extends OpenEnum {
    static final Phase RUNNING = new Phase("Running");

    private Phase(String value) {
      super(value);
    }

    static Phase of(String value) {
      return value.equals("Running") ? RUNNING : new Phase(value);
    }
  }

  private static final class Policy extends OpenEnum {
    private Policy(String value) {
      super(value);
    }

    static Policy of(String value) {
      return new Policy(value);
    }
  }
}
