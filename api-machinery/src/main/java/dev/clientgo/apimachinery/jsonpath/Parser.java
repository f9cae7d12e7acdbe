package dev.clientgo.apimachinery.jsonpath;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses a template from left to right. */
final class Parser {

  /** The largest number of digits. */
  private static final int MAX_DIGITS = 1000;

  /** The deepest nesting of filters and unions. */
  private static final int MAX_DEPTH = 50;

  private static final Pattern SLICE = Pattern.compile("(-?\\d*)(?::(-?\\d*))?(?::(-?\\d*))?");
  private static final Pattern CONDITION =
      Pattern.compile("([^!<>=]+)([!<>=]+)(.+)", Pattern.DOTALL);
  private static final Pattern NUMBER = Pattern.compile("[-+]?\\d+(\\.\\d+)?([eE][-+]?\\d+)?");

  private final String text;
  private final int depth;
  private int at;

  private Parser(String text, int depth) {
    this.text = text;
    this.depth = depth;
    if (depth > MAX_DEPTH) {
      throw new JsonPathException("filters and unions are nested deeper than " + MAX_DEPTH);
    }
  }

  private record OpenRange(Node.Path over, List<Node> body) {}

  /** Parses text with paths in braces. */
  static List<Node> template(String text) {
    List<Node> nodes = new ArrayList<>();
    Deque<OpenRange> ranges = new ArrayDeque<>();
    Parser parser = new Parser(text, 0);
    while (parser.at < text.length()) {
      List<Node> target = ranges.isEmpty() ? nodes : ranges.getLast().body;
      int brace = text.indexOf('{', parser.at);
      if (brace != parser.at) {
        int end = brace < 0 ? text.length() : brace;
        target.add(new Node.Text(text.substring(parser.at, end)));
        parser.at = end;
        continue;
      }
      parser.at++;
      parser.skipSpace();
      String word = parser.word();
      switch (word) {
        case "range" -> ranges.add(new OpenRange(parser.path('}'), new ArrayList<>()));
        case "end" -> {
          parser.path('}');
          if (ranges.isEmpty()) {
            throw new JsonPathException("not in range, nothing to end");
          }
          OpenRange range = ranges.removeLast();
          (ranges.isEmpty() ? nodes : ranges.getLast().body)
              .add(new Node.Range(range.over, range.body));
        }
        case "", "true", "false" -> {
          parser.at -= word.length();
          target.add(parser.path('}'));
        }
        default -> throw new JsonPathException("unrecognized identifier " + word);
      }
    }
    if (!ranges.isEmpty()) {
      throw new JsonPathException("range without end");
    }
    return nodes;
  }

  /** Parses a text that is one path. */
  private static Node.Path wholePath(String text, int depth) {
    return new Parser(text, depth).path('\0');
  }

  /** Parses steps up to the closing character, or up to the end of the text if that is NUL. */
  private Node.Path path(char close) {
    List<Node.Step> steps = new ArrayList<>();
    while (at < text.length() && text.charAt(at) != close) {
      char c = text.charAt(at);
      if (c == '\n' || c == '\r') {
        throw unexpected(c);
      } else if (c == ' ' || c == '\t' || c == '@') {
        at++; // @ is the current value.
      } else if (c == '$') {
        at++;
        steps.add(new Node.Root());
      } else if (c == '.') {
        dot(steps);
      } else if (c == '[') {
        steps.add(bracket());
      } else if (c == '"' || c == '\'') {
        steps.add(new Node.Literal(quoted(c)));
      } else if (c == '-' || c == '+' || Character.isDigit(c)) {
        steps.add(new Node.Literal(number()));
      } else if (Character.isLetter(c)) {
        steps.add(new Node.Literal(bool()));
      } else {
        throw unexpected(c);
      }
    }
    if (close != '\0') {
      if (at == text.length()) {
        throw new JsonPathException("unclosed action");
      }
      at++;
    }
    return new Node.Path(List.copyOf(steps));
  }

  private JsonPathException unexpected(char c) {
    return new JsonPathException(
        "unrecognized character in action: %s at %s".formatted(printable(c), at));
  }

  private static String printable(char c) {
    return c > ' ' && c < 127 ? "'" + c + "'" : "U+%04X".formatted((int) c);
  }

  private void skipSpace() {
    while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
  }

