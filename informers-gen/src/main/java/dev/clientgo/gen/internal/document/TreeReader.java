package dev.clientgo.gen.internal.document;

import dev.clientgo.gen.report.Report;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Parses YAML and JSON text into trees of {@link Node}. */
public final class TreeReader {

  /** Deeper documents are refused; the reader at run time has the same bound. */
  private static final int MAX_DEPTH = 500;

  /** Larger documents are refused: aliases can make a small text explode. */
  private static final int MAX_NODES = 5_000_000;

  private final String file;
  private final int firstLine;
  private int nodes;

  private TreeReader(String file, int firstLine) {
    this.file = file;
    this.firstLine = firstLine;
  }

  /** Reads one YAML document, whose text begins behind {@code firstLine} lines of the file. */
  static void yaml(
      String file,
      String text,
      int firstLine,
      Consumer<Node> roots,
      Consumer<Report.Problem> problems) {
    LoadSettings settings =
        LoadSettings.builder()
            .setSchema(new CoreSchema())
            .setCodePointLimit(Integer.MAX_VALUE)
            .setAllowDuplicateKeys(true)
            .build();
    TreeReader reader = new TreeReader(file, firstLine);
    try {
      new Composer(settings, new ParserImpl(settings, new StreamReader(settings, text)))
          .getSingleNode()
          .ifPresent(node -> roots.accept(reader.convert(node, null, "", 0)));
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + firstLine + 1).orElse(0);
      problems.accept(new Report.Problem(file, line, "", "is not valid YAML: " + e.getProblem()));
    } catch (YamlEngineException e) {
      problems.accept(
          new Report.Problem(
              file, firstLine + 1, "", "is not valid YAML: " + firstLine(e.getMessage())));
    } catch (InputException e) {
      problems.accept(e.problem());
    } catch (StackOverflowError e) { // Of the YAML library, which has no bound.
      problems.accept(
          new Report.Problem(file, firstLine + 1, "", "is nested deeper than " + MAX_DEPTH));
    }
  }

  private Node convert(
      org.snakeyaml.engine.v2.nodes.Node yaml, @Nullable Node parent, String step, int depth) {
    int line = yaml.getStartMark().map(Mark::getLine).orElse(0) + firstLine + 1;
    if (yaml instanceof ScalarNode scalar) {
      return node(scalarKind(scalar.getTag()), line, parent, step, scalar.getValue());
    }
    if (yaml instanceof SequenceNode sequence) {
      Node node = node(Node.Kind.ARRAY, line, parent, step, "");
      checkDepth(node, depth);
      for (org.snakeyaml.engine.v2.nodes.Node item : sequence.getValue()) {
        node.add(convert(item, node, "[" + node.items().size() + "]", depth + 1));
      }
      return node;
    }
    Node node = node(Node.Kind.OBJECT, line, parent, step, "");
    checkDepth(node, depth);
    for (NodeTuple tuple : ((MappingNode) yaml).getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        throw node.error("has a key that is not a string");
      }
      String name = key.getValue();
      node.put(name, convert(tuple.getValueNode(), node, step(name), depth + 1));
    }
    return node;
  }

  private static Node.Kind scalarKind(Tag tag) {
    if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
      return Node.Kind.NUMBER;
    }
    if (tag.equals(Tag.BOOL)) {
      return Node.Kind.BOOLEAN;
    }
    return tag.equals(Tag.NULL) ? Node.Kind.NULL : Node.Kind.STRING;
  }

  /** Reads all JSON documents of a text. */
  public static void json(
      String file, String text, Consumer<Node> roots, Consumer<Report.Problem> problems) {
    TreeReader reader = new TreeReader(file, 0);
    try (JsonParser parser =
        JsonFactory.builder().build().createParser(ObjectReadContext.empty(), text)) {
      while (parser.nextToken() != null) {
        roots.accept(reader.convert(parser, null, "", 0));
      }
    } catch (JacksonException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      problems.accept(
          new Report.Problem(
              file, line, "", "is not valid JSON: " + firstLine(e.getOriginalMessage())));
    } catch (InputException e) {
      problems.accept(e.problem());
    }
  }

  private Node convert(JsonParser parser, @Nullable Node parent, String step, int depth) {
    int line = parser.currentTokenLocation().getLineNr();
    JsonToken token = parser.currentToken();
    switch (token) {
      case START_ARRAY -> {
        Node node = node(Node.Kind.ARRAY, line, parent, step, "");
        checkDepth(node, depth);
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          node.add(convert(parser, node, "[" + node.items().size() + "]", depth + 1));
        }
        return node;
      }
      case START_OBJECT -> {
        Node node = node(Node.Kind.OBJECT, line, parent, step, "");
        checkDepth(node, depth);
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.getString();
          parser.nextToken();
          node.put(name, convert(parser, node, step(name), depth + 1));
        }
        return node;
      }
      default -> {
        Node.Kind kind =
            switch (token) {
              case VALUE_STRING -> Node.Kind.STRING;
              case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Node.Kind.NUMBER;
              case VALUE_TRUE, VALUE_FALSE -> Node.Kind.BOOLEAN;
              default -> Node.Kind.NULL;
            };
        return node(kind, line, parent, step, parser.getString());
      }
    }
  }

  private Node node(Node.Kind kind, int line, @Nullable Node parent, String step, String text) {
    Node node = new Node(kind, file, line, parent, step, text);
    if (++nodes > MAX_NODES) {
      throw node.error("the document has more than " + MAX_NODES + " values");
    }
    return node;
  }

  private static void checkDepth(Node node, int depth) {
    if (depth > MAX_DEPTH) {
      throw node.error("is nested deeper than " + MAX_DEPTH);
    }
  }

  private static String step(String name) {
    return name.matches("[A-Za-z_$][A-Za-z0-9_$-]*")
        ? "." + name
        : "[" + JsonText.quote(name) + "]";
  }

  private static String firstLine(@Nullable String text) {
    return text == null ? "" : text.lines().findFirst().orElse("");
  }
}
