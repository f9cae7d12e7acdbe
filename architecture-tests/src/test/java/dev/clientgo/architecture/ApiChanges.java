package dev.clientgo.architecture;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What differs between two {@linkplain ApiSnapshot snapshots}.
 *
 * @param breaking lines, each with its type, after which a program may not compile or link any
 *     more: one that is not there any more, except if a method got a body, and an abstract method
 *     that was added to a type which others may implement
 * @param compatible lines that were added otherwise
 */
record ApiChanges(Set<String> breaking, Set<String> compatible) {

  static ApiChanges between(List<String> before, List<String> after) {
    Map<String, Set<String>> old = types(before);
    Map<String, Set<String>> now = types(after);
    Set<String> breaking = new LinkedHashSet<>();
    Set<String> compatible = new LinkedHashSet<>();
    old.forEach(
        (type, lines) -> {
          Set<String> left = now.getOrDefault(type, Set.of());
          lines.stream()
              .filter(line -> !left.contains(line))
              .filter(line -> !left.contains(line.replaceFirst("^  abstract ", "  default ")))
              .forEach(line -> breaking.add("- " + type + ": " + line));
        });
    now.forEach(
        (type, lines) -> {
          Set<String> known = old.getOrDefault(type, Set.of());
          for (String line : lines) {
            if (!known.contains(line)) {
              boolean breaks =
                  line.startsWith("  abstract ")
                      && !known.isEmpty()
                      && !known.iterator().next().startsWith("sealed ");
              (breaks ? breaking : compatible).add("+ " + type + ": " + line);
            }
          }
        });
    return new ApiChanges(breaking, compatible);
  }

  boolean isEmpty() {
    return breaking.isEmpty() && compatible.isEmpty();
  }

  /** Returns the lines of each type, the first of which is its own, by its name. */
  private static Map<String, Set<String>> types(List<String> lines) {
    Map<String, Set<String>> types = new LinkedHashMap<>();
    Set<String> type = new LinkedHashSet<>();
    for (String line : lines) {
      if (!line.startsWith(" ")) {
        type = new LinkedHashSet<>();
        types.put(line.replaceAll("^.*?(dev\\.clientgo\\.[\\w.$]+).*$", "$1"), type);
      }
      type.add(line);
    }
    return types;
  }
}
