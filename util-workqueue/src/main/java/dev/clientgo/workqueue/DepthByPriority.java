package dev.clientgo.workqueue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many items are due at each priority. Each value of a label costs a metrics system memory, so
 * only the first {@value #MAX_LABELS} priorities have labels of their own.
 *
 * <p>Not safe for use by many threads.
 */
final class DepthByPriority {

  static final int MAX_LABELS = 25;

  /** The label, as in controller-runtime, of all the other priorities together. */
  static final String OTHERS = "exceeded_cardinality_limit";

  /** A count and its label. */
  static final class Cell {
    final String label;
    int depth;

    Cell(String label) {
      this.label = label;
    }
  }

  private final Map<Integer, Cell> cells = new HashMap<>();
  private @Nullable Cell others;
  private List<Cell> unseen = List.of();

  /** Returns the count that a priority is part of. */
  Cell cell(int priority) {
    Cell known = cells.get(priority);
    if (known != null) {
      return known;
    }
    if (cells.size() < MAX_LABELS) {
      Cell cell = create(Integer.toString(priority));
      cells.put(priority, cell);
      return cell;
    }
    if (others == null) {
      others = create(OTHERS);
    }
    return others;
  }

  private Cell create(String label) {
    Cell cell = new Cell(label);
    unseen = new ArrayList<>(unseen);
    unseen.add(cell);
    return cell;
  }

  /** Returns the counts that were created since the last call. */
  List<Cell> takeNew() {
    List<Cell> taken = unseen;
    unseen = List.of();
    return taken;
  }

  void clear() {
    cells.values().forEach(cell -> cell.depth = 0);
    if (others != null) {
      others.depth = 0;
    }
  }
}
