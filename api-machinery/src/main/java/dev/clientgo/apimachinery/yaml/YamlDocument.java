package dev.clientgo.apimachinery.yaml;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.util.HashMap;
import java.util.Map;

/**
 * One document of a YAML text, and where it is. Immutable.
 *
 * <pre>{@code
 * Pod pod = document.decode(Pod.CODEC);
 * }</pre>
 */
public final class YamlDocument {

  private final YamlParser parser;
  private final Position position;
  private final Object tree;

  YamlDocument(YamlParser parser, Position position, Object tree) {
    this.parser = parser;
    this.position = position;
    this.tree = tree;
  }

  /** Returns where the document begins. */
  public Position position() {
    return position;
  }

  /**
   * Returns the document as a tree: a string, boolean, number, or an unmodifiable map or list of
   * these, as {@link JsonReader#nextTree} reads them. Never null.
   */
  public Object tree() {
    return tree;
  }

  /**
   * Returns the document as an object of a type.
   *
   * @throws CodecException if it is not of the type; the error names the line of the wrong value
   */
  public <T> T decode(JsonCodec<T> codec) {
    try {
      return JsonReader.fromBytes(codec, JsonWriter.toBytes(JsonCodecs.TREE, tree));
    } catch (CodecException e) {
      throw CodecException.mismatch(locate(e.path()) + ": " + e.problem(), e.path(), -1, e);
    }
  }

  /** Reads the text once more, since only errors need the position of each value. */
  private Position locate(String pointer) {
    Map<String, Position> positions = new HashMap<>();
    new YamlParser(parser, positions).document(position.document());
    String place = pointer;
    while (!positions.containsKey(place) && !place.isEmpty()) {
      place = place.substring(0, place.lastIndexOf('/'));
    }
    return positions.getOrDefault(place, position);
  }

  /** Returns the position. The content, which may be secret, is not shown. */
  @Override
  public String toString() {
    return position.toString();
  }

  /**
   * A place in a YAML text.
   *
   * @param origin what the text is, such as the name of a file
   * @param document the number of the document in the text, from 1
   * @param line the line, from 1
   * @param column the column, from 1
   */
  public record Position(String origin, int document, int line, int column) {

    public Position {
      requireNonNull(origin, "origin");
    }

    /** Returns the position as errors show it: {@code all.yaml, line 7, column 3 (document 2)}. */
    @Override
    public String toString() {
      return origin + ", line " + line + ", column " + column + " (document " + document + ")";
    }
  }
}
