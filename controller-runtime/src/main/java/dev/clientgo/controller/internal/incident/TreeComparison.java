package dev.clientgo.controller.internal.incident;

import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.RawJson;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares what a replay writes with what was written. Two times are the same if each is that of
 * its own reconcile, because a reconciler may read another clock.
 *
 * @param from when the reconcile began
 * @param to when it ended
 * @param replayed when its replay begins
 */
public record TreeComparison(Instant from, Instant to, Instant replayed) {

  private static final Duration NEAR = Duration.ofSeconds(1);

  /** Returns the first difference: {@code spec.replicas 3, is 2}. */
  Optional<String> difference(String path, @Nullable Object was, @Nullable Object is) {
    if (was instanceof Map<?, ?> old && is instanceof Map<?, ?> now) {
      TreeSet<Object> names = new TreeSet<>(old.keySet());
      names.addAll(now.keySet());
      return names.stream()
          .flatMap(name -> difference(join(path, name), old.get(name), now.get(name)).stream())
          .findFirst();
    } else if (was instanceof List<?> old
        && is instanceof List<?> now
        && old.size() == now.size()) {
      for (int i = 0; i < old.size(); i++) {
        Optional<String> found = difference(path + "[" + i + "]", old.get(i), now.get(i));
        if (found.isPresent()) {
          return found;
        }
      }
      return Optional.empty();
    }
    return Objects.equals(was, is) || areTimes(was, is)
        ? Optional.empty()
        : Optional.of((path + " " + text(was) + ", is " + text(is)).strip());
  }

  private static String join(String path, Object field) {
    String name = field.toString();
    String step = name.contains(".") || name.contains("/") ? "[" + name + "]" : "." + name;
    return path.isEmpty() && step.startsWith(".") ? name : path + step;
  }

  static String text(@Nullable Object value) {
    String json = value == null ? "absent" : RawJson.of(JsonCodecs.TREE, value).toString();
    return json.length() > 300 ? json.substring(0, 300) + "…" : json;
  }

  private boolean areTimes(@Nullable Object was, @Nullable Object is) {
    try {
      return was instanceof String old
          && is instanceof String now
          && old.endsWith("Z")
          && now.endsWith("Z")
          && !Instant.parse(old).isBefore(from.minus(NEAR))
          && !Instant.parse(old).isAfter(to.plus(NEAR))
          && !Instant.parse(now).isBefore(replayed.minus(NEAR));
    } catch (DateTimeException e) {
      return false;
    }
  }
}
