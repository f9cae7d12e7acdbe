package dev.clientgo.liveview;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * A text of the page in its two languages.
 *
 * @param en the English text
 * @param zh the Chinese text
 */
public record Text(String en, String zh) {

  /** Checks that both are there. */
  public Text {
    requireNonNull(en, "en");
    requireNonNull(zh, "zh");
  }

  Map<String, Object> tree() {
    return Map.of("en", en, "zh", zh);
  }
}
