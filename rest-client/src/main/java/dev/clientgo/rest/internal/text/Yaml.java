package dev.clientgo.rest.internal.text;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads and writes YAML, which includes JSON. */
public final class Yaml {

  private static final int MAX_CODE_POINTS = 64 << 20;

  private Yaml() {}

  /**
   * Reads the first document of a text. Of duplicate fields, the last one counts, as in kubectl.
   *
   * @param origin the name of the text, for errors
   * @return maps, lists, strings, numbers, booleans; null for an empty document
   * @throws ConfigException if it is not YAML; the message does not show the text, which may
   *     contain secrets
   */
  public static @Nullable Object parse(String text, String origin) {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(origin)
            .setAllowDuplicateKeys(true)
            .setCodePointLimit(MAX_CODE_POINTS)
            .build();
    try {
      Iterator<Object> documents = new Load(settings).loadAllFromString(text).iterator();
      return documents.hasNext() ? documents.next() : null;
    } catch (MarkedYamlEngineException e) {
      throw new ConfigException(
          origin + position(e.getProblemMark()) + ": " + e.getProblem() + ": fix the YAML there");
    } catch (YamlEngineException e) {
      throw new ConfigException(origin + " is not a YAML document");
    }
  }

  private static String position(Optional<Mark> mark) {
    return mark.map(at -> ", line " + (at.getLine() + 1) + ", column " + (at.getColumn() + 1))
        .orElse("");
  }

  /** Writes one document. */
  public static String format(Map<String, ?> document) {
    DumpSettings settings =
        DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setWidth(Integer.MAX_VALUE)
            .setDereferenceAliases(true)
            .build();
    return new Dump(settings).dumpToString(document);
  }
}
