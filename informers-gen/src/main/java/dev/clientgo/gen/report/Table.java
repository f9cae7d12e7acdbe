package dev.clientgo.gen.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in aligned columns; a cell wider than a column may be shifts only its own row. */
final class Table {

  private static final int MAX_WIDTH = 72;
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  Table(String... titles) {
    row(titles);
  }

  void row(String... cells) {
    rows.add(List.of(cells));
  }

  /** Returns the rows, each ended by a line end. */
  @Override
  public String toString() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], Math.min(MAX_WIDTH, row.get(i).length()));
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String cell = row.get(i).replaceAll("[\\p{Cntrl}]", "?");
        line.append(cell).append(" ".repeat(Math.max(0, widths[i] - cell.length()))).append(GAP);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
