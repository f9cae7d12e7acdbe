package dev.clientgo.apimachinery.yaml;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes KYAML as {@code kubectl get -o kyaml} prints it: YAML whose structure does not depend on
 * white space, and in which no string can be taken for something else. Maps have braces, lists have
 * brackets, strings have quotes; keys have quotes only where they must.
 *
 * <pre>{@code
 * System.out.print(KyamlWriter.format(Pod.CODEC, pod));
 * }</pre>
 *
 * <p>Any reader of YAML reads it, {@link YamlReader} too. Unlike kubectl, numbers that a double
 * cannot hold keep their digits, U+2028 and U+2029 are written with their number, and a line that
 * begins with a no-break space is read back as it was.
 *
 * <p>Corresponds to {@code sigs.k8s.io/yaml/kyaml.Encoder}.
 */
public final class KyamlWriter {

  /** Keys that no reader takes for something other than a string, if they are no scalar. */
  private static final Pattern PLAIN_KEY =
      Pattern.compile("[\\p{L}\\p{N}_]([\\p{L}\\p{N}_./-]*[\\p{L}\\p{N}_])?");

  /** Keys that Go takes for booleans, and words in any case that YAML 1.1 does not know. */
  private static final Pattern WORD =
      Pattern.compile("(?i:null|true|y|yes|on|false|n|no|off|t|f|[-+]?(inf|infinity)|nan)");

  private static final String FOLD = "\\\n";

  private final StringBuilder out = new StringBuilder("---\n");

  private KyamlWriter() {}

  /**
   * Writes one document.
   *
   * @param tree a map, list, string, boolean or number, or maps and lists of these and null, such
   *     as {@link YamlDocument#tree}
   * @throws IllegalArgumentException if there is a value that JSON does not know
   */
  public static String format(Object tree) {
    KyamlWriter writer = new KyamlWriter();
    writer.node(requireNonNull(tree, "tree"), 0);
    return writer.out.append('\n').toString();
  }

  /** Writes one object as one document. */
  public static <T> String format(JsonCodec<T> codec, T object) {
    byte[] json = JsonWriter.toBytes(codec, object);
    return format(JsonReader.fromBytes(JsonCodecs.TREE, json));
  }

  private void node(@Nullable Object value, int level) {
    if (value instanceof Map<?, ?> map) {
      map(map, level);
    } else if (value instanceof List<?> list) {
      list(list, level);
    } else if (value instanceof String text) {
      string(text, level + 1);
    } else if (value instanceof Number number) {
      out.append(GoNumbers.formatJson(number));
    } else if (value == null || value instanceof Boolean) {
      out.append(value);
    } else {
      throw new IllegalArgumentException("JSON has no value of " + value.getClass());
    }
  }

  private void map(Map<?, ?> map, int level) {
    Map<String, @Nullable Object> sorted = new TreeMap<>();
    map.forEach((key, value) -> sorted.put((String) key, value));
    out.append('{');
    sorted.forEach(
        (key, value) -> {
          line(level + 1);
          key(key);
          out.append(": ");
          node(value, level + 1);
          out.append(',');
        });
    if (!map.isEmpty()) {
      line(level);
    }
    out.append('}');
  }

  /** The brackets of a list of maps or lists stand beside those of its elements. */
  private void list(List<?> list, int level) {
    boolean cuddled =
        list.stream().allMatch(element -> element instanceof Map || element instanceof List);
    out.append('[');
    String separator = "";
    for (Object element : list) {
      if (cuddled) {
        out.append(separator);
        node(element, level);
        separator = ", ";
      } else {
        line(level + 1);
        node(element, level + 1);
        out.append(',');
      }
    }
    if (!cuddled) {
      line(level);
    }
    out.append(']');
  }

  private void line(int level) {
    out.append('\n').append("  ".repeat(level));
  }

  private void key(String key) {
    boolean plain =
        PLAIN_KEY.matcher(key).matches()
            && !WORD.matcher(key).matches()
            && !Scalars.needsQuotes(key);
    if (plain) {
      out.append(key);
    } else {
      out.append('"');
      key.codePoints().forEach(character -> character(character, "\\t"));
      out.append('"');
    }
  }

  /** A text of several lines has a line for each, folded by the backslash at its end. */
  private void string(String text, int level) {
    boolean lines = text.indexOf('\n') >= 0;
    boolean lineBegins = lines;
    out.append('"').append(lines ? FOLD : "");
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      int character = text.codePointAt(i);
      if (lineBegins) {
        // White space would be dropped if it were not escaped.
        boolean space = character == ' ' || character == '\t';
        out.append("  ".repeat(level)).append(space ? '\\' : ' ');
      }
      character(character, "\t");
      lineBegins = character == '\n';
      out.append(lineBegins ? FOLD : "");
    }
    if (lines) {
      out.append(lineBegins ? "" : FOLD).append("  ".repeat(level));
    }
    out.append('"');
  }

  private void character(int character, String tab) {
    if (character == '\t') {
      out.append(tab);
    } else if (isPrinted(character) && character != '"' && character != '\\') {
      out.appendCodePoint(character);
    } else {
      String escaped = ScalarWriter.escaped(character);
      String code = escaped.substring(2); // Of a character without a letter of its own.
      out.append(escaped, 0, 2).append(code.toLowerCase(Locale.ROOT));
    }
  }

  /** As Go's {@code unicode.IsPrint}. */
  private static boolean isPrinted(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> character == ' ';
      default -> true;
    };
  }
}