  private String word() {
    int from = at;
    while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
      if (at == from && Character.isDigit(text.charAt(at))) {
        break;
      }
      at++;
    }
    return text.substring(from, at);
  }

  private void dot(List<Node.Step> steps) {
    at++;
    if (at < text.length() && text.charAt(at) == '.') {
      if (!steps.isEmpty() && steps.get(steps.size() - 1) instanceof Node.Descent) {
        throw new JsonPathException("invalid multiple recursive descent");
      }
      at++;
      steps.add(new Node.Descent());
      if (at == text.length() || ends(text.charAt(at))) {
        return; // The next step, if any, begins with its own dot or bracket.
      }
    }
    if (at < text.length() && text.charAt(at) == '*') {
      at++;
      steps.add(new Node.Wildcard());
      return;
    }
    String name = fieldName();
    // A lone dot is the current value. Unlike client-go, where {.} prints nothing.
    if (!name.isEmpty()) {
      steps.add(new Node.Field(name));
    }
  }

  private String fieldName() {
    StringBuilder name = new StringBuilder();
    while (at < text.length() && !ends(text.charAt(at))) {
      char c = text.charAt(at++);
      if (c == '\\' && at < text.length()) {
        c = text.charAt(at++);
      }
      name.append(c);
    }
    return name.toString();
  }

  private static boolean ends(char c) {
    return " \t\r\n.,[]$@{}()=!<>".indexOf(c) >= 0;
  }

  /** Parses the content of brackets: keys, indexes, slices, unions of them, a filter, or a star. */
  private Node.Step bracket() {
    at++;
    if (text.startsWith("?(", at)) {
      at += 2;
      String condition = upTo(')', "unterminated filter");
      if (at == text.length() || text.charAt(at) != ']') {
        throw new JsonPathException("unclosed array expect ]");
      }
      at++;
      return filter(condition);
    }
    String inside = upTo(']', "unterminated array");
    if (inside.equals("*")) {
      return new Node.Wildcard();
    }
    List<String> parts = split(inside);
    if (parts.size() == 1) {
      return element(parts.get(0).strip());
    }
    List<Node.Path> paths = new ArrayList<>();
    for (String part : parts) {
      paths.add(wholePath("[" + part.strip() + "]", depth + 1));
    }
    return new Node.Union(List.copyOf(paths));
  }

  private Node.Step element(String part) {
    if (part.length() >= 2 && part.startsWith("'") && part.endsWith("'")) {
      // A key is itself a path: ['metadata.name'] is two steps.
      Node.Path path = wholePath("." + part.substring(1, part.length() - 1), depth + 1);
      return path.steps().size() == 1 ? path.steps().get(0) : new Node.Union(List.of(path));
    }
    Matcher slice = SLICE.matcher(part.isEmpty() ? "0" : part); // [] is [0] upstream
    if (!slice.matches()) {
      throw new JsonPathException("invalid array index " + part);
    }
    @Nullable Integer start = bound(slice.group(1));
    if (slice.group(2) == null) {
      if (start == null) {
        throw new JsonPathException("invalid array index " + part);
      }
      return new Node.Index(start);
    }
    @Nullable Integer step = bound(slice.group(3));
    if (step != null && step <= 0) {
      throw new JsonPathException("step must be > 0");
    }
    return new Node.Slice(start, bound(slice.group(2)), step == null ? 1 : step);
  }

  private static @Nullable Integer bound(@Nullable String number) {
    if (number == null || number.isEmpty()) {
      return null;
    }
    try {
      return Integer.valueOf(number);
    } catch (NumberFormatException e) {
      throw new JsonPathException("array index " + number + " is not a number");
    }
  }

  private Node.Step filter(String condition) {
    Matcher matcher = CONDITION.matcher(condition);
    if (!matcher.matches()) {
      return new Node.Filter(
          wholePath(condition, depth + 1), Node.Operator.EXISTS, new Node.Path(List.of()));
    }
    for (Node.Operator operator : Node.Operator.values()) {
      if (operator.text.equals(matcher.group(2))) {
        return new Node.Filter(
            wholePath(matcher.group(1), depth + 1),
            operator,
            wholePath(matcher.group(3), depth + 1));
      }
    }
    throw new JsonPathException("unrecognized filter operator " + matcher.group(2));
  }

  /** Reads up to the closing bracket, over quoted, escaped and inner brackets. */
  private String upTo(char close, String unterminated) {
    char open = close == ')' ? '(' : '[';
    int from = at;
    int nesting = 0;
    for (; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '\\') {
        at++;
      } else if (c == '\'' || c == '"') {
        quoted(c);
        at--;
      } else if (c == open) {
        nesting++;
      } else if (c == close && nesting-- == 0) {
        return text.substring(from, at++);
      }
    }
    at = text.length();
    throw new JsonPathException(unterminated);
  }

  private static List<String> split(String list) {
    List<String> parts = new ArrayList<>();
    int from = 0;
    char quote = 0;
    for (int i = 0; i < list.length(); i++) {
      char c = list.charAt(i);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == ',') {
        parts.add(list.substring(from, i));
        from = i + 1;
      }
    }
    parts.add(list.substring(from));
    return parts;
  }

  private String quoted(char quote) {
    StringBuilder value = new StringBuilder();
    for (at++; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == quote) {
        at++;
        return value.toString();
      }
      if (c == '\\' && at + 1 < text.length()) {
        c = text.charAt(++at);
        c =
            switch (c) {
              case 'n' -> '\n';
              case 't' -> '\t';
              case 'r' -> '\r';
              default -> c;
            };
      }
      value.append(c);
    }
    throw new JsonPathException("unterminated quoted string");
  }

  private BigDecimal number() {
    Matcher matcher = NUMBER.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) {
      throw new JsonPathException("cannot parse number " + text.substring(at));
    }
    at = matcher.end();
    String number = matcher.group();
    try {
      BigDecimal value = new BigDecimal(number.length() <= MAX_DIGITS ? number : "too long");
      if (Math.abs(value.scale()) <= MAX_DIGITS) {
        return value;
      }
    } catch (NumberFormatException e) {
      // The exponent is out of range.
    }
    throw new JsonPathException("number out of range");
  }

  private Boolean bool() {
    String word = word();
    return switch (word) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new JsonPathException("unrecognized identifier " + word);
    };
  }
}
