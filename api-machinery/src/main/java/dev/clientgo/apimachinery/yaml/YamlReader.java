package dev.clientgo.apimachinery.yaml;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonCodec;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads YAML, and with it JSON, as Kubernetes does.
 *
 * <pre>{@code
 * for (YamlDocument document : YamlReader.of("all.yaml").read(text)) {
 *   System.out.println(document.position() + ": " + document.tree());
 * }
 * }</pre>
 *
 * <ul>
 *   <li>A text may hold many documents, separated by {@code ---}. Documents without content are
 *       skipped, but counted.
 *   <li>Plain scalars are read as {@code sigs.k8s.io/yaml} reads them: {@code yes}, {@code on},
 *       {@code y} and their likes are booleans; {@code 0x1F}, {@code 0o17}, {@code 017} and {@code
 *       0b11} are whole numbers; {@code 1e3} is a number; {@code ~} is null; a date is a string.
 *   <li>A key that is a number or a boolean becomes its text; {@code <<} merges maps.
 *   <li>Aliases are resolved. A document may not have more than {@value #MAX_VALUES} values once
 *       they are, and not more than 500 levels.
 *   <li>Unlike kubectl, a key that is there twice in one map is an error, unless {@link
 *       #allowDuplicateKeys} is called.
 * </ul>
 *
 * <p>Each error is a {@link CodecException} that names the origin, line, column and the number of
 * the document. It never shows values, which may be secret. Immutable.
 */
public final class YamlReader {

  /** The bound of values in a document, aliases resolved: {@value}. */
  public static final int MAX_VALUES = 1_000_000;

  private final String origin;
  private final boolean duplicateKeys;

  private YamlReader(String origin, boolean duplicateKeys) {
    this.origin = requireNonNull(origin, "origin");
    this.duplicateKeys = duplicateKeys;
  }

  /**
   * Returns a reader.
   *
   * @param origin names the text in errors, such as the name of a file
   */
  public static YamlReader of(String origin) {
    return new YamlReader(origin, false);
  }

  /** Returns a reader that takes the last of equal keys, as kubectl does. */
  public YamlReader allowDuplicateKeys() {
    return new YamlReader(origin, true);
  }

  /**
   * Reads all documents that have content.
   *
   * @throws CodecException if the text is not YAML, or has something that JSON cannot express
   */
  public List<YamlDocument> read(String text) {
    return parser(text).documents();
  }

  /**
   * Reads all documents that have content as objects of one type. Lists of objects stay lists: a
   * codec of the list reads them.
   *
   * @throws CodecException if the text is not YAML, or a document is not of the type
   */
  public <T> List<T> read(String text, JsonCodec<T> codec) {
    List<T> objects = new ArrayList<>();
    read(text).forEach(document -> objects.add(document.decode(codec)));
    return objects;
  }

  YamlParser parser(String text) {
    return new YamlParser(origin, text, duplicateKeys);
  }
}
