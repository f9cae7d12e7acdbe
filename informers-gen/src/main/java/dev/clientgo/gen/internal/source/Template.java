package dev.clientgo.gen.internal.source;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Java with gaps: {@code ${fields}} takes the value that {@link #set} gave to that name, and {@code
 * ${JsonCodec}}, with a capital, names a class of the library or the JDK and imports it.
 *
 * <p>A gap alone on its line takes a block of lines, each indented like the gap. If the block is
 * empty, the line disappears, and with it a blank line before it. Every statement stands on one
 * line; {@link LineBreaker} breaks the long ones when the file is complete.
 */
public final class Template {

  private static final Pattern GAP = Pattern.compile("\\$\\{(\\w+)}");
  private static final Pattern BLOCK = Pattern.compile("( *)\\$\\{(\\w+)}");

  private final UnaryOperator<String> library;
  private final String text;
  private final Map<String, String> values = new HashMap<>();

  /** Creates a template; {@code library} imports a class and returns its name in the file. */
  Template(UnaryOperator<String> library, String text) {
    this.library = library;
    this.text = text;
  }

  /** Fills a gap. */
  public Template set(String name, String value) {
    values.put(name, value);
    return this;
  }

  /** Fills a gap with a line, or several, for each of several things. */
  public <T> Template lines(String name, Collection<T> things, Function<T, String> text) {
    return set(name, things.stream().map(text).collect(Collectors.joining("\n")));
  }

  /** Fills a gap with blocks of lines and blank lines between them, without empty blocks. */
  public <T> Template blocks(String name, Collection<T> things, Function<T, String> text) {
    return set(
        name,
        things.stream()
            .map(text)
            .filter(block -> !block.isEmpty())
            .collect(Collectors.joining("\n\n")));
  }

  /** Returns the text with all gaps filled and no line end behind the last line. */
  public String fill() {
    List<String> lines = new ArrayList<>();
    for (String line : text.stripTrailing().split("\n", -1)) {
      if (!line.contains("${")) {
        lines.add(line);
        continue;
      }
      Matcher block = BLOCK.matcher(line);
      if (!block.matches()) {
        Matcher gaps = GAP.matcher(line);
        lines.add(gaps.replaceAll(gap -> Matcher.quoteReplacement(value(gap.group(1)))));
        continue;
      }
      String value = value(block.group(2));
      if (!value.isEmpty()) {
        value.lines().forEach(each -> lines.add(each.isEmpty() ? "" : block.group(1) + each));
      } else if (!lines.isEmpty() && lines.get(lines.size() - 1).isEmpty()) {
        lines.remove(lines.size() - 1);
      }
    }
    return String.join("\n", lines);
  }

  private String value(String name) {
    String value = values.get(name);
    return value == null ? library.apply(name) : value;
  }
}
