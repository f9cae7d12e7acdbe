package dev.clientgo.gen.internal.source;

import java.util.ArrayList;
import java.util.List;

/** Breaks lines of more than a hundred columns the way google-java-format breaks them. */
final class LineBreaker {

  private static final int WIDTH = 100;

  private final StringBuilder out = new StringBuilder();

  private LineBreaker() {}

  /** Returns a text without the long lines that can be broken; every line has its end. */
  static String fit(String text) {
    LineBreaker breaker = new LineBreaker();
    text.lines()
        .forEach(
            line -> {
              String code = line.stripLeading();
              breaker.fit(line.length() - code.length(), code);
            });
    return breaker.out.toString();
  }

  private void fit(int indent, String code) {
    if (indent + code.length() <= WIDTH) {
      put(indent, code);
    } else if (code.startsWith("/** ")) {
      put(indent, "/**");
      fit(indent + 1, "* " + code.substring(4, code.length() - 3));
      put(indent, " */");
    } else if (code.startsWith("* ")) {
      comment(indent, code.substring(2));
    } else if (code.startsWith("case ") && find(code, " -> ") > 0) {
      breakAt(indent, code, find(code, " -> ") + 3);
    } else if (find(code, " implements ") > 0) {
      breakAt(indent, code, find(code, " implements "));
    } else if (find(code, " = ") > 0) {
      breakAt(indent, code, find(code, " = ") + 2);
    } else if (find(code, " ? ") > 0) {
      int yes = find(code, " ? ");
      int no = find(code, " : ");
      put(indent, code.substring(0, yes));
      put(indent + 4, code.substring(yes + 1, no));
      put(indent + 4, code.substring(no + 1));
    } else if (find(code, ").") > 0) {
      breakAt(indent, code, find(code, ").") + 1);
    } else {
      call(indent, code);
    }
  }

  /** Puts the rest of a line that is too long on a separate line. */
  private void breakAt(int indent, String code, int at) {
    fit(indent, code.substring(0, at));
    fit(indent + 4, code.substring(at).stripLeading());
  }

  /** Breaks {@code head(arguments)tail} before the arguments, and between them if need be. */
  private void call(int indent, String code) {
    int open = code.indexOf('(');
    int close = open < 0 ? -1 : close(code, open);
    if (close < 0 || !Character.isJavaIdentifierPart(code.charAt(open - 1))) {
      put(indent, code);
      return;
    }
    int name = code.endsWith(" {") ? code.lastIndexOf(' ', open) : -1;
    if (name > 0 && (close == open + 1 || indent + open + 1 > WIDTH)) {
      put(indent, code.substring(0, name));
      fit(indent + 4, code.substring(name + 1));
      return;
    }
    if (close == open + 1) {
      put(indent, code);
      return;
    }
    put(indent, code.substring(0, open + 1));
    if (indent + 4 + code.length() - open - 1 <= WIDTH) {
      put(indent + 4, code.substring(open + 1));
      return;
    }
    List<String> arguments = arguments(code.substring(open + 1, close));
    for (int i = 0; i < arguments.size(); i++) {
      boolean last = i == arguments.size() - 1;
      put(indent + 4, arguments.get(i) + (last ? code.substring(close) : ","));
    }
  }

  private static List<String> arguments(String text) {
    List<String> arguments = new ArrayList<>();
    String rest = text;
    for (int comma = find(rest, ", "); comma >= 0; comma = find(rest, ", ")) {
      arguments.add(rest.substring(0, comma));
      rest = rest.substring(comma + 2);
    }
    arguments.add(rest);
    return arguments;
  }

  /** Returns where a text first stands outside of literals, parentheses and type arguments. */
  private static int find(String code, String text) {
    int depth = 0;
    for (int i = 0; i < code.length(); i++) {
      char c = code.charAt(i);
      if (c == ')' || (c == '>' && code.charAt(i - 1) != '-')) {
        depth--;
      }
      if (depth == 0 && code.startsWith(text, i)) {
        return i;
      }
      if (c == '(' || c == '<') {
        depth++;
      } else if (c == '"') {
        i = endOfLiteral(code, i);
      }
    }
    return -1;
  }

  private static int close(String code, int open) {
    int found = find(code.substring(open), ")");
    return found < 0 ? -1 : open + found;
  }

  private static int endOfLiteral(String code, int from) {
    int i = from + 1;
    while (code.charAt(i) != '"') {
      i += code.charAt(i) == '\\' ? 2 : 1;
    }
    return i;
  }

  /** Breaks a line of Javadoc between words; a tag's further lines are indented. */
  private void comment(int indent, String text) {
    String indentation = text.startsWith("@") ? "    " : "";
    StringBuilder line = new StringBuilder("*");
    for (String word : text.split(" ", -1)) {
      if (line.length() > indentation.length() + 1
          && indent + line.length() + 1 + word.length() > WIDTH) {
        put(indent, line.toString());
        line.setLength(0);
        line.append("*").append(indentation);
      }
      line.append(' ').append(word);
    }
    put(indent, line.toString());
  }

  private void put(int indent, String code) {
    out.append(code.isEmpty() ? "" : " ".repeat(indent)).append(code).append('\n');
  }
}
