package dev.clientgo.rest.kubeconfig;

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

/** Reads and writes YAML, and with it JSON. */
final class Yaml {

  private static final int MAX_CODE_POINTS = 64 << 20;

  private Yaml() {}

  /**
   * Reads one document; what follows it is ignored, and of a field that is there twice the last one
   * counts, as kubectl has it.
   *
   * @param origin what it is, for errors
   * @return maps, lists, strings, numbers, booleans; null for an empty document
   * @throws ConfigException if it is not YAML; the text itself, which may hold secrets, is not
   *     shown
   */
  static @Nullable Object parse(String text, String origin) {
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
          origin + position(e.getProblemMark()) + ": " + e.getProblem() + ": mend the YAML there");
    } catch (YamlEngineException e) {
      throw new ConfigException(origin + " is not a YAML document");
    }
  }

  private static String position(Optional<Mark> mark) {
    return mark.map(at -> ", line " + (at.getLine() + 1) + ", column " + (at.getColumn() + 1))
        .orElse("");
  }

  /** Writes one document. */
  static String format(Map<String, ?> document) {
    DumpSettings settings =
        DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setWidth(Integer.MAX_VALUE)
            .setDereferenceAliases(true)
            .build();
    return new Dump(settings).dumpToString(document);
  }
}
