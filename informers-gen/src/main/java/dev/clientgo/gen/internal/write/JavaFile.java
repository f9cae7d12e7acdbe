package dev.clientgo.gen.internal.write;

import dev.clientgo.gen.internal.model.ClassRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The text of one Java file: imports as they are needed, lines no longer than a hundred columns,
 * broken the way google-java-format breaks them.
 */
final class JavaFile {

  private static final int WIDTH = 100;

  private final ClassRef top;
  private final Set<String> declared = new HashSet<>();
  private final Map<String, String> imports = new TreeMap<>();
  private final StringBuilder body = new StringBuilder();
  private int indent;

  /**
   * @param top the class the file declares
   * @param declared the simple names of the classes within it
   */
  JavaFile(ClassRef top, Set<String> declared) {
    this.top = top;
    this.declared.add(top.name());
    this.declared.addAll(declared);
  }

  /** Returns how to name a class here, and imports it. */
  String ref(String canonical) {
    return ref(ClassRef.of(canonical));
  }

  /** Returns how to name a class here, and imports it. */
  String ref(ClassRef ref) {
    if (ref.packageName().isEmpty() || ref.packageName().equals("java.lang")) {
      return ref.name();
    }
    if (ref.packageName().equals(top.packageName()) && ref.top().equals(top.name())) {
      return ref.simple();
    }
    String outer = ref.top();
    String canonical = ref.packageName() + "." + outer;
    if (declared.contains(outer)) {
      return ref.canonical();
    }
    String imported = imports.putIfAbsent(outer, canonical);
    return imported == null || imported.equals(canonical) ? ref.name() : ref.canonical();
  }

  /** Writes a line. */
  JavaFile line(String text) {
    body.append(text.isEmpty() ? "" : " ".repeat(indent)).append(text).append('\n');
    return this;
  }

  /** Writes an empty line. */
  JavaFile blank() {
    body.append('\n');
    return this;
  }

  /** Writes a line and indents what follows. */
  JavaFile open(String text) {
    line(text);
    indent += 2;
    return this;
  }

  /** Indents what follows. */
  JavaFile indent() {
    indent += 2;
    return this;
  }

  /** Takes back indentation. */
  JavaFile outdent(int by) {
    indent -= by;
    return this;
  }

  /** Ends what {@link #open} began. */
  JavaFile close(String text) {
    indent -= 2;
    return line(text);
  }

  /** Writes {@code head(arguments)tail}, broken before or between the arguments as needed. */
  JavaFile call(String head, List<String> arguments, String tail) {
    return call(indent, head, arguments, tail);
  }

  private JavaFile call(int at, String head, List<String> arguments, String tail) {
    String joined = String.join(", ", arguments);
    String flat = head + "(" + joined + ")" + tail;
    if (at + flat.length() <= WIDTH || arguments.isEmpty()) {
      return put(at, flat);
    }
    put(at, head + "(");
    if (at + 4 + joined.length() + 1 + tail.length() <= WIDTH) {
      return put(at + 4, joined + ")" + tail);
    }
    for (int i = 0; i < arguments.size(); i++) {
      put(at + 4, arguments.get(i) + (i < arguments.size() - 1 ? "," : ")" + tail));
    }
    return this;
  }

  /** Writes {@code left right(arguments);}, broken behind {@code left} if need be. */
  JavaFile assign(String left, String right, List<String> arguments) {
    String flat = left + " " + right + "(" + String.join(", ", arguments) + ");";
    if (indent + flat.length() <= WIDTH) {
      return line(flat);
    }
    line(left);
    return call(indent + 4, right, arguments, ";");
  }

  /** Writes {@code left right(arguments)tail;}, broken behind {@code left} if need be. */
  JavaFile assign(String left, String right, List<String> arguments, String tail) {
    String flat = right + "(" + String.join(", ", arguments) + ")" + tail + ";";
    if (indent + left.length() + 1 + flat.length() <= WIDTH) {
      return line(left + " " + flat);
    }
    line(left);
    return tail.isEmpty() || indent + 4 + flat.length() <= WIDTH
        ? call(indent + 4, right, arguments, tail + ";")
        : call(indent + 4, right, arguments, "").put(indent + 8, tail + ";");
  }

