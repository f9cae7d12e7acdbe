package dev.clientgo.apimachinery.meta.table;

import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Prints tables as {@code kubectl get} does: headings in capitals, columns as wide as their widest
 * cell.
 *
 * <pre>{@code
 * System.out.print(TablePrinter.narrow().print(client.table(pods).list()));
 * }</pre>
 *
 * <p>Of a cell with several lines, it prints the first one and {@code ...}. Immutable, safe for use
 * by many threads. Corresponds to {@code k8s.io/cli-runtime/pkg/printers.TablePrinter}.
 */
public final class TablePrinter {

  /** The least width of a column and the space behind it, as kubectl has them. */
  private static final int MIN_WIDTH = 6;

  private static final int PADDING = 3;

  private final boolean wide;
  private final boolean withNamespace;
  private final boolean withLabels;
  private final boolean headers;

  private TablePrinter(boolean wide, boolean withNamespace, boolean withLabels, boolean headers) {
    this.wide = wide;
    this.withNamespace = withNamespace;
    this.withLabels = withLabels;
    this.headers = headers;
  }

  /** Returns a printer of the columns of a narrow view. */
  public static TablePrinter narrow() {
    return new TablePrinter(false, false, false, true);
  }

  /** Returns a printer of all columns, as {@code -o wide} prints them. */
  public static TablePrinter wide() {
    return new TablePrinter(true, false, false, true);
  }

  /**
   * Prints the namespace of each object in the first column, as {@code --all-namespaces} does. The
   * rows must carry their objects or the metadata of these, which is a server's default.
   */
  public TablePrinter withNamespace() {
    return new TablePrinter(wide, true, withLabels, headers);
  }

  /** Prints the labels of each object in the last column, as {@code --show-labels} does. */
  public TablePrinter withLabels() {
    return new TablePrinter(wide, withNamespace, true, headers);
  }

  /** Prints no headings, as {@code --no-headers} does. */
  public TablePrinter withoutHeaders() {
    return new TablePrinter(wide, withNamespace, withLabels, false);
  }

  /** Returns a table as lines of text, the last one ended too; empty for a table without rows. */
  public String print(Table table) {
    if (table.rows().isEmpty()) {
      return "";
    }
    List<List<String>> lines = new ArrayList<>();
    if (headers) {
      lines.add(headings(table));
    }
    table.rows().forEach(row -> lines.add(cells(table, row)));
    return align(lines);
  }

  private List<String> headings(Table table) {
    List<String> line = new ArrayList<>();
    if (withNamespace) {
      line.add("NAMESPACE");
    }
    for (Table.ColumnDefinition column : table.columnDefinitions()) {
      if (wide || column.isEssential()) {
        line.add(column.name().toUpperCase(Locale.ROOT));
      }
    }
    if (withLabels) {
      line.add("LABELS");
    }
    return line;
  }

  private List<String> cells(Table table, Table.Row row) {
    List<String> line = new ArrayList<>();
    PartialObjectMetadata object = withNamespace || withLabels ? row.metadata().orElse(null) : null;
    if (withNamespace) {
      String namespace = object == null ? null : object.metadata().namespace();
      line.add(namespace == null ? "" : namespace);
    }
    int column = 0;
    for (Table.ColumnDefinition definition : table.columnDefinitions()) {
      Object cell = column < row.cells().size() ? row.cells().get(column) : null;
      column++;
      if (wide || definition.isEssential()) {
        line.add(text(cell));
      }
    }
    if (withLabels) {
      line.add(object == null ? "<none>" : labels(object.metadata().labels()));
    }
    return line;
  }

  private static String text(@Nullable Object cell) {
    String text = cell == null ? "" : cell.toString();
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end) + "...";
  }

  private static String labels(@Nullable Map<String, String> labels) {
    return labels == null || labels.isEmpty()
        ? "<none>"
        : new TreeMap<>(labels)
            .entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(","));
  }

  /** Pads all cells but the last one of each line. */
  private static String align(List<List<String>> lines) {
    int columns = lines.get(0).size();
    int[] widths = new int[columns];
    for (List<String> line : lines) {
      for (int i = 0; i < columns; i++) {
        int length = line.get(i).codePointCount(0, line.get(i).length());
        widths[i] = Math.max(widths[i], Math.max(MIN_WIDTH, length + PADDING));
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      for (int i = 0; i < columns; i++) {
        String cell = line.get(i);
        text.append(cell);
        if (i < columns - 1) {
          text.append(" ".repeat(widths[i] - cell.codePointCount(0, cell.length())));
        }
      }
      text.append('\n');
    }
    return text.toString();
  }
}
