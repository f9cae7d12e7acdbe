package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** YAML, which an API server takes wherever it takes JSON. */
final class Yaml {

  private static final int MAX_CODE_POINTS = 64 << 20;

  private Yaml() {}

  /**
   * Returns a document as JSON.
   *
   * @throws YamlEngineException if it is not one document of YAML
   */
  static byte[] toJson(byte[] text) {
    LoadSettings settings =
        LoadSettings.builder()
            .setAllowDuplicateKeys(false)
            .setCodePointLimit(MAX_CODE_POINTS)
            .build();
    return Json.write(new Load(settings).loadFromString(new String(text, UTF_8)));
  }
}