  /** Writes parts of a statement on one line, or each break deeper than the one before. */
  JavaFile chain(String... parts) {
    int at = indent;
    int from = 0;
    while (from < parts.length) {
      String rest = String.join(" ", List.of(parts).subList(from, parts.length));
      if (at + rest.length() <= WIDTH || from == parts.length - 1) {
        return put(at, rest);
      }
      put(at, parts[from]);
      from++;
      at += 4;
    }
    return this;
  }

  /** Writes {@code left condition ? yes : no;}, broken at the operators if need be. */
  JavaFile conditional(String left, String condition, String yes, String no) {
    return conditional(indent, left, condition, yes, no);
  }

  /** Writes {@code outer left condition ? yes : no;}, broken behind {@code outer} first. */
  JavaFile conditional(String outer, String left, String condition, String yes, String no) {
    String flat = outer + " " + left + " " + condition + " ? " + yes + " : " + no + ";";
    if (indent + flat.length() <= WIDTH) {
      return line(flat);
    }
    line(outer);
    return conditional(indent + 4, left, condition, yes, no);
  }

  private JavaFile conditional(int at, String left, String condition, String yes, String no) {
    String right = condition + " ? " + yes + " : " + no + ";";
    if (at + left.length() + 1 + right.length() <= WIDTH) {
      return put(at, left + " " + right);
    }
    put(at, left);
    if (at + 4 + right.length() <= WIDTH) {
      return put(at + 4, right);
    }
    return put(at + 4, condition).put(at + 8, "? " + yes).put(at + 8, ": " + no + ";");
  }

  /** Writes the head of a class: its tail goes to a line of its own if need be. */
  JavaFile header(String head, List<String> components, String tail) {
    String flat = head + "(" + String.join(", ", components) + ")";
    if (tail.isEmpty() || indent + flat.length() + tail.length() + 3 <= WIDTH) {
      return call(head, components, (tail.isEmpty() ? "" : " " + tail) + " {");
    }
    return call(head, components, "").put(indent + 4, tail + " {");
  }

  private JavaFile put(int at, String text) {
    body.append(" ".repeat(at)).append(text).append('\n');
    return this;
  }

  /** Writes a Javadoc comment of paragraphs, then tags. */
  JavaFile javadoc(List<String> paragraphs, List<String> tags) {
    if (tags.isEmpty()
        && paragraphs.size() == 1
        && indent + 7 + paragraphs.get(0).length() <= WIDTH) {
      return line("/** " + paragraphs.get(0) + " */");
    }
    line("/**");
    boolean first = true;
    for (String paragraph : paragraphs) {
      if (!first) {
        line(" *");
      }
      wrap(first ? paragraph : "<p>" + paragraph, "");
      first = false;
    }
    if (!tags.isEmpty() && !paragraphs.isEmpty()) {
      line(" *");
    }
    tags.forEach(tag -> wrap(tag, "    "));
    return line(" */");
  }

  /** Writes a Javadoc comment of one paragraph. */
  JavaFile javadoc(String text) {
    return javadoc(List.of(text), List.of());
  }

  private void wrap(String text, String continuation) {
    int width = WIDTH - indent - 3;
    List<String> lines = new ArrayList<>(Text.wrap(text, width, continuation.length()));
    line(" * " + lines.get(0));
    lines.subList(1, lines.size()).forEach(next -> line(" * " + continuation + next));
  }

  /** Returns the text of the file. */
  String text() {
    StringBuilder file = new StringBuilder("package " + top.packageName() + ";\n\n");
    List<String> lines = imports.values().stream().filter(name -> !isHere(name)).sorted().toList();
    lines.forEach(name -> file.append("import ").append(name).append(";\n"));
    return file.append(lines.isEmpty() ? "" : "\n").append(body).toString();
  }

  private boolean isHere(String canonical) {
    return canonical.substring(0, canonical.lastIndexOf('.')).equals(top.packageName());
  }
}
