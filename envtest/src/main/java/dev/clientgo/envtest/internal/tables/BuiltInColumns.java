package dev.clientgo.envtest.internal.tables;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The columns of the built-in kinds, from {@code columns.txt}. */
public final class BuiltInColumns {

  private static final String FILE = "columns.txt";
  private static final Pattern LINE =
      Pattern.compile("([^:/+=]+)(?::(\\w+))?(?:/(\\w+))?(\\+)?(?: = (.*))?");
  private static final List<Column> DEFAULT =
      List.of(
          Column.NAME,
          new Column(
              "Created At", "date", "", "", 0, Cells.text("metadata.creationTimestamp", "")));
  private static final Map<String, List<Column>> KINDS = parse(read());

  private BuiltInColumns() {}

  /** Returns the columns of a kind. */
  public static List<Column> of(String kind) {
    return KINDS.getOrDefault(kind, DEFAULT);
  }

  private static String read() {
    try (InputStream in = BuiltInColumns.class.getResourceAsStream(FILE)) {
      return new String(requireNonNull(in, FILE).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, List<Column>> parse(String text) {
    Map<String, List<Column>> kinds = new HashMap<>();
    List<Column> columns = new ArrayList<>();
    for (String line : text.lines().filter(l -> !l.isEmpty() && !l.startsWith("#")).toList()) {
      if (line.startsWith(" ")) {
        columns.add(column(line.strip()));
      } else {
        columns = new ArrayList<>();
        for (String kind : line.split(" ", -1)) {
          kinds.put(kind, columns);
        }
      }
    }
    return kinds;
  }

  private static Column column(String line) {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) {
      throw new IllegalArgumentException(FILE + ": no column: " + line);
    }
    String heading = parts.group(1);
    String cell = parts.group(5);
    Column column =
        switch (heading) {
          case "Name" -> Column.NAME;
          case "Age" -> Column.AGE;
          default -> new Column(heading, "string", "", "", 0, Cells.text("", ""));
        };
    return new Column(
        heading,
        parts.group(2) == null ? column.type() : parts.group(2),
        parts.group(3) == null ? column.format() : parts.group(3),
        column.description(),
        parts.group(4) == null ? 0 : 1,
        cell == null ? column.cell() : CellFunctions.cell(cell));
  }
}
