package dev.clientgo.envtest.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.yaml.YamlDocument;
import dev.clientgo.apimachinery.yaml.YamlReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads YAML, which an API server accepts instead of JSON. Of duplicate keys, the last one counts.
 */
public final class YamlText {

  private static final int MAX_CODE_POINTS = 64 << 20;
  private static final LoadSettings SETTINGS =
      LoadSettings.builder()
          .setAllowDuplicateKeys(true)
          .setCodePointLimit(MAX_CODE_POINTS)
          .setMaxAliasesForCollections(Integer.MAX_VALUE) // toJson has counted what they stand for.
          .build();

  private YamlText() {}

  /**
   * Converts a document to JSON.
   *
   * @throws CodecException if the text is not YAML, or has more than one document
   */
  public static byte[] toJson(byte[] text) {
    List<YamlDocument> documents =
        YamlReader.of("the body").allowDuplicateKeys().read(new String(text, UTF_8));
    if (documents.size() > 1) {
      throw CodecException.malformed("expected a single document in the stream", "", -1, null);
    }
    return JsonText.write(documents.isEmpty() ? null : documents.get(0).tree());
  }

  /** Returns Go's error about duplicate keys, if there are any, of a text that is valid. */
  public static Optional<String> duplicates(byte[] text) {
    List<String> lines = new ArrayList<>();
    StreamReader in = new StreamReader(SETTINGS, new String(text, UTF_8));
    new Composer(SETTINGS, new ParserImpl(SETTINGS, in))
        .getSingleNode()
        .ifPresent(root -> collectDuplicates(root, lines));
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.of("yaml: unmarshal errors:\n  " + String.join("\n  ", lines));
  }

  private static void collectDuplicates(Node node, List<String> lines) {
    if (node instanceof SequenceNode list) {
      list.getValue().forEach(element -> collectDuplicates(element, lines));
    }
    if (node instanceof MappingNode map) {
      Set<String> seen = new HashSet<>();
      for (NodeTuple field : map.getValue()) {
        collectDuplicates(field.getValueNode(), lines);
        if (field.getKeyNode() instanceof ScalarNode key && !seen.add(key.getValue())) {
          int line = key.getStartMark().orElseThrow().getLine() + 1;
          lines.add("line " + line + ": key \"" + key.getValue() + "\" already set in map");
        }
      }
    }
  }
}
