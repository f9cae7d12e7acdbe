package dev.clientgo.apimachinery.patch;

import dev.clientgo.apimachinery.patch.JsonPatch.Op;
import dev.clientgo.apimachinery.patch.JsonPatch.Operation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the operations of a JSON patch that turn one tree into another. */
final class JsonDiff {

  private JsonDiff() {}

  /** Adds the operations that turn {@code before} into {@code after}. */
  static void compare(
      JsonPointer path,
      @Nullable Object before,
      @Nullable Object after,
      List<Operation> operations) {
    if (Trees.equal(before, after)) {
      return;
    }
    if (before instanceof Map<?, ?> b && after instanceof Map<?, ?> a) {
      maps(path, b, a, operations);
    } else if (before instanceof List<?> b && after instanceof List<?> a) {
      lists(path, b, a, operations);
    } else {
      operations.add(new Operation(Op.REPLACE, path, null, after));
    }
  }

  private static void maps(
      JsonPointer path, Map<?, ?> before, Map<?, ?> after, List<Operation> operations) {
    before.forEach(
        (name, value) -> {
          JsonPointer field = path.child((String) name);
          if (after.containsKey(name)) {
            compare(field, value, after.get(name), operations);
          } else {
            operations.add(new Operation(Op.REMOVE, field, null, null));
          }
        });
    after.forEach(
        (name, value) -> {
          if (!before.containsKey(name)) {
            operations.add(new Operation(Op.ADD, path.child((String) name), null, value));
          }
        });
  }

  /** Elements at the same index are compared, apart from the equal ones at both ends. */
  private static void lists(
      JsonPointer path, List<?> before, List<?> after, List<Operation> operations) {
    int shorter = Math.min(before.size(), after.size());
    int head = 0;
    while (head < shorter && Trees.equal(before.get(head), after.get(head))) {
      head++;
    }
    int tail = 0;
    while (tail < shorter - head
        && Trees.equal(before.get(before.size() - 1 - tail), after.get(after.size() - 1 - tail))) {
      tail++;
    }
    int both = shorter - tail;
    for (int i = head; i < both; i++) {
      compare(path.child(Integer.toString(i)), before.get(i), after.get(i), operations);
    }
    // From the last: the indexes of those before it stay.
    for (int i = before.size() - tail - 1; i >= both; i--) {
      JsonPointer element = path.child(Integer.toString(i));
      operations.add(new Operation(Op.REMOVE, element, null, null));
    }
    for (int i = both; i < after.size() - tail; i++) {
      JsonPointer element = path.child(Integer.toString(i));
      operations.add(new Operation(Op.ADD, element, null, after.get(i)));
    }
  }
}
