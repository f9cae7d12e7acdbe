package dev.clientgo.events.internal.recording;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NoteLimitTest {

  @ParameterizedTest
  @ValueSource(strings = {"x", "ü", "€", "😀"})
  void cut_endsBehindAWholeCharacter(String character) {
    int bytes = character.getBytes(UTF_8).length;
    String fits = character.repeat(1024 / bytes);
    String cut = NoteLimit.cut(fits + character);

    assertThat(NoteLimit.cut(fits)).isEqualTo(fits);
    assertThat(cut).endsWith(character + "...");
    assertThat(cut.getBytes(UTF_8).length).isBetween(1024 - 3, 1024);
    assertThat(new String(cut.getBytes(UTF_8), UTF_8)).isEqualTo(cut);
  }

  @Test
  void cut_ofMixedText_losesNoMoreThanNeeded() {
    String note = "a".repeat(1020) + "😀😀";

    assertThat(NoteLimit.cut(note)).isEqualTo("a".repeat(1020) + "...");
  }
}
